//! The end of a game inside the search: no moves, limits of the rules, repetition.

use std::ops::ControlFlow;

use super::node::Node;
use super::score::Score;
use super::worker::Worker;
use crate::Searchable;
use leap_core::{GameResult, Position, Repetition, RulesExt};

impl<R: Searchable> Worker<'_, R> {
    /// The score where a limit of the rules ends the game. The lack of moves comes first (SPEC 10.7).
    pub(super) fn limit_score(&mut self, node: &Node<'_, R::Position>) -> Option<Score> {
        if !self.rules.at_limit(node.position) {
            return None;
        }
        if !self.has_move(node.position) {
            return Some(self.no_moves_score(node));
        }
        Some(self.final_score(self.rules.count(node.position), node))
    }

    /// The score where the side to move has no move.
    pub(super) fn no_moves_score(&self, node: &Node<'_, R::Position>) -> Score {
        let outcome = self.rules.no_moves(node.position);
        self.final_score(outcome.result, node)
    }

    /// The node at a depth of at least 1 where a side wins with its next move: its loss is prevented, or it is lost.
    ///
    /// Also returns whether the side to move is seen to win so. Only leaves and null windows ask.
    pub(super) fn extended<'p>(
        &self,
        node: Node<'p, R::Position>,
    ) -> (Node<'p, R::Position>, bool) {
        let side = node.position.side();
        let is_leaf = node.depth <= 0 && !self.is_mate_search;
        let wins = |side| self.rules.wins_next(node.position, side);
        let wins_next = (is_leaf || node.window.is_null()) && wins(side);
        let depth = if is_leaf && (wins_next || wins(side.other())) { 1 } else { node.depth };
        (Node { depth, ..node }, wins_next)
    }

    /// The score where the side to move wins with its next move.
    pub(super) fn next_move_score(&self, node: &Node<'_, R::Position>) -> Score {
        let side = node.position.side();
        self.contempt.of_result(GameResult::Win(side), side, node.ply + 1)
    }

    /// The score where repetition ends the game (SPEC 10.12).
    ///
    /// A position that has repeated on the path, but not often enough, is assumed to repeat again. A side that did not
    /// leave the cycle once need not leave it later. A win by such a cycle has no distance, so a search for a win in n
    /// moves plays on. In every other search a win by repetition ranks below a win on the board, and has no distance.
    pub(super) fn repetition_score(&mut self, node: &Node<'_, R::Position>) -> Option<Score> {
        let Repetition::Ends(limit) = self.rules.repetition() else { return None };
        let seen = self.path.occurrences(node.position.key())?;
        let (result, side) = (self.rules.count(node.position), node.position.side());
        let is_over = seen.total() + 1 >= limit;
        let has_distance = self.is_mate_search && result != GameResult::Draw;
        if !is_over && (seen.on_path == 0 || has_distance) {
            return None;
        }
        let score = if has_distance {
            Score::of_result(result, side, node.ply)
        } else {
            self.contempt.of_repetition(result, side)
        };
        self.path.depend_on(seen.first_ply);
        Some(score)
    }

    /// Whether repetition forbids a position (SPEC 10.13).
    pub(super) fn is_forbidden(&mut self, child: &R::Position) -> bool {
        let Repetition::Forbids(limit) = self.rules.repetition() else { return false };
        let Some(seen) = self.path.occurrences(child.key()) else { return false };
        let is_forbidden = seen.total() + 1 >= limit;
        if is_forbidden {
            self.path.depend_on(seen.first_ply);
        }
        is_forbidden
    }

    /// Whether the side to move has a legal move.
    pub(super) fn has_move(&mut self, position: &R::Position) -> bool {
        if !matches!(self.rules.repetition(), Repetition::Forbids(_)) {
            return self.rules.has_move(position);
        }
        let rules = self.rules;
        let visited = rules.visit_moves(position, |mv| {
            let child = self.rules.after(position, mv);
            if self.is_forbidden(&child) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        visited.is_break()
    }
}
