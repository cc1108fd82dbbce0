//! `leap-train` makes the learned evaluations of leapd from games of the engine against itself (training/README.md).
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod adam;
mod chart;
mod examples;
mod figures;
mod fit;
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
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Gate(arguments) => gate::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
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

/// Calls a generic function for the game of its arguments. The game must have a learned evaluation.
macro_rules! with_learned {
    ($function:ident($arguments:ident)) => {
        leap_games::for_each_learned_game!(call_learned, $function $arguments)
    };
}

macro_rules! call_learned {
    (($function:ident $arguments:ident) $($id:ident $rules:ident;)*) => {
        match $arguments.game {
            $(leap_games::GameId::$rules => $function::<leap_games::$id::$rules>($arguments),)*
            other => anyhow::bail!(leapd::usage::Mistake::new(format!(
                "expected a game whose evaluation is learned, found {other}"
            ))),
        }
    };
}

pub(crate) use call_learned;
pub(crate) use with_learned;
