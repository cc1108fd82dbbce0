//! Counts the move sequences of a game: `cargo run --release --example perft eximo 4`.
#![allow(clippy::print_stdout, reason = "an example's output")]

use std::error::Error;
use std::time::Instant;

use leap_core::StopFlag;
use leap_core::notation::Notation;
use leap_core::perft::perft;
use leap_games::{GameId, for_each_game};

fn count<R: Notation + Default>(plies: u32) -> u64 {
    let rules = R::default();
    perft(&rules, &rules.start(), plies, &StopFlag::default())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let game: GameId = words.next().unwrap_or_default().parse()?;
    let plies: u32 = words.next().unwrap_or_default().parse()?;
    macro_rules! counts {
        ($($id:ident $rules:ident $title:literal;)*) => {
            match game { $(GameId::$rules => count::<leap_games::$id::$rules>,)* }
        };
    }
    let count = for_each_game!(counts);
    for plies in 1..=plies {
        let began = Instant::now();
        println!("{game} {plies}: {} in {:?}", count(plies), began.elapsed());
    }
    Ok(())
}
