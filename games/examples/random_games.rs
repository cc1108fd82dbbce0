//! Plays random games of Eximo and shows how they end: `cargo run --example random_games`.
#![allow(clippy::print_stdout, reason = "an example's output")]

use leap_core::{Game, SplitMix64};
use leap_games::eximo::Eximo;

fn main() {
    for seed in 0..5 {
        let mut random = SplitMix64::new(seed);
        let mut game = Game::start(Eximo::default());
        while let Some(mv) = random.choose(&game.legal_moves()) {
            game.push(mv);
        }
        println!("{} after {} plies", game.outcome().expect("no move is left"), game.moves().len());
    }
}
