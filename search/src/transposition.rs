//! A node's entry in the transposition table: its key, and what is stored and found there.

use super::MAX_PLY;
use super::node::{Best, Node, Worker};
use super::score::Score;
use super::table::{Bound, Entry};
use crate::Searchable;
use leap_core::{GameResult, Key, Position, Repetition, keys};

/// Separates scores by the number of plies to a limit of the rules, if a line can reach the limit.
const HORIZON_KEYS: [Key; MAX_PLY] = keys::table(0x1171);

/// Separates the scores of searches for a win.
const MATE_SEARCH_KEY: Key = keys::table::<1>(0x7409)[0];

/// Separates the scores of searches that do not ask the tables from the scores that came from tables.
const UNPROBED_KEY: Key = keys::table::<1>(0x740a)[0];

impl<R: Searchable> Worker<'_, R> {
    /// Stores the result of a node.
    pub(super) fn store(
        &self,
        key: Key,
        node: &Node<'_, R::Position>,
        best: &Best,
        banked: i32,
        is_path_independent: bool,
    ) {
        let bound = if best.score.is_decided() && !is_path_independent {
            // Won or lost only on this path (graph-history interaction): the table gets the move without the score.
            None
        } else if best.score >= node.window.beta {
            Some(Bound::Lower)
        } else if best.score > node.window.alpha {
            Some(Bound::Exact)
        } else {
            Some(Bound::Upper)
        };
        let score = best.score.plus_banked(-banked).to_table(node.ply);
        let evaluation = self.evaluations[node.ply].plus_banked(-banked).to_table(node.ply);
        let depth = if bound.is_none() { 0 } else { node.depth.max(0) as u8 };
        let is_solved = self.is_solved && is_path_independent;
        let entry = Entry { tag: best.tag, score, evaluation, depth, is_solved, bound };
        self.table.store(key, entry);
    }

    /// The score of a node from its table entry, if the entry decides the node. Not at PV nodes: a cutoff would
    /// truncate the line.
    pub(super) fn known_score(
        &mut self,
        entry: Option<Entry>,
        node: &Node<'_, R::Position>,
        banked: i32,
    ) -> Option<Score> {
        let entry = entry?;
        let is_deep = entry.is_solved || i32::from(entry.depth) >= node.depth;
        if !node.window.is_null() || !is_deep {
            return None;
        }
        let score = Score::from_table(entry.score, node.ply).plus_banked(banked);
        let is_known = match entry.bound? {
            Bound::Exact => true,
            Bound::Lower => score >= node.window.beta,
            Bound::Upper => score <= node.window.alpha,
        };
        self.is_solved = entry.is_solved;
        is_known.then_some(score)
    }

    /// The key under which a node's score is stored.
    ///
    /// Near a limit of the rules, a score holds only at the same distance from the limit. Where repetition matters, a
    /// score holds only after the same history.
    pub(super) fn table_key(&self, node: &Node<'_, R::Position>) -> Key {
        let position = node.position;
        let ply_limit = self.rules.ply_limit(position);
        let distance = ply_limit.and_then(|ply_limit| HORIZON_KEYS.get(ply_limit.plies as usize));
        let key = if self.is_mate_search {
            // A search for a win must not reuse reduced scores, and must not miss a win by repetition.
            let can_repetition_win = match self.rules.repetition() {
                Repetition::Ignored => false,
                Repetition::Ends(_) => self.rules.count(position) != GameResult::Draw,
                Repetition::Forbids(_) => true,
            };
            let history = if can_repetition_win { self.path.history_key(node.depth) } else { 0 };
            position.key() ^ MATE_SEARCH_KEY ^ history
        } else {
            self.rules.unrealised_key(position)
        };
        key ^ self.mode_key ^ self.path.closed_key() ^ distance.copied().unwrap_or(0)
    }

    /// Asks the tables no longer.
    pub(super) fn forget_tables(&mut self) {
        self.tables = None;
        self.mode_key ^= UNPROBED_KEY;
    }
}
