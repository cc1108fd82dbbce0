//! A node's entry in the transposition table: its key, and what is stored and found there.

use super::MAX_PLY;
use super::node::{Node, Searched};
use super::score::Score;
use super::table::{Bound, Entry, MoveHash, TranspositionTable};
use super::worker::Worker;
use crate::Searchable;
use leap_core::{GameResult, Key, Position, Repetition, keys};

/// Separates scores by the number of plies to a limit of the rules, if a line can reach the limit.
const PLY_LIMIT_KEYS: [Key; MAX_PLY] = keys::table(0x1171);

/// The evaluation in the entry of a node that was not evaluated. It is below every score.
const NO_EVALUATION: i16 = i16::MIN;

/// Separates the scores of searches for a win.
const MATE_SEARCH_KEY: Key = keys::table::<1>(0x7409)[0];

/// Separates the scores of searches without a tablebase from the scores of searches with one.
const UNPROBED_KEY: Key = keys::table::<1>(0x740a)[0];

/// What the transposition table knows about a node, and where its result will be stored.
pub(super) struct Lookup {
    key: Key,
    entry: Option<Entry>,
    /// The banked score of the node's side to move. The table has scores without it.
    banked: i32,
    /// Whether the node's evaluation is noted, so that it can be stored.
    is_evaluated: bool,
}

impl Lookup {
    /// The score of the node, if the entry decides the node. Not at PV nodes: a cutoff would truncate the line.
    pub(super) fn cutoff<P>(&self, node: &Node<'_, P>) -> Option<Searched> {
        let entry = self.entry?;
        let is_deep = entry.is_solved || i32::from(entry.depth) >= node.depth;
        if !node.window.is_null() || !is_deep {
            return None;
        }
        let score = Score::from_table(entry.score, node.ply).plus_banked(self.banked);
        let is_cutoff = match entry.bound? {
            Bound::Exact => true,
            Bound::Lower => score >= node.window.beta,
            Bound::Upper => score <= node.window.alpha,
        };
        is_cutoff.then_some(Searched { score, is_solved: entry.is_solved })
    }

    /// The static evaluation of the node, if it was stored.
    fn evaluation(&self) -> Option<Score> {
        let stored = self.entry?.evaluation;
        (stored != NO_EVALUATION).then(|| Score::evaluation(i32::from(stored) + self.banked))
    }

    /// The best move of the search that was stored.
    pub(super) fn best_move(&self) -> MoveHash {
        self.entry.map_or(MoveHash::NONE, |entry| entry.best_move)
    }

    /// Whether the table does not know the node.
    pub(super) const fn is_new(&self) -> bool {
        self.entry.is_none()
    }

    /// Reads the entry again.
    pub(super) fn refresh(&mut self, table: &TranspositionTable) {
        self.entry = table.probe(self.key);
    }
}

impl<R: Searchable> Worker<'_, R> {
    /// Looks a node up in the transposition table.
    pub(super) fn look_up(&self, node: &Node<'_, R::Position>) -> Lookup {
        let key = self.table_key(node);
        let (entry, banked) = (self.table.probe(key), self.banked(node.position));
        Lookup { key, entry, banked, is_evaluated: true }
    }

    /// Notes the static evaluation of a node, if it was stored or a later step reads it.
    pub(super) fn note_needed_evaluation(
        &mut self,
        node: &Node<'_, R::Position>,
        lookup: &mut Lookup,
    ) {
        if let Some(evaluation) = lookup.evaluation() {
            self.evaluations[node.ply] = evaluation;
        } else if self.needs_evaluation(node) {
            self.note_evaluation(node);
        } else {
            lookup.is_evaluated = false;
        }
    }

    /// Stores the result of a node.
    pub(super) fn store(
        &self,
        lookup: &Lookup,
        node: &Node<'_, R::Position>,
        found: Searched,
        best_move: MoveHash,
        is_path_independent: bool,
    ) {
        let bound = if found.score.is_decided() && !is_path_independent {
            // Graph history interaction: won or lost only on this path. The table gets the move without the score.
            None
        } else if found.score >= node.window.beta {
            Some(Bound::Lower)
        } else if found.score > node.window.alpha {
            Some(Bound::Exact)
        } else {
            Some(Bound::Upper)
        };
        let to_table = |score: Score| score.plus_banked(-lookup.banked).to_table(node.ply);
        let entry = Entry {
            best_move,
            score: to_table(found.score),
            evaluation: if lookup.is_evaluated {
                to_table(self.evaluations[node.ply])
            } else {
                NO_EVALUATION
            },
            depth: if bound.is_none() { 0 } else { node.depth.max(0) as u8 },
            is_solved: found.is_solved && is_path_independent,
            bound,
        };
        self.table.store(lookup.key, entry);
    }

    /// The key under which a node's score is stored.
    ///
    /// Near a limit of the rules, a score holds only at the same distance from the limit. Where repetition matters, a
    /// score holds only after the same history.
    fn table_key(&self, node: &Node<'_, R::Position>) -> Key {
        let position = node.position;
        let ply_limit = self.rules.ply_limit(position);
        let distance = ply_limit.and_then(|ply_limit| PLY_LIMIT_KEYS.get(ply_limit.plies as usize));
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

    /// Probes the tablebase no longer.
    pub(super) fn forget_tablebase(&mut self) {
        self.tablebase = None;
        self.mode_key ^= UNPROBED_KEY;
    }
}
