//! The moves of a node, one after the other.

use arrayvec::ArrayVec;

use super::node::Node;
use super::order::{Picked, Picker};
use super::table::MoveHash;
use super::worker::Worker;
use crate::Searchable;

/// The moves of a node while they are being tried.
pub(super) struct NodeMoves<M> {
    pub(super) picker: Picker,
    table_move: MoveHash,
    /// Whether captures are still to be ranked, before other moves.
    are_captures_next: bool,
    /// Whether killers are still to be ranked, before other moves.
    are_killers_next: bool,
    /// Whether the moves that are not picked yet are left out.
    skips_rest: bool,
    /// The number of moves that were tried or deferred.
    pub(super) count: usize,
    /// The moves that other threads were searching.
    deferred: ArrayVec<NextMove<M>, MAX_DEFERRED>,
}

/// The most moves of a node that are deferred because other threads are searching them.
const MAX_DEFERRED: usize = 8;

/// A move to try.
#[derive(Clone, Copy)]
pub(super) struct NextMove<M> {
    pub(super) mv: M,
    pub(super) hash: MoveHash,
    /// The number of moves before it.
    pub(super) index: usize,
    pub(super) is_deferred: bool,
}

impl<M> NodeMoves<M> {
    /// Leaves out all moves that are not picked yet.
    pub(super) const fn skip_rest(&mut self) {
        self.picker.is_whole = false;
        self.skips_rest = true;
    }

    /// Puts a move off to the end. Returns whether there is room for the move.
    pub(super) fn defer(&mut self, mv: M, hash: MoveHash, index: usize) -> bool {
        self.deferred.try_push(NextMove { mv, hash, index, is_deferred: true }).is_ok()
    }
}

impl<R: Searchable> Worker<'_, R> {
    /// Generates the moves of a node. `table_move` comes first.
    pub(super) fn generate(
        &mut self,
        node: &Node<'_, R::Position>,
        table_move: MoveHash,
    ) -> NodeMoves<R::Move> {
        let rules = self.rules;
        let picker = self.moves.generate(|moves| rules.candidates(node.position, moves));
        self.time.generated(self.moves.len(&picker));
        NodeMoves {
            picker,
            table_move,
            are_captures_next: R::TUNING.captures_first,
            are_killers_next: R::TUNING.killer_depth > 0 && node.depth <= R::TUNING.killer_depth,
            skips_rest: false,
            count: 0,
            deferred: ArrayVec::new(),
        }
    }

    /// The next move to try: first those that are picked by rank, then those that were deferred.
    pub(super) fn next_move(
        &mut self,
        node: &Node<'_, R::Position>,
        moves: &mut NodeMoves<R::Move>,
    ) -> Option<NextMove<R::Move>> {
        if !moves.skips_rest
            && let Some(Picked { mv, hash, .. }) = self.pick(node, moves)
        {
            return Some(NextMove { mv, hash, index: moves.count, is_deferred: false });
        }
        moves.deferred.pop_at(0)
    }

    /// The next move by rank: first the table's move, then captures and killers if they come first.
    ///
    /// The table's move is usually enough. The other moves are then not even ranked.
    fn pick(
        &mut self,
        node: &Node<'_, R::Position>,
        moves: &mut NodeMoves<R::Move>,
    ) -> Option<Picked<R::Move>> {
        let picker = &mut moves.picker;
        if let Some(picked) = self.moves.pick_hash(picker, moves.table_move) {
            return Some(picked);
        }
        loop {
            if let Some(picked) = self.moves.pick(picker) {
                return Some(picked);
            }
            if self.moves.are_ranked(picker) {
                return None;
            }
            let (rules, context) = (self.rules, self.context(node));
            let score = self.ordering.ranks(rules, self.tuning, node.position, context);
            if moves.are_captures_next {
                moves.are_captures_next = false;
                self.moves.rank_first(picker, |mv| rules.is_capture(node.position, mv), score);
            } else if moves.are_killers_next {
                moves.are_killers_next = false;
                let killers = self.ordering.killers(context.ply);
                self.moves.rank_first(picker, |mv| killers.contains(&Some(mv)), score);
            } else {
                self.moves.rank(picker, score);
            }
        }
    }

    /// Updates killers and histories after a cutoff by `best`.
    pub(super) fn reward(
        &mut self,
        node: &Node<'_, R::Position>,
        best: (R::Move, MoveHash),
        moves: &NodeMoves<R::Move>,
    ) {
        let tried = self.moves.tried(&moves.picker, best.0);
        let (context, bonus) = (self.context(node), self.tuning.history.at(node.depth));
        self.ordering.cutoff::<R>(best, tried, bonus, context);
    }
}
