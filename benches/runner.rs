//! The overhead of a match runner: one exchange with an engine, and one ply. The runner knows only the queries of UGI.
//!
//! Run with `cargo bench --bench runner`. Compare with `leap match --game eximo --engine player=random --engine
//! player=random --each depth=1 --games 400`.

use std::time::Duration;

use divan::Bencher;
use divan::counter::ItemsCount;
use leap_client::{EngineCommand, PositionCommand, Session};
use leap_protocol::{Go, Query};

fn main() {
    divan::main();
}

const PATIENCE: Duration = Duration::from_secs(10);
/// Plies of a game that are played here: as many as any game of Eximo has.
const PLIES: usize = 40;

/// An engine that answers immediately.
fn engine() -> Session {
    let command = EngineCommand::new(env!("CARGO_BIN_EXE_leapd"));
    let command =
        ["--player", "random", "--game", "eximo"].iter().fold(command, |c, arg| c.arg(*arg));
    Session::start(&command, PATIENCE).unwrap()
}

/// `isready`, `readyok`: the floor of any exchange.
#[divan::bench]
fn exchange(bencher: Bencher) {
    let mut engine = engine();
    bencher.bench_local(|| engine.ready().unwrap());
}

/// Both engines are asked about the game before each move and get all of its moves anew, as cutegames does.
#[divan::bench]
fn polled(bencher: Bencher) {
    let mut engines = [engine(), engine()];
    let go = Go { depth: Some(1), ..Go::default() };
    bencher.counter(ItemsCount::new(PLIES)).bench_local(|| {
        let mut position = PositionCommand::new(None, &[]);
        for ply in 0..PLIES {
            for engine in &mut engines {
                engine.set_up(&position).unwrap();
                engine.ask(Query::GameOver).unwrap();
                engine.ask(Query::P1Turn).unwrap();
            }
            let answer = engines[ply % 2].go(&go, |_| {}).unwrap();
            position.push(&answer.mv.unwrap());
        }
    });
}
