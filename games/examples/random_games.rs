//! Plays random games of Sapos to their end and shows how they end: `cargo run --example random_games`.
#![allow(clippy::print_stdout, reason = "an example's output")]

use std::ops::ControlFlow;

use leap_core::game::Game;
use leap_core::keys::SplitMix64;
use leap_core::notation::Notation;
use leap_core::{GameResult, Position, Rules};
use leap_games::sapos::Sapos;

fn main() {
    let rules = Sapos::default();
    for seed in 0..5 {
        let mut random = SplitMix64::new(seed);
        // The game knows its history, so repetition and the limits of the rules end a game.
        let mut game = Game::new(rules.clone(), rules.start());
        let outcome = loop {
            if let Some(outcome) = game.outcome() {
                break outcome;
            }
            // A uniform choice among the moves. Each move is visited once, and none is stored.
            let (mut chosen, mut seen) = (None, 0);
            let _ = rules.visit_moves(game.current(), |mv| {
                seen += 1;
                if random.draw().is_multiple_of(seen) {
                    chosen = Some(mv);
                }
                ControlFlow::Continue(())
            });
            game.push(chosen.expect("a game that is not over has a move"));
        };
        let result = match outcome.result {
            GameResult::Win(side) => format!("won by player {}", side.number()),
            GameResult::Draw => "drawn".to_owned(),
        };
        let plies = game.current().counters().ply;
        println!(
            "{result} after {plies} plies ({}): {}",
            outcome.reason.code(),
            rules.print_position(game.current())
        );
    }
}
