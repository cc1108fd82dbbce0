//! Counts the move sequences of a game: `cargo run --release --example perft eximo 4`.
#![allow(clippy::print_stdout, reason = "an example's output")]

use std::error::Error;
use std::time::Instant;

use leap_core::StopFlag;
use leap_core::perft::perft;
use leap_games::{IDS, games};
use leap_search::Playable;

/// Counts the move sequences of so many plies.
type Count = fn(u32) -> u64;

fn count<R: Playable>() -> Count {
    |plies| {
        let rules = R::default();
        perft(&rules, &rules.start(), plies, &StopFlag::default())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let named = words.next().unwrap_or_default();
    let plies: u32 = words.next().unwrap_or_default().parse()?;
    let (game, count) = IDS
        .into_iter()
        .zip(games!(count()))
        .find(|(id, _)| *id == named)
        .ok_or("expected a game")?;
    for plies in 1..=plies {
        let began = Instant::now();
        println!("{game} {plies}: {} in {:?}", count(plies), began.elapsed());
    }
    Ok(())
}
