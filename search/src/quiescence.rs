//! Quiescence search: captures are played out until the position is quiet.

use leap_core::RulesExt;
use std::ops::ControlFlow;

use super::MAX_PLY;
use super::control::Stopped;
use super::node::{Best, Node, Worker};
use super::order::{Picked, Picker};
use super::score::Score;
use super::table::MoveHash;
use crate::Searchable;

impl<R: Searchable> Worker<'_, R> {
    /// Searches the captures of a node, with stand-pat. If every move is a capture, all are searched without stand-pat.
    pub(super) fn quiesce(&mut self, node: Node<'_, R::Position>) -> Result<Score, Stopped> {
        self.enter(node.ply)?;
        self.is_solved = true;
        if let Some(score) = self.limit_score(&node) {
            return Ok(score);
        }
        if let Some(score) = self.probe_tables(&node) {
            return Ok(score);
        }
        if !R::TUNING.quiescence || node.ply >= MAX_PLY {
            return Ok(if self.has_move(node.position) {
                self.is_solved = false;
                self.evaluate(node.position)
            } else {
                self.no_moves_score(&node)
            });
        }
        self.is_solved = false;
        if node.depth <= -self.tuning.captures.plies && self.has_move(node.position) {
            return Ok(self.evaluate(node.position));
        }
        let stand_pat = self.stand_pat(&node);
        if let Some(stand_pat) = stand_pat
            && stand_pat >= node.window.beta
        {
            return Ok(stand_pat);
        }
        let mut picker = self.generate_captures(&node);
        let score = self.known_or_tried(&node, &mut picker, stand_pat);
        self.moves.release(&picker);
        score
    }

    /// The score of a node with its captures tried. If there are captures and the game uses the table, it may come from
    /// there.
    fn known_or_tried(
        &mut self,
        node: &Node<'_, R::Position>,
        picker: &mut Picker,
        stand_pat: Option<Score>,
    ) -> Result<Score, Stopped> {
        if !R::TUNING.quiescence_table || self.moves.len(picker) == 0 {
            return self.try_captures(node, picker, stand_pat);
        }
        let key = self.table_key(node);
        let banked = self.banked(node.position);
        let known = self.table.probe(key);
        if let Some(score) = self.known_score(known, node, banked) {
            return Ok(score);
        }
        let before = self.path.begin_node();
        let score = self.try_captures(node, picker, stand_pat)?;
        let is_path_independent = self.path.end_node(before, node.ply);
        if known.is_none() {
            let best = Best { score, tag: MoveHash::NONE };
            self.store(key, node, &best, banked, is_path_independent);
        }
        Ok(score)
    }

    /// The best score of the captures, and of `stand_pat` if captures can be declined.
    fn try_captures(
        &mut self,
        node: &Node<'_, R::Position>,
        picker: &mut Picker,
        stand_pat: Option<Score>,
    ) -> Result<Score, Stopped> {
        let mut best = stand_pat.unwrap_or(-Score::INFINITY);
        let mut window = node.window;
        window.alpha = window.alpha.max(best);
        let depth = node.depth - if stand_pat.is_some() { 1 } else { self.forced_plies(picker) };
        while let Some(Picked { mv, score: gain, .. }) = self.moves.pick(picker) {
            if window.is_empty() {
                break;
            }
            let most = gain + self.tuning.captures.margin;
            if stand_pat.is_some_and(|stand_pat| stand_pat.plus(most) <= window.alpha) {
                break;
            }
            let child = self.rules.after(node.position, mv);
            if self.is_forbidden(&child) {
                continue;
            }
            best = best.max(self.search_child(node, &child, depth, window)?);
            if best > window.alpha {
                window.alpha = best;
                self.pv.extend(node.ply, mv);
            }
        }
        self.is_solved = false;
        Ok(if best == -Score::INFINITY { self.no_moves_score(node) } else { best })
    }

    /// Generates the captures of a node, ranked by their gain.
    fn generate_captures(&mut self, node: &Node<'_, R::Position>) -> Picker {
        let (rules, position) = (self.rules, node.position);
        let picker = self.moves.generate_ranked(
            |moves| {
                let _ = rules.visit_captures(position, |mv| {
                    moves.push(mv);
                    ControlFlow::Continue(())
                });
            },
            |mv| rules.gain(position, mv),
        );
        self.time.generated(self.moves.len(&picker));
        picker
    }

    /// The plies that a node of forced captures counts for: one for up to 3 captures, two for up to 15.
    ///
    /// More captures end quiescence search sooner.
    fn forced_plies(&self, picker: &Picker) -> i32 {
        1 + self.moves.len(picker).max(1).ilog2() as i32 / 2
    }
}
