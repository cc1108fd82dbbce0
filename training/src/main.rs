//! `leap-train` makes the learned evaluations of leapd from games of the engine against itself (training/README.md).
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod gate;

use std::process::ExitCode;

use clap::Parser;
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::sapos::Sapos;
use leap_games::tactica::Tactica;
use leap_train::{Trained, learned, played};

/// Makes the learned evaluations of leapd from games of the engine against itself
#[derive(Parser)]
#[command(version)]
enum Command {
    #[command(flatten)]
    Train(leap_train::Command),
    /// Plays the engine with new weights against itself without them, until a test is decided
    Gate(gate::Arguments),
}

static GAMES: [Trained; 5] = [
    learned::<Alquerque>(),
    learned::<Eximo>(),
    played::<Sapos>(),
    played::<Froglet>(),
    learned::<Tactica>(),
];

fn main() -> ExitCode {
    leap_train::main_of(&GAMES, |command| match command {
        Command::Train(command) => command.run(&GAMES),
        Command::Gate(arguments) => gate::gate(&arguments, &GAMES),
    })
}

#[cfg(test)]
mod tests {
    use leap_engine::{AnyGame, game};
    use leap_search::eval::weights::WeightsError;

    use super::GAMES;

    #[test]
    fn the_learned_games_are_those_that_read_weights() {
        let games: [AnyGame; 5] = leap_games::games!(game());
        assert_eq!(games.map(|game| game.id), GAMES.map(|game| game.id));
        for (game, trained) in games.iter().zip(&GAMES) {
            let is_by_hand = (game.engine)().read_weights(Some(b"")) == Err(WeightsError::ByHand);
            assert_eq!(trained.is_learned(), !is_by_hand, "{}", game.id);
        }
    }
}
