//! `leap-train` makes the learned evaluations of leapd from games of the engine against itself (training/README.md).
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod adam;
mod chart;
mod examples;
mod figures;
mod fit;
mod games;
mod gate;
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

use games::{learned, played};

/// Makes the learned evaluations of leapd from games of the engine against itself
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Plays games of the engine against itself and keeps their positions
    Generate(generate::Arguments),
    /// Keeps the positions of games that other programs have played, such as OpenBench
    Import(import::Arguments),
    /// Fits the weights of a game to positions
    Fit(fit::Arguments),
    /// Plays the engine with new weights against itself without them, until a test is decided
    Gate(gate::Arguments),
    /// Prints the patterns that weigh most
    Show(show::Arguments),
}

fn main() -> ExitCode {
    usage::main(|command| match command {
        Command::Generate(arguments) => (played(&arguments.game)?.generate)(&arguments),
        Command::Import(arguments) => (played(&arguments.game)?.import)(&arguments),
        Command::Fit(arguments) => (learned(&arguments.game)?.fit)(&arguments),
        Command::Gate(arguments) => (learned(&arguments.game)?.gate)(&arguments),
        Command::Show(arguments) => (learned(&arguments.game)?.show)(&arguments),
    })
}

/// The contents of a file of weights.
fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The evaluator of a game, with the weights of a file.
fn evaluator<R: Searchable>(path: &Path) -> Result<R::Evaluator> {
    R::Evaluator::read(&read(path)?).with_context(|| path.display().to_string())
}
