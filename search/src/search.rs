//! The search below the root: principal variation search.
//!
//! [`Worker::search`] reads from top to bottom. It calls itself for the moves of a node, and
//! [`Worker::quiesce`](super::quiescence) at depth 0.

use super::MAX_PLY;
use super::control::Stopped;
use super::moves::NextMove;
use super::node::{Node, Searched};
use super::path::PathDependency;
use super::score::{Score, Window};
use super::table::MoveHash;
use super::transposition::Lookup;
use super::worker::Worker;
use crate::Searchable;
use leap_core::{Position, Repetition, RulesExt};

impl<R: Searchable> Worker<'_, R> {
    /// The value of a node for its side to move.
    pub(super) fn search(&mut self, node: Node<'_, R::Position>) -> Result<Searched, Stopped> {
        // Step 1. At depth 0, captures are played out. Where a side wins with its next move, the search looks further.
        let (node, wins_next) = self.extended(node);
        if node.depth <= 0 || node.ply >= MAX_PLY {
            return self.quiesce(node);
        }
        self.search_moves(node, wins_next)
    }

    /// The value of a node that is no leaf. Apart from [`Worker::search`], since most nodes are leaves, and these need
    /// little of the stack.
    #[inline(never)]
    fn search_moves(
        &mut self,
        node: Node<'_, R::Position>,
        wins_next: bool,
    ) -> Result<Searched, Stopped> {
        self.enter(node.ply)?;

        // Step 2. A limit of the rules ends the game.
        if let Some(score) = self.limit_score(&node) {
            return Ok(Searched::solved(score));
        }

        // Step 3. Mate distance pruning.
        let node = Node { window: node.window.mate_distance_pruning(node.ply), ..node };
        if node.window.is_empty() {
            return Ok(Searched::solved(node.window.alpha));
        }

        // Step 4. A win with the next move. Only PV nodes make that move, since they need a line.
        if wins_next && node.window.is_null() {
            return Ok(Searched::solved(self.next_move_score(&node)));
        }

        // Step 5. Transposition table.
        let mut lookup = self.look_up(&node);
        if let Some(found) = lookup.cutoff(&node) {
            return Ok(found);
        }

        // Step 6. Tablebase, and the game's solver of endings.
        if let Some(score) = self.probe_tablebase(&node).or_else(|| self.solve_ending(&node)) {
            let found = Searched::solved(score);
            self.evaluations[node.ply] = score;
            self.store(
                &lookup,
                &Node { window: Window::FULL, ..node },
                found,
                MoveHash::NONE,
                true,
            );
            return Ok(found);
        }

        // Step 7. Static evaluation, if a later step reads it.
        self.note_needed_evaluation(&node, &mut lookup);

        // From here on, the score may depend on the path: graph history interaction (GHI).
        let parent_path = self.path.begin_node();

        // Step 8. Reverse futility pruning.
        if self.reverse_futility(&node) {
            let found = Searched::estimate(self.evaluations[node.ply]);
            return Ok(self.end_node(&lookup, &node, found, lookup.best_move(), parent_path));
        }

        // Step 9. Multi-ProbCut: a shallow search shows that the score is far outside the window.
        if self.probcut(&node) {
            if let Some(shallow) = self.shallow_search(&node) {
                let score = self.search(shallow.node)?.score;
                if let Some(bound) = shallow.bound(score) {
                    let found = Searched::estimate(bound);
                    return Ok(self.end_node(
                        &lookup,
                        &node,
                        found,
                        lookup.best_move(),
                        parent_path,
                    ));
                }
            }
            // The shallow search has left its best move in the table.
            lookup.refresh(self.table);
        }

        // Step 10. Generate the moves. The table's move comes first, then captures and killers if the game wants so, then
        // the rest by rank.
        let mut window = node.window;
        let mut best = Searched::solved(-Score::INFINITY);
        let mut best_move = MoveHash::NONE;
        let mut moves = self.generate(&node, lookup.best_move());
        let late_move_count = self.late_move_count(&node);
        while let Some(NextMove { mv, hash, index, is_deferred }) =
            self.next_move(&node, &mut moves)
        {
            // Step 11. Late move pruning. None of the moves after this one captures either.
            let is_late = index >= late_move_count && best.score > -Score::LEAST_WIN;
            if is_late && !is_deferred && self.is_quiet(&node, mv) {
                moves.skip_rest();
                continue;
            }

            // Step 12. Make the move, unless repetition forbids it.
            let position = self.rules.after(node.position, mv);
            if self.is_forbidden(&position) {
                continue;
            }

            // Step 13. Defer a move that another thread is searching.
            if !is_deferred {
                moves.count += 1;
                if index > 0 && self.is_busy(&node, &position) && moves.defer(mv, hash, index) {
                    continue;
                }
            }
            let _claim = self.claim(&node, &position);

            // Step 14. Search the child: late moves with a reduced depth and a null window first.
            let tried = Node { window, ..node };
            let found = if let Some(repeated) = self.begin_child(&tried, &position) {
                repeated
            } else {
                self.line[node.ply + 1] = hash;
                let reduction = self.reduction(&tried, mv, hash, index);
                let found = self.search_child(&tried, &position, index, reduction)?;
                self.end_child();
                found
            };

            // Step 15. A new best move. Too good a move is a cutoff: the opponent avoids this node.
            best.score = best.score.max(found.score);
            best.is_solved &= found.is_solved;
            if found.score > window.alpha {
                window.alpha = found.score;
                best_move = hash;
                if window.is_empty() {
                    best.is_solved = found.is_solved;
                    self.reward(&node, (mv, hash), &moves);
                    break;
                }
                self.pv.extend(node.ply, mv);
            }
        }
        self.moves.release(&moves.picker);

        // Step 16. Without a legal move the game is over.
        if moves.count == 0 {
            best.score = self.no_moves_score(&node);
        }
        best.is_solved &= moves.picker.is_whole || window.is_empty();

        // Step 17. Store the result.
        Ok(self.end_node(&lookup, &node, best, best_move, parent_path))
    }

    /// Principal variation search of the child after a move with `index` moves before it.
    ///
    /// The first move gets the full window. Later moves get a reduced depth and a null window. A move that fails high is
    /// searched again, first without the reduction, then with the full window.
    #[inline]
    pub(super) fn search_child(
        &mut self,
        node: &Node<'_, R::Position>,
        child: &R::Position,
        index: usize,
        reduction: i32,
    ) -> Result<Searched, Stopped> {
        let (depth, alpha) = (node.depth - 1, node.window.alpha);
        let mut search = |depth, window| {
            let found = self.search(node.child(child, depth, window))?;
            Ok(node.seen_from(child, found))
        };
        if index > 0 {
            let null = Window::null(alpha);
            let mut found = search(depth - reduction, null)?;
            if reduction > 0 && found.score > alpha {
                found = search(depth, null)?;
            }
            if node.window.is_null() || found.score <= alpha {
                return Ok(found);
            }
        }
        search(depth, node.window)
    }

    /// Counts a node, and begins its line.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.seldepth = self.seldepth.max(ply);
        self.pv.clear(ply);
        self.time.visit()
    }

    /// Ends a node, and stores what was found.
    fn end_node(
        &mut self,
        lookup: &Lookup,
        node: &Node<'_, R::Position>,
        found: Searched,
        best_move: MoveHash,
        parent_path: PathDependency,
    ) -> Searched {
        let is_path_independent = self.path.end_node(parent_path, node.ply);
        self.store(lookup, node, found, best_move, is_path_independent);
        found
    }

    /// Enters the position after a move, unless its repetition has a known score: then returns that score for the
    /// parent.
    pub(super) fn begin_child(
        &mut self,
        parent: &Node<'_, R::Position>,
        position: &R::Position,
    ) -> Option<Searched> {
        let child = parent.child(position, 0, parent.window);
        if let Some(score) = self.repetition_score(&child) {
            self.pv.clear(child.ply);
            return Some(parent.seen_from(position, Searched::solved(score)));
        }
        if self.can_repeat() {
            self.path.push(position.key());
        }
        None
    }

    /// Leaves the position that [`Worker::begin_child`] has entered.
    pub(super) fn end_child(&mut self) {
        if self.can_repeat() {
            self.path.pop();
        }
    }

    /// Whether the positions of the path matter. In most games this is known when the search is compiled.
    fn can_repeat(&self) -> bool {
        self.rules.repetition() != Repetition::Ignored
    }
}
