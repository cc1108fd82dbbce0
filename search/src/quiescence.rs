//! Quiescence search: captures are played out until the position is quiet.

use std::ops::ControlFlow;

use super::MAX_PLY;
use super::control::Stopped;
use super::node::{Node, Searched};
use super::order::{Picked, Picker};
use super::score::Score;
use super::table::MoveHash;
use super::worker::Worker;
use crate::Searchable;
use leap_core::RulesExt;

impl<R: Searchable> Worker<'_, R> {
    /// Searches the captures of a node, with stand pat. If every move is a capture, all are searched without stand pat.
    pub(super) fn quiesce(&mut self, node: Node<'_, R::Position>) -> Result<Searched, Stopped> {
        self.enter(node.ply)?;

        // Step 1. A limit of the rules ends the game.
        if let Some(score) = self.limit_score(&node) {
            return Ok(Searched::solved(score));
        }

        // Step 2. Tablebase.
        if let Some(score) = self.probe_tablebase(&node) {
            return Ok(Searched::solved(score));
        }

        // Step 3. Games without quiescence search evaluate the position, and so do lines that are too long.
        if !R::TUNING.quiescence || node.ply >= MAX_PLY {
            return Ok(if self.has_move(node.position) {
                Searched::estimate(self.evaluate(node.position))
            } else {
                Searched::solved(self.no_moves_score(&node))
            });
        }
        if node.depth <= -self.tuning.captures.plies && self.has_move(node.position) {
            return Ok(Searched::estimate(self.evaluate(node.position)));
        }

        // Step 4. Stand pat, where captures can be declined.
        let stand_pat = self.note_evaluation(&node);
        if let Some(stand_pat) = stand_pat
            && stand_pat >= node.window.beta
        {
            return Ok(Searched::estimate(stand_pat));
        }

        // Step 5. Generate the captures. Some games use the transposition table if there are any.
        let mut picker = self.generate_captures(&node);
        let uses_table = R::TUNING.quiescence_table && self.moves.len(&picker) > 0;
        let lookup = uses_table.then(|| self.look_up(&node));
        if let Some(found) = lookup.as_ref().and_then(|lookup| lookup.cutoff(&node)) {
            self.moves.release(&picker);
            return Ok(found);
        }

        // Step 6. Without a capture, stand pat is all.
        if let Some(stand_pat) = stand_pat
            && self.moves.len(&picker) == 0
        {
            return Ok(Searched::estimate(stand_pat));
        }

        // Step 7. Search the captures, the largest gain first.
        let parent_path = self.path.begin_node();
        let mut best = stand_pat.unwrap_or(-Score::INFINITY);
        let mut window = node.window;
        window.alpha = window.alpha.max(best);
        let depth = node.depth - if stand_pat.is_some() { 1 } else { self.forced_plies(&picker) };
        while let Some(Picked { mv, score: gain, .. }) = self.moves.pick(&mut picker) {
            if window.is_empty() {
                break;
            }

            // Step 8. Futility pruning: not even the gain of the capture lifts the score into the window.
            let most = gain + self.tuning.captures.margin;
            if stand_pat.is_some_and(|stand_pat| stand_pat.plus(most) <= window.alpha) {
                break;
            }

            // Step 9. Make the capture, unless repetition forbids it, and search the child.
            let position = self.rules.after(node.position, mv);
            if self.is_forbidden(&position) {
                continue;
            }
            let found = if let Some(repeated) = self.begin_child(&node, &position) {
                repeated
            } else {
                let found = self.quiesce(node.child(&position, depth, window))?;
                self.end_child();
                node.seen_from(&position, found)
            };
            best = best.max(found.score);
            if best > window.alpha {
                window.alpha = best;
                self.pv.extend(node.ply, mv);
            }
        }
        self.moves.release(&picker);

        // Step 10. Without a legal move the game is over.
        if best == -Score::INFINITY {
            best = self.no_moves_score(&node);
        }

        // Step 11. Store the result, unless the table knows the node.
        let found = Searched::estimate(best);
        let is_path_independent = self.path.end_node(parent_path, node.ply);
        if let Some(lookup) = lookup.filter(|lookup| lookup.is_new()) {
            self.store(&lookup, &node, found, MoveHash::NONE, is_path_independent);
        }
        Ok(found)
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
