//! `leap-train` makes learned evaluations from games of the engine against itself (training/README.md).
//!
//! A program for other games is a crate of its own that hands its list to [`main`]:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     leap_train::main(&[leap_train::learned::<leap_games::eximo::Eximo>()])
//! }
//! ```
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod adam;
mod chart;
mod examples;
mod figures;
mod fit;
mod games;
mod generate;
mod import;
mod loss;
mod network;
mod output;
mod pgn;
mod sample;
mod show;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use leap_search::Searchable;
use leap_search::eval::Evaluator;
use leapd::usage;

pub use games::{Trained, learned, named, played};

/// Makes learned evaluations from games of the engine against itself
#[derive(Parser)]
#[command(version)]
pub enum Command {
    /// Plays games of the engine against itself and keeps their positions
    Generate(generate::Arguments),
    /// Keeps the positions of games that other programs have played, such as OpenBench
    Import(import::Arguments),
    /// Fits the weights of a game to positions
    Fit(fit::Arguments),
    /// Prints the patterns that weigh most
    Show(show::Arguments),
}

impl Command {
    /// Runs the command for one of these games.
    ///
    /// # Errors
    /// What went wrong; a mistake on the command line if the game learns nothing.
    pub fn run(&self, games: &[Trained]) -> Result<()> {
        let game = |id| named(games, id);
        match self {
            Self::Generate(arguments) => (game(&arguments.game)?.generate)(arguments),
            Self::Import(arguments) => (game(&arguments.game)?.import)(arguments),
            Self::Fit(arguments) => (game(&arguments.game)?.learning()?.fit)(arguments),
            Self::Show(arguments) => (game(&arguments.game)?.learning()?.show)(arguments),
        }
    }
}

/// Runs the command of this process, for a program with these games. The exit status is 2 for a mistake on the command
/// line.
pub fn main(games: &[Trained]) -> ExitCode {
    main_of::<Command>(games, |command| command.run(games))
}

/// As [`main`], for a program with more commands.
pub fn main_of<C: Parser>(games: &[Trained], run: impl FnOnce(C) -> Result<()>) -> ExitCode {
    let command = usage::offer_games(C::command(), games.iter().map(|game| game.id));
    usage::main_of(command, run)
}

/// The contents of a file of weights.
fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The evaluator of a game, with the weights of a file.
fn evaluator<R: Searchable>(path: &Path) -> Result<R::Evaluator> {
    R::Evaluator::read(&read(path)?).with_context(|| path.display().to_string())
}
