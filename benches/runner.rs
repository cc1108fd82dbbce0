//! The overhead of a match runner: one exchange with an engine, and one ply. The runner knows only the queries of UGI.
//!
//! Run with `cargo bench --bench runner`. Compare with `leap match --game eximo --engine player=random --engine
//! player=random --each depth=1 --games 400`.

use std::process::Stdio;
use std::time::Duration;

use divan::Bencher;
use divan::counter::ItemsCount;
use leap_client::{Client, EngineCommand};
use leap_protocol::{Dialect, Go, Query};

fn main() {
    divan::main();
}

const PATIENCE: Duration = Duration::from_secs(10);
/// Plies of a game that are played here: as many as any game of Eximo has.
const PLIES: usize = 40;

/// An engine that answers immediately.
fn engine() -> Client {
    let command = EngineCommand::new(env!("CARGO_BIN_EXE_leapd"));
    let command =
        ["--player", "random", "--game", "eximo"].iter().fold(command, |c, arg| c.arg(*arg));
    let mut client = Client::start(&command, Stdio::null()).unwrap();
    client.greet(Dialect::Ugi, PATIENCE).unwrap();
    client
}

/// `isready`, `readyok`: the floor of any exchange.
#[divan::bench]
fn exchange(bencher: Bencher) {
    let mut client = engine();
    bencher.bench_local(|| client.ready(PATIENCE).unwrap());
}

/// Both engines are asked about the game before each move and get all of its moves anew, as cutegames does.
#[divan::bench]
fn polled(bencher: Bencher) {
    let mut engines = [engine(), engine()];
    let go = Go { depth: Some(1), ..Go::default() };
    bencher.counter(ItemsCount::new(PLIES)).bench_local(|| {
        let mut position = "position startpos moves".to_owned();
        for ply in 0..PLIES {
            let set_up = if ply == 0 { "position startpos" } else { &position };
            for engine in &mut engines {
                engine.send_line(set_up).unwrap();
                engine.ready(PATIENCE).unwrap();
                engine.ask(Query::GameOver, PATIENCE).unwrap();
                engine.ask(Query::P1Turn, PATIENCE).unwrap();
            }
            let answer = engines[ply % 2].go(go.clone(), PATIENCE, |_| {}).unwrap();
            position += " ";
            position += &answer.mv.unwrap();
        }
    });
}
