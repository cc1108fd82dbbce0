//! What the search leaves out: nodes that clearly lie outside their windows, late moves, and plies of late moves.

use std::sync::LazyLock;

use super::MAX_PLY;
use super::node::Node;
use super::score::{Score, Window};
use super::table::MoveHash;
use super::worker::Worker;
use crate::{SearchTuning, Searchable};

/// Natural logarithms. Index 0 holds the logarithm of 1.
static LOGARITHMS: LazyLock<[f32; MAX_PLY]> =
    LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// The least depth of a node whose late moves are reduced.
const REDUCED_DEPTH: i32 = 3;

impl<R: Searchable> Worker<'_, R> {
    /// Whether a node or its grandchildren use its static evaluation.
    ///
    /// Games that leave nothing out use evaluations only to reduce moves. A position without a quiet move has no
    /// evaluation of its own: its grandparent's stands in, and must be the one of its first visit.
    pub(super) fn needs_evaluation(&self, node: &Node<'_, R::Position>) -> bool {
        let SearchTuning { reverse_futility, late_moves, probcut, .. } = *self.tuning;
        let leaves_out = reverse_futility.depth > 0 || late_moves.depth > 0 || probcut.depth > 0;
        node.depth >= REDUCED_DEPTH
            || leaves_out
            || R::TUNING.quiescence_table
            || R::TUNING.quiescence && !self.rules.has_quiet_move(node.position)
    }

    /// Reverse futility pruning: whether a node lies so far above its window that it need not be searched.
    pub(super) fn reverse_futility(&mut self, node: &Node<'_, R::Position>) -> bool {
        let reverse_futility = self.tuning.reverse_futility;
        if node.depth > reverse_futility.depth || self.is_exact(node) {
            return false;
        }
        let plies = node.depth - i32::from(self.is_improving(node));
        let reduced = self.evaluations[node.ply].plus(-reverse_futility.per_ply * plies);
        reduced >= node.window.beta && self.has_move(node.position)
    }

    /// Multi-ProbCut: whether a node is searched shallowly first.
    pub(super) fn probcut(&self, node: &Node<'_, R::Position>) -> bool {
        let least = self.tuning.probcut.depth;
        least > 0 && node.depth >= least && !self.is_exact(node)
    }

    /// The shallow search of Multi-ProbCut. The evaluation tells on which side of the window to look.
    pub(super) fn shallow_search<'p>(
        &self,
        node: &Node<'p, R::Position>,
    ) -> Option<ShallowSearch<'p, R::Position>> {
        let probcut = self.tuning.probcut;
        let depth = probcut.shallow(node.depth);
        let error = self.rules.probcut_error(node.position, depth, node.depth)?;
        let margin = error * probcut.confidence / 100;
        let Window { alpha, beta } = node.window;
        let is_above = self.evaluations[node.ply] >= beta;
        let low = if is_above { beta.plus(margin).plus(-1) } else { alpha.plus(-margin) };
        let node = Node { depth, window: Window::null(low), ..*node };
        Some(ShallowSearch { node, is_above, margin })
    }

    /// Late move pruning: the number of moves of a node to look at before quiet moves are left out.
    pub(super) fn late_move_count(&self, node: &Node<'_, R::Position>) -> usize {
        let late_moves = self.tuning.late_moves;
        if node.depth > late_moves.depth || self.is_exact(node) {
            return usize::MAX;
        }
        late_moves.count(node.depth, self.is_improving(node))
    }

    /// Late move reductions: the plies by which to reduce a move with `index` moves before it. Most moves are not late.
    #[inline]
    pub(super) fn reduction(
        &self,
        node: &Node<'_, R::Position>,
        mv: R::Move,
        hash: MoveHash,
        index: usize,
    ) -> i32 {
        let is_reduced = node.depth >= REDUCED_DEPTH && index >= 2 && !self.is_mate_search;
        if is_reduced && self.is_quiet(node, mv) {
            self.late_reduction(node, mv, hash, index)
        } else {
            0
        }
    }

    /// The plies by which to reduce a late move. Apart, so that other moves cost no call.
    #[inline(never)]
    fn late_reduction(
        &self,
        node: &Node<'_, R::Position>,
        mv: R::Move,
        hash: MoveHash,
        index: usize,
    ) -> i32 {
        let reductions = self.tuning.reductions;
        let logarithm = |n: usize| LOGARITHMS[n.min(MAX_PLY - 1)];
        let product = logarithm(node.depth as usize) * logarithm(index);
        let plies = (reductions.base + product / reductions.divisor) as i32
            - self.ordering.histories::<R>(self.context(node))(mv, hash) / reductions.history
            - i32::from(!node.window.is_null())
            + i32::from(!self.is_improving(node));
        plies.clamp(0, node.depth - 1)
    }

    /// Whether a move captures nothing. In games without quiescence search, every move counts as quiet.
    pub(super) fn is_quiet(&self, node: &Node<'_, R::Position>, mv: R::Move) -> bool {
        !R::TUNING.quiescence || !self.rules.is_capture(node.position, mv)
    }

    /// Whether nothing may be left out at a node, because its line is shown or the end of the game is at stake.
    fn is_exact(&self, node: &Node<'_, R::Position>) -> bool {
        let Window { alpha, beta } = node.window;
        self.is_mate_search || !node.window.is_null() || alpha.is_decided() || beta.is_decided()
    }

    /// Whether the side to move stands better than at its move before.
    fn is_improving(&self, node: &Node<'_, R::Position>) -> bool {
        node.ply >= 2 && self.evaluations[node.ply] > self.evaluations[node.ply - 2]
    }
}

/// A shallow search of a node, to see whether the score lies outside the window by a margin.
pub(super) struct ShallowSearch<'p, P> {
    pub(super) node: Node<'p, P>,
    /// Whether it looks above the window.
    is_above: bool,
    margin: i32,
}

impl<P> ShallowSearch<'_, P> {
    /// The bound that the score of the shallow search gives the node. `None` if the score is not far enough outside.
    pub(super) fn bound(&self, score: Score) -> Option<Score> {
        let Window { alpha, beta } = self.node.window;
        if self.is_above {
            (score >= beta).then(|| score.plus(-self.margin))
        } else {
            (score <= alpha).then(|| score.plus(self.margin))
        }
    }
}
