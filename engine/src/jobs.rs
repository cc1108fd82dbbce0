//! Long work, made into jobs for another thread: searches and perft counts.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use leap_protocol::{Bound as WireBound, ErrorReply, Info, Reply, Score as WireScore, Wdl};

use super::{Job, SearchRequest, limits};
use crate::options::{Mover, Settings};
use leap_core::exact::Tablebase;
use leap_core::notation::Notation;
use leap_core::record::Record;
use leap_core::{Game, Position, perft};
use leap_games::Row;
use leap_search::players;
use leap_search::{Answer, Bound, Control, Limits, Report, Request, Table, Value};

/// Nodes of the search that considers a draw offer: a fixed number, so that the answer is reproducible.
const DRAW_NODES: u64 = 20_000;
/// The note after a search thread has panicked.
const FAULT: &str =
    "a search thread failed, the move is the best that is left; please report this game";
/// Size of the table of that search.
const DRAW_TABLE_MIB: usize = 1;

/// Whether the side to move accepts a draw: a search finds nothing better for it (SPEC 4.30).
pub(super) fn accepts_draw<G: Row>(record: &Record<G>, settings: &Settings) -> bool {
    let evaluator = &settings.eval_file.evaluator::<G>();
    let tables = settings.tables_of(record.game());
    let Ok(table) = Table::new(DRAW_TABLE_MIB) else { return false };
    let (limits, control) = (&Limits::nodes(DRAW_NODES), &Control::new());
    let tables = tables.as_deref();
    let request = Request { record, evaluator, limits, table: &table, tables, control };
    let answer = leap_search::search(request, &mut |_| {});
    match answer.score.value() {
        Value::Cp(cp) => cp <= 0,
        Value::Mate(moves) => moves < 0,
    }
}

pub(super) fn search<G: Row>(
    record: &Record<G>,
    request: SearchRequest<'_>,
) -> Result<Job, ErrorReply> {
    let SearchRequest { go, settings, table, lag } = request;
    let mut limits = limits::of(go, record, settings)?;
    let (record, side) = (record.clone(), record.current().side());
    // Pondering hides how much of the clock the search has used.
    let clock = limits.clock.filter(|_| !limits.ponder);
    if let Some(clock) = clock {
        limits.move_overhead += lag.begin(side, clock);
    }
    let id = go.id.clone();
    let (show_wdl, name_ponder) = (settings.show_wdl, settings.ponder);
    let advice = thread_advice(settings);
    let tables = settings.tables_of(record.game());
    let (choose, has_tables) = (chooser(settings, table, tables.clone()), tables.is_some());
    Ok(Box::new(move |control, send| {
        let note = |text: String| Reply::Info(Info { id: id.clone(), ..Info::string(text) });
        if let Some(text) = advice {
            send(note(text));
        }
        let mut best_line = Info::default();
        let answer = choose(&record, &limits, control, &mut |report| {
            let tbhits = has_tables.then_some(report.tbhits);
            let info = Info { tbhits, ..info(&record, &report, show_wdl) };
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
        let line: Vec<G::Move> = answer.best.into_iter().chain(answer.ponder).collect();
        let mut texts = line_texts(&record, &line).into_iter();
        Reply::BestMove { mv: texts.next(), ponder: texts.next().filter(|_| name_ponder), id }
    }))
}

/// The note for more threads than processors.
fn thread_advice(settings: &Settings) -> Option<String> {
    let processors = thread::available_parallelism().ok()?.get();
    let threads = settings.threads;
    (settings.mover == Mover::Search && threads > processors).then(|| {
        format!("Threads is {threads}, of which only {processors} can run at once on this machine")
    })
}

/// What answers a `go`: the search or a sparring player.
type Chooser<G> = Box<
    dyn FnOnce(
            &Record<G>,
            &Limits<<G as Game>::Move>,
            &Control,
            &mut dyn FnMut(Report<<G as Game>::Move>),
        ) -> Answer<<G as Game>::Move>
        + Send,
>;

fn chooser<G: Row>(
    settings: &Settings,
    table: Arc<Table>,
    tables: Option<Arc<dyn Tablebase<G>>>,
) -> Chooser<G> {
    let (seed, hash_mib) = (settings.seed, settings.hash_mib);
    let evaluator = settings.eval_file.evaluator::<G>();
    match settings.mover {
        Mover::Search => Box::new(move |record, limits, control, report| {
            table.new_search();
            let (evaluator, table, tables) = (&evaluator, &*table, tables.as_deref());
            let request = Request { record, evaluator, limits, table, tables, control };
            leap_search::search(request, report)
        }),
        Mover::Random => Box::new(move |record, limits, control, report| {
            players::random(record, limits, seed, control, report)
        }),
        Mover::Greedy => Box::new(move |record, limits, control, report| {
            players::greedy(record, limits, seed, control, report)
        }),
        Mover::Mcts => Box::new(move |record, limits, control, report| {
            players::mcts(record, limits, seed, hash_mib, control, report)
        }),
    }
}

fn info<G: Row>(record: &Record<G>, report: &Report<G::Move>, show_wdl: bool) -> Info {
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
    let [win, draw, loss] = G::CHANCES.wdl(report.score, report.is_solved).map(u32::from);
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.seldepth),
        multipv: u32::try_from(report.multipv).ok(),
        score: Some((score, bound)),
        wdl: show_wdl.then_some(Wdl { win, draw, loss }),
        hashfull: Some(report.hashfull),
        pv: line_texts(record, &report.pv),
        ..totals(report.nodes, report.time)
    }
}

/// What a search has taken so far.
fn totals(nodes: u64, time: Duration) -> Info {
    let (nps, time) = (per_second(nodes, time), millis(time));
    Info { nodes: Some(nodes), nps: Some(nps), time: Some(time), ..Info::default() }
}

/// The canonical texts of moves that are made one after the other.
fn line_texts<G: Notation>(record: &Record<G>, line: &[G::Move]) -> Vec<String> {
    let game = record.game();
    let mut position = *record.current();
    let text = |mv: &G::Move| {
        let text = game.move_text(&position, *mv);
        game.play(&mut position, *mv);
        text
    };
    line.iter().map(text).collect()
}

pub(super) fn perft<G: Notation>(record: &Record<G>, depth: u32) -> Job {
    let game = record.game().clone();
    let position = *record.current();
    Box::new(move |control, send| {
        let mut nodes: u64 = 0;
        let total = perft::divide(&game, &position, depth, &control.stop, |mv, count| {
            nodes = nodes.saturating_add(count);
            send(Reply::PerftMove { mv: game.move_text(&position, mv), count });
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
