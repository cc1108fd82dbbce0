//! Long work, made into jobs for another thread: searches and perft counts.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use leap_protocol::{Bound as WireBound, ErrorReply, Go, Info, Reply, Score as WireScore, Wdl};

use super::game_engine::GameEngine;
use super::{Job, limits};
use crate::options::{Agent, Settings};
use leap_core::notation::Notation;
use leap_core::{Game, Position, perft};
use leap_search::{
    Bound, Control, Lag, Limits, Playable, Report, Request, TranspositionTable, Value,
    players::{self, Player},
};

/// Nodes of the search that considers a draw offer: a fixed number, so that the answer is reproducible.
const DRAW_NODES: u64 = 20_000;
/// Size of the table of that search.
const DRAW_TABLE_MIB: usize = 1;
/// The note after a search thread has panicked.
const FAULT: &str =
    "a search thread failed, the move is the best that is left; please report this game";

/// Whether the side to move accepts a draw: a search finds nothing better for it (SPEC 4.30).
pub(super) fn accepts_draw<R: Playable>(engine: &GameEngine<R>, settings: &Settings) -> bool {
    let (game, evaluator) = (&engine.game, engine.evaluator());
    let tables = settings.tables_of(game.rules());
    let Ok(table) = TranspositionTable::new(DRAW_TABLE_MIB) else { return false };
    let (limits, control) = (&Limits::nodes(DRAW_NODES), &Control::new());
    let tables = tables.as_deref();
    let request = Request { game, evaluator, limits, table: &table, tablebase: tables, control };
    let answer = R::search(request, &mut |_| {});
    match answer.score.value() {
        Value::Cp(cp) => cp <= 0,
        Value::Mate(moves) => moves < 0,
    }
}

/// The search that a `go` asks for.
pub(super) fn search<R: Playable>(
    engine: &GameEngine<R>,
    go: &Go,
    settings: &Settings,
    table: Arc<TranspositionTable>,
    lag: Arc<Lag>,
) -> Result<Job, ErrorReply> {
    let (game, side) = (engine.game.clone(), engine.game.current().side());
    let mut limits = limits::of(go, &game, settings)?;
    #[cfg(feature = "tune")]
    (limits.tuning = Some(engine.tuning));
    // Pondering hides how much of the clock the search has used.
    let clock = limits.clock.filter(|_| !limits.ponder);
    if let Some(clock) = clock {
        limits.move_overhead += lag.begin(side, clock);
    }
    let id = go.id.clone();
    let (show_wdl, name_ponder) = (settings.show_wdl, settings.ponder);
    let advice = thread_advice(settings);
    let (evaluator, tablebase) = (engine.evaluator().clone(), settings.tables_of(game.rules()));
    let search: Player<R> = match settings.agent {
        Agent::Search => R::search,
        Agent::Random => players::random,
        Agent::Greedy => players::greedy,
        Agent::Mcts => players::mcts,
    };
    Ok(Box::new(move |control, send| {
        let note = |text: String| Reply::Info(Info { id: id.clone(), ..Info::string(text) });
        if let Some(text) = advice {
            send(note(text));
        }
        let mut best_line = Info::default();
        table.new_search();
        let request = Request {
            game: &game,
            evaluator: &evaluator,
            limits: &limits,
            table: &table,
            tablebase: tablebase.as_deref(),
            control,
        };
        let answer = search(request, &mut |report| {
            let tbhits = tablebase.is_some().then_some(report.tbhits);
            let info = Info { tbhits, ..info(&game, &report, show_wdl) };
            if report.multipv == 1 && report.bound == Bound::Exact {
                best_line = info.clone();
            }
            send(Reply::Info(Info { id: id.clone(), ..info }));
        });
        let totals = totals(answer.nodes, control.elapsed());
        if let Some(clock) = clock {
            lag.end(side, clock, limits.time_planned(control.elapsed()));
        }
        if answer.faults > 0 {
            send(note(FAULT.to_owned()));
        }
        let Info { nodes, nps, time, .. } = totals;
        send(Reply::Info(Info { id: id.clone(), nodes, nps, time, ..best_line }));
        let line: Vec<R::Move> = answer.best.into_iter().chain(answer.ponder).collect();
        let mut texts = line_texts(&game, &line).into_iter();
        Reply::BestMove { mv: texts.next(), ponder: texts.next().filter(|_| name_ponder), id }
    }))
}

/// The note for more threads than processors.
fn thread_advice(settings: &Settings) -> Option<String> {
    let processors = thread::available_parallelism().ok()?.get();
    let threads = settings.threads;
    (settings.agent == Agent::Search && threads > processors).then(|| {
        format!("Threads is {threads}, of which only {processors} can run at once on this machine")
    })
}

fn info<R: Playable>(game: &Game<R>, report: &Report<R::Move>, show_wdl: bool) -> Info {
    let score = match report.score.value() {
        Value::Cp(cp) => WireScore::Cp(cp),
        Value::Mate(moves) => {
            let plies = report.score.plies_to_end().map_or(1, |plies| plies.max(1));
            WireScore::Mate(plies.cast_signed() * moves.signum())
        }
    };
    let bound = match report.bound {
        Bound::Exact => WireBound::Exact,
        Bound::Lower => WireBound::Lower,
        Bound::Upper => WireBound::Upper,
    };
    let [win, draw, loss] = R::CHANCES.wdl(report.score, report.is_solved).map(u32::from);
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.seldepth),
        multipv: u32::try_from(report.multipv).ok(),
        score: Some((score, bound)),
        wdl: show_wdl.then_some(Wdl { win, draw, loss }),
        hashfull: Some(report.hashfull),
        pv: line_texts(game, &report.pv),
        ..totals(report.nodes, report.time)
    }
}

/// What a search has taken so far.
fn totals(nodes: u64, time: Duration) -> Info {
    let (nps, time) = (per_second(nodes, time), millis(time));
    Info { nodes: Some(nodes), nps: Some(nps), time: Some(time), ..Info::default() }
}

/// The canonical texts of moves that are made one after the other.
fn line_texts<R: Notation>(game: &Game<R>, line: &[R::Move]) -> Vec<String> {
    let rules = game.rules();
    let mut position = *game.current();
    let text = |mv: &R::Move| {
        let text = rules.print_move(&position, *mv);
        rules.play_unchecked(&mut position, *mv);
        text
    };
    line.iter().map(text).collect()
}

pub(super) fn perft<R: Notation>(game: &Game<R>, depth: u32) -> Job {
    let rules = game.rules().clone();
    let position = *game.current();
    Box::new(move |control, send| {
        let mut nodes: u64 = 0;
        let total = perft::divide(&rules, &position, depth, &control.stop, |mv, count| {
            nodes = nodes.saturating_add(count);
            send(Reply::PerftMove { mv: rules.print_move(&position, mv), count });
        });
        let (nodes, stopped) = total.map_or((nodes, true), |total| (total, false));
        let time = control.elapsed();
        let nps = per_second(nodes, time);
        Reply::PerftTotal { depth, nodes, time: millis(time), nps, stopped }
    })
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A rate per second. A time below a millisecond is too short to measure and counts as one.
fn per_second(count: u64, time: Duration) -> u64 {
    let nanos = time.as_nanos().max(1_000_000);
    u64::try_from(u128::from(count) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}
