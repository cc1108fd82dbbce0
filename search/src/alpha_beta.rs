//! The search of all threads: the answer of the deepest one counts.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::busy::Busy;
use super::helpers::with_helpers;
use super::root::IterativeDeepening;
use super::strength;
use super::worker::Worker;
use crate::{
    Limits, Report, Request, SearchResult, Searchable, Shared, TimeManager, TranspositionTable,
};

/// The search of any game: iterative deepening of an alpha-beta search. Games have it as [`Searchable::search`].
pub fn alpha_beta<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> SearchResult<R::Move> {
    let Request { game, limits, control, .. } = request;
    if limits.strength < strength::FULL {
        let limits = &strength::weaken(game, limits);
        let own = TranspositionTable::new(strength::TABLE_MIB);
        let table = own.as_ref().unwrap_or(request.table);
        // A weak player knows no endings by heart.
        return alpha_beta(Request { limits, table, tablebase: None, ..request }, report);
    }
    let busy = (limits.threads > 1).then(Busy::new);
    let shared = Shared { busy, ..Shared::default() };
    let help = |index| run_helper(request, TimeManager::helper(control, &shared), index);
    let (own, helped) = with_helpers(limits.threads.saturating_sub(1), help, || {
        let worker = Worker::new(request, TimeManager::new(control, &shared, limits));
        let own = run(&mut IterativeDeepening::new(game, limits, worker, 1, &mut *report));
        shared.finished.raise();
        own
    });
    let (answer, line) = best_of(own, helped.into_iter(), limits);
    line.into_iter().for_each(report);
    answer
}

/// Runs a helper, which fills the shared table (lazy SMP).
///
/// Threads should not repeat each other's work. Every other helper starts an iteration ahead. Threads also try
/// different moves of a node first (`busy`).
fn run_helper<R: Searchable>(
    request: Request<'_, R>,
    time: TimeManager<'_>,
    index: usize,
) -> Found<R::Move> {
    let searchmoves = request.limits.searchmoves.clone();
    let limits = Limits { searchmoves, infinite: true, ..Limits::default() };
    let worker = Worker::new(request, time);
    let first_depth = 1 + (index % 2) as u32;
    let report = &mut |_| {};
    let mut search = IterativeDeepening::new(request.game, &limits, worker, first_depth, report);
    let answer = run(&mut search);
    (answer, search.best_line())
}

/// What a helper has found: its answer, and the line of that answer.
type Found<M> = (SearchResult<M>, Option<Report<M>>);

/// Runs one thread's search. If the search panics, its best move so far is kept.
fn run<R: Searchable>(search: &mut IterativeDeepening<'_, '_, R>) -> SearchResult<R::Move> {
    catch_unwind(AssertUnwindSafe(|| search.run()))
        .unwrap_or_else(|_| SearchResult { faults: 1, ..search.answer() })
}

/// Chooses the answer of the deepest search. Its line is returned if a helper found it.
///
/// The first worker has reported its own lines. Its answer stays if it has found the end of the game. The answer also
/// stays if the caller asked for a depth, for a win in n moves or for several lines.
fn best_of<M>(
    own: SearchResult<M>,
    helped: impl Iterator<Item = Found<M>>,
    limits: &Limits<M>,
) -> Found<M> {
    let is_final = own.faults == 0
        && (own.score.is_decided()
            || limits.depth.is_some()
            || limits.mate.is_some()
            || limits.multipv > 1);
    let nodes = own.nodes;
    helped.fold((own, None), |(best, best_line), (other, line)| {
        let faults = best.faults + other.faults;
        let is_deeper = other.depth > best.depth && !is_final;
        let (chosen, line) = if is_deeper { (other, line) } else { (best, best_line) };
        // The first worker has counted the nodes of all workers.
        let line = line.map(|line| Report { nodes, ..line });
        (SearchResult { faults, nodes, ..chosen }, line)
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Bound, Score};
    use leap_core::{GameResult, Side};

    #[test]
    fn the_deepest_threads_answer_counts_unless_the_first_was_asked_for_more_than_a_move() {
        let found = |best, depth, centipawns| -> Found<char> {
            let score = Score::evaluation(centipawns);
            let answer =
                SearchResult { best: Some(best), ponder: None, score, depth, nodes: 7, faults: 0 };
            let line = Report {
                depth,
                seldepth: depth,
                multipv: 1,
                score,
                bound: Bound::Exact,
                is_solved: false,
                nodes: 3,
                tbhits: 0,
                time: Duration::ZERO,
                hashfull: 0,
                pv: vec![best],
            };
            (answer, Some(line))
        };
        let chosen = |own: Found<char>, limits: &Limits<char>| {
            let helped = [found('b', 8, 20), found('c', 9, 30), found('d', 9, 40)];
            let (answer, line) = best_of(own.0, helped.into_iter(), limits);
            let line = line.map(|line| (line.pv[0], line.depth, line.nodes));
            (answer.best.unwrap(), answer.depth, line)
        };
        let any = Limits::default();
        assert_eq!(chosen(found('a', 8, 10), &any), ('c', 9, Some(('c', 9, 7))));
        assert_eq!(chosen(found('a', 9, 10), &any), ('a', 9, None), "has reported its line itself");
        for limits in [Limits::depth(8), Limits { multipv: 2, ..Limits::default() }] {
            assert_eq!(chosen(found('a', 8, 10), &limits), ('a', 8, None));
        }
        let mut won = found('a', 8, 10);
        won.0.score = Score::of_result(GameResult::Win(Side::One), Side::One, 3);
        assert_eq!(chosen(won, &any), ('a', 8, None));
    }
}
