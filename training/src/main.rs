//! `leap-train`: the learned evaluations of leapd, made from games of the engine against itself (training/README.md).
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod adam;
mod chart;
mod examples;
mod fit;
mod generate;
mod loss;
mod network;
mod sample;
mod show;

use clap::Parser;

/// Makes the learned evaluations of leapd from games of the engine against itself
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Plays games of the engine against itself and keeps their positions
    Generate(generate::Arguments),
    /// Fits the weights of a game to positions
    Fit(fit::Arguments),
    /// Prints the patterns that weigh most
    Show(show::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
    }
}

/// Calls a generic function for a game whose evaluation is learned.
macro_rules! with_learned {
    ($game:expr, $function:ident($($argument:expr),*)) => {
        match $game {
            leapd::games::GameId::Alquerque => $function::<leapd::rules::alquerque::Alquerque>($($argument),*),
            leapd::games::GameId::Eximo => $function::<leapd::rules::eximo::Eximo>($($argument),*),
            leapd::games::GameId::Tactica => $function::<leapd::rules::tactica::Tactica>($($argument),*),
            other => anyhow::bail!("expected a game whose evaluation is learned, found {other}"),
        }
    };
}

pub(crate) use with_learned;
