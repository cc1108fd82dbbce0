//! Plays random games of Sapos to their end and shows how they end: `cargo run --example random_games`.
#![allow(clippy::print_stdout, reason = "an example's output")]

use std::ops::ControlFlow;

use leap_core::keys::SplitMix64;
use leap_core::notation::Notation;
use leap_core::record::Record;
use leap_core::{Game, GameResult, Position};
use leap_games::sapos::Sapos;

fn main() {
    let game = Sapos::default();
    for seed in 0..5 {
        let mut random = SplitMix64::new(seed);
        // The record knows the history, so repetition and the limits of the rules end a game.
        let mut record = Record::new(game.clone(), game.start());
        let outcome = loop {
            if let Some(outcome) = record.outcome() {
                break outcome;
            }
            // A uniform choice among the moves. Each move is visited once, and none is stored.
            let (mut chosen, mut seen) = (None, 0);
            let _ = game.visit_moves(record.current(), |mv| {
                seen += 1;
                if random.draw().is_multiple_of(seen) {
                    chosen = Some(mv);
                }
                ControlFlow::Continue(())
            });
            record.push(chosen.expect("a game that is not over has a move"));
        };
        let result = match outcome.result {
            GameResult::Win(side) => format!("won by player {}", side.number()),
            GameResult::Draw => "drawn".to_owned(),
        };
        let plies = record.current().counters().ply;
        println!(
            "{result} after {plies} plies ({}): {}",
            outcome.reason.code(),
            game.print_position(record.current())
        );
    }
}
