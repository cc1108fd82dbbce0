//! Exact values in the search: tables answer for the positions that they know.

use std::collections::BTreeSet;

use super::node::Node;
use super::score::Score;
use super::worker::Worker;
use crate::{MAX_PLY, Searchable};
use leap_core::Game;
use leap_core::exact::{
    Exact, ProbedMove, Tablebase, Unlimited, Wdl, by_count, probe_move, probe_moves,
};
use leap_core::{Position, Rules};

impl<'a, R: Searchable> Worker<'a, R> {
    /// The tablebase to probe. A search for a win in n moves probes none, since a value has no moves.
    pub(super) fn probed_tablebase(&self) -> Option<&'a dyn Tablebase<R>> {
        self.tablebase.filter(|_| !self.is_mate_search)
    }

    /// The score of a node that the tablebase knows.
    pub(super) fn probe_tablebase(&mut self, node: &Node<'_, R::Position>) -> Option<Score> {
        let tablebase = self.probed_tablebase()?;
        if !tablebase.covers(node.position) {
            return None;
        }
        let exact = tablebase.probe(self.rules, node.position)?;
        self.time.probed();
        Some(match exact.outcome {
            Wdl::Draw => self.contempt.of_draw(node.position.side()),
            outcome => Score::of_exact(outcome, node.ply),
        })
    }
}

/// Goes on with a line as far as the tables know that one side makes progress. The line then shows how a value is
/// reached, not only that it is.
pub(super) fn extend_line<R: Rules>(
    game: &Game<R>,
    tables: &dyn Tablebase<R>,
    line: &mut Vec<R::Move>,
) {
    let mut game = game.clone();
    line.iter().for_each(|mv| game.push(*mv));
    while line.len() < MAX_PLY
        && game.outcome().is_none()
        && let Some((mv, exact)) = best_known(&game, tables)
        && exact.plies.is_some()
    {
        game.push(mv);
        line.push(mv);
    }
}

/// The best legal move, if the tables know all.
fn best_known<R: Rules>(game: &Game<R>, tables: &dyn Tablebase<R>) -> Option<(R::Move, Exact)> {
    let moves = game.legal_moves();
    let known = probe_moves(game, tables, &moves)?.into_iter().zip(moves);
    let best = known.max_by_key(|(known, _)| known.order());
    best.map(|(known, mv)| (mv, known.exact))
}

/// What the tables know about the moves of a root.
pub(super) struct ProbedRoot {
    /// The rank of each move, 0 for the worst, and its outcome. The search cannot exchange moves of different rank.
    ///
    /// Scores of the tables do not tell how far a win is, so that play by them alone could shuffle forever. The ranks
    /// make progress, and keep the count where it wins: see [`ProbedMove`].
    pub(super) moves: Vec<(usize, Option<Wdl>)>,
    /// Whether endless play is best for both sides. The tables then rank many moves alike. A search without them finds
    /// wins on the board, and moves after which the opponent may go wrong.
    pub(super) is_endless: bool,
}

impl ProbedRoot {
    /// `None` unless the tables know all moves, or one that wins.
    pub(super) fn new<R: Rules>(
        game: &Game<R>,
        tables: &dyn Tablebase<R>,
        moves: &[R::Move],
    ) -> Option<Self> {
        let Some(known) = probe_moves(game, tables, moves) else {
            return Self::near_a_limit(game, tables, moves)
                .or_else(|| Self::of_some(game, tables, moves));
        };
        let orders = known.iter().map(ProbedMove::order);
        let distinct: Vec<_> = orders.collect::<BTreeSet<_>>().into_iter().collect();
        let rank = |known: &ProbedMove| distinct.partition_point(|other| *other < known.order());
        let best = known.iter().max_by_key(|known| known.order())?;
        let moves = known.iter().map(|known| (rank(known), Some(known.exact.outcome)));
        Some(Self { moves: moves.collect(), is_endless: best.exact.plies.is_none() })
    }

    /// A side that wins by the count goes on to keep it where a limit of the rules hides the values. The values prove
    /// nothing there.
    fn near_a_limit<R: Rules>(
        game: &Game<R>,
        tables: &dyn Tablebase<R>,
        moves: &[R::Move],
    ) -> Option<Self> {
        let known = probe_moves(game, &Unlimited(tables), moves)?;
        let best = known.iter().max_by_key(|known| known.order())?;
        let wins_by_count = best.exact == Exact { outcome: Wdl::Win, plies: None };
        let keeps = |known: &ProbedMove| known.keeps_count == best.keeps_count;
        (wins_by_count && best.keeps_count > 0).then(|| Self {
            moves: known.iter().map(|known| (usize::from(keeps(known)), None)).collect(),
            is_endless: true,
        })
    }

    /// A move that is known to win comes first, even if others are unknown.
    fn of_some<R: Rules>(
        game: &Game<R>,
        tables: &dyn Tablebase<R>,
        moves: &[R::Move],
    ) -> Option<Self> {
        let own = tables.probe(game.rules(), game.current())?;
        if own.outcome != Wdl::Win {
            return None;
        }
        let by_count = by_count(game.rules(), game.current());
        let wins = |mv: &R::Move| {
            let exact = probe_move(game, tables, *mv)?;
            (exact.outcome == Wdl::Win).then(|| exact.preference(by_count))
        };
        let wins: Vec<Option<_>> = moves.iter().map(wins).collect();
        let distinct: Vec<_> = wins.iter().flatten().collect::<BTreeSet<_>>().into_iter().collect();
        let best = distinct.last()?;
        let rank = |win: &Option<_>| match win {
            Some(win) => (1 + distinct.partition_point(|other| *other < win), Some(Wdl::Win)),
            None => (0, None),
        };
        let moves = wins.iter().map(rank).collect();
        Some(Self { moves, is_endless: best.1 == 0 })
    }
}
