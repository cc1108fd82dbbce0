//! `query next` where moves are beyond counting: the whole answer, from text to text, without the pipe.
//!
//! Run with `cargo bench --bench next`.

use divan::Bencher;
use leap_engine::Engines;
use leap_protocol::Query;
use leap_protocol::command::Start;

fn main() {
    divan::main();
}

/// Holes on every second square of every second rank, and frogs on all other squares. The 36 holes are a lattice, and
/// each of its edges is a frog to hop over. One frog stands on the lattice.
fn froglet() -> String {
    let full = "GYRBGYRBGYRB";
    let holes = "1G1Y1R1B1G1Y";
    let middle = "1G1Y1RBB1G1Y";
    let ranks = (0..12).map(|rank| match rank {
        5 => middle,
        rank if rank % 2 == 1 => holes,
        _ => full,
    });
    format!("{} 1 0-0 0 30", ranks.collect::<Vec<_>>().join("/"))
}

/// A crowded board where a frog may go round in circles, landing on the same points again and again.
const SAPOS: &str =
    "2m1M1M1/1M1m1m1M/M1m1mMm1/1m1M1MMM/M1m1M1m1/1m1M1m1M/m1m1m1M1/1M1m1m2 1 1 0 30";

fn engines(game: &str, position: &str) -> Engines {
    let mut engines = Engines::new(leapd::GAMES);
    engines.set("Game", Some(game)).unwrap();
    engines.engine_mut().set_up(&Start::Fen(position.to_owned()), &[]).unwrap();
    engines
}

/// The text of a move that is entered as long as it goes on, for at most this many steps.
fn entered(engines: &Engines, steps: usize) -> String {
    let mut text = String::new();
    for _ in 0..steps {
        let replies = engines.answer(&Query::Next(Some(text.clone()))).unwrap();
        let body = replies[0].to_string();
        let squares = body.split(' ').skip(1).filter(|token| *token != "end");
        let Some(step) = squares.last() else { break };
        text.push_str(step);
    }
    text
}

fn bench(bencher: Bencher<'_, '_>, game: &str, position: &str, steps: usize) {
    let engines = engines(game, position);
    let partial = entered(&engines, steps);
    let query = Query::Next((!partial.is_empty()).then_some(partial));
    bencher.bench_local(|| engines.answer(&query));
}

#[divan::bench(args = [0, 1, 20, 100])]
fn froglet_steps(bencher: Bencher<'_, '_>, steps: usize) {
    bench(bencher, "froglet", &froglet(), steps);
}

#[divan::bench(args = [0, 1, 20, 100])]
fn sapos_steps(bencher: Bencher<'_, '_>, steps: usize) {
    bench(bencher, "sapos", SAPOS, steps);
}
