//! The program `leap-tables`: exact values of Alquerque in files, proofs on top of them, and a check of the files.

mod make;
mod solve;
mod verify;

use std::io::stdout;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail, ensure};
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand};
use leap_tables::{CaptureRule, EndgameTablebase};
use leapd::io::{print, when_closed};
use leapd::usage::{self, one_of};

/// Exact values of Alquerque: tables of positions with few men, and proofs on top of them
#[derive(Parser)]
#[command(name = "leap-tables", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes files with the exact values of a game's endings, and prints how many positions are lost, drawn and won
    Make {
        /// The game
        #[arg(value_parser = game())]
        game: String,
        #[command(flatten)]
        wanted: make::Args,
    },
    /// Finds who wins a position, by proof search on tables, with a certificate; or checks or shows a certificate
    Solve {
        /// The game
        #[arg(value_parser = game(), required_unless_present_any = ["check", "show"], conflicts_with_all = ["check", "show"])]
        game: Option<String>,
        #[command(flatten)]
        wanted: solve::Args,
    },
    /// Checks tables against the definition of their values: every position of few men, and random ones of more
    Verify(verify::Args),
}

/// The games that have tables.
fn game() -> impl TypedValueParser<Value = String> {
    one_of(["alquerque"])
}

/// Reads the name of a capture rule.
fn rule(word: &str) -> Result<CaptureRule, String> {
    word.parse().map_err(|_| format!("expected optional or mandatory, found '{word}'"))
}

/// The tables in a directory.
fn opened(capture: CaptureRule, directory: &Path) -> Result<EndgameTablebase> {
    let mut tables = EndgameTablebase::new(capture);
    if let Some((name, error)) = tables.open(directory).into_iter().next() {
        bail!("{name} {error}");
    }
    ensure!(tables.men() > 0, "{} has no tables of {capture} capture", directory.display());
    Ok(tables)
}

/// Unpacks the tables with at most so many men into memory.
fn unpack(tables: &EndgameTablebase, men: u32) -> Result<()> {
    tables.unpack(men).map_err(|(name, error)| anyhow!("{name} {error}"))
}

fn main() -> ExitCode {
    usage::main(|Cli { command }| {
        // Work whose results nobody can read ends immediately.
        when_closed(|| std::process::exit(0))?;
        let mut print_line = |line| print(stdout(), [line]);
        match command {
            Command::Make { wanted, .. } => make::run(&wanted, &mut print_line),
            Command::Solve { wanted, .. } => solve::run(&wanted, &mut print_line),
            Command::Verify(wanted) => verify::run(&wanted, &mut print_line),
        }
    })
}
