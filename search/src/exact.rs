//! Exact values in the search: tables answer for the positions that they know.

use std::collections::BTreeSet;

use super::node::{Node, Worker};
use super::score::Score;
use crate::{MAX_PLY, Searchable};
use leap_core::exact::{Exact, Tablebase, Wdl, by_count, value_of_move};
use leap_core::record::Record;
use leap_core::{Game, Position};

impl<'a, G: Searchable> Worker<'a, G> {
    /// The tables that may be asked. A search for a win in n moves asks none, since a value has no moves.
    pub(super) fn known_exactly(&self) -> Option<&'a dyn Tablebase<G>> {
        self.tables.filter(|_| !self.is_mate_search)
    }

    /// The score of a node that the tables know.
    pub(super) fn probe_tables(&mut self, node: &Node<'_, G::Position>) -> Option<Score> {
        let tables = self.known_exactly()?;
        if !tables.covers(node.position) {
            return None;
        }
        let exact = tables.probe(self.game, node.position)?;
        self.time.probed();
        self.is_solved = true;
        Some(match exact.outcome {
            Wdl::Draw => self.contempt.of_draw(node.position.side()),
            outcome => Score::of_exact(outcome, node.ply),
        })
    }
}

/// Goes on with a line as far as the tables know that one side makes progress. The line then shows how a value is
/// reached, not only that it is.
pub(super) fn extend_line<G: Game>(
    record: &Record<G>,
    tables: &dyn Tablebase<G>,
    line: &mut Vec<G::Move>,
) {
    let mut record = record.clone();
    line.iter().for_each(|mv| record.push(*mv));
    while line.len() < MAX_PLY
        && record.outcome().is_none()
        && let Some((mv, exact)) = best_known(&record, tables)
        && exact.plies.is_some()
    {
        record.push(mv);
        line.push(mv);
    }
}

/// The best legal move, if the tables know all.
fn best_known<G: Game>(record: &Record<G>, tables: &dyn Tablebase<G>) -> Option<(G::Move, Exact)> {
    let moves = record.legal_moves();
    let known = known_moves(record, tables, &moves)?.into_iter().zip(moves);
    let best = known.max_by_key(|((_, preference), _)| *preference);
    best.map(|((exact, _), mv)| (mv, exact))
}

/// What the tables know about the moves of a root.
pub(super) struct KnownRoot {
    /// The rank of each move, 0 for the worst, and its outcome. The search cannot exchange moves of different rank.
    ///
    /// Scores of the tables do not tell how far a win is, so that play by them alone could shuffle forever. The ranks
    /// make progress: see [`Exact::preference`].
    pub(super) moves: Vec<(usize, Wdl)>,
    /// Whether endless play is best for both sides. The tables then rank many moves alike. A search without them finds
    /// wins on the board, and moves after which the opponent may go wrong.
    pub(super) is_endless: bool,
}

impl KnownRoot {
    /// `None` unless the tables know all moves.
    pub(super) fn new<G: Game>(
        record: &Record<G>,
        tables: &dyn Tablebase<G>,
        moves: &[G::Move],
    ) -> Option<Self> {
        let known = known_moves(record, tables, moves)?;
        let preferences = known.iter().map(|(_, preference)| *preference);
        let distinct: Vec<_> = preferences.collect::<BTreeSet<_>>().into_iter().collect();
        let rank = |preference| distinct.partition_point(|other| *other < preference);
        let (best, _) = known.iter().max_by_key(|(_, preference)| *preference)?;
        let moves = known.iter().map(|(exact, preference)| (rank(*preference), exact.outcome));
        Some(Self { moves: moves.collect(), is_endless: best.plies.is_none() })
    }
}

/// How much a move is preferred. Of moves with the same value, one that goes on comes before one that ends the game.
type Preference = ((Wdl, i32), bool);

/// The values of moves and how much they are preferred, if the tables know all of them.
fn known_moves<G: Game>(
    record: &Record<G>,
    tables: &dyn Tablebase<G>,
    moves: &[G::Move],
) -> Option<Vec<(Exact, Preference)>> {
    let position = record.current();
    if !tables.covers(position) {
        return None;
    }
    let game = record.game();
    let by_count = by_count(game, position);
    let known = |mv: &G::Move| {
        let exact = value_of_move(record, tables, *mv)?;
        let gains = exact.plies.is_some();
        let goes_on = gains || record.outcome_after(&game.after(position, *mv)).is_none();
        Some((exact, (exact.preference(by_count), goes_on)))
    };
    moves.iter().map(known).collect()
}
