//! The `leap` command.

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use leap_adapters::{check, compare, gogui, play, record, replay, report, tournament, web, xboard};

/// Programs around UGI engines.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    Check(check::Args),
    Compare(compare::Args),
    Gogui(gogui::Args),
    Match(Box<tournament::Args>),
    Merge(tournament::merge::Args),
    Play(play::Args),
    Record(record::Args),
    Replay(replay::Args),
    Report(report::Args),
    Web(web::Args),
    Xboard(xboard::Args),
}

/// The command could not be run.
const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    env_logger::init();
    let done = match Cli::parse().command {
        Sub::Check(args) => check::run(args),
        Sub::Compare(args) => compare::run(args),
        Sub::Gogui(args) => gogui::run(args),
        Sub::Match(args) => tournament::run(*args),
        Sub::Merge(args) => tournament::merge::run(args),
        Sub::Play(args) => play::run(args),
        Sub::Record(args) => record::run(args),
        Sub::Replay(args) => replay::run(args),
        Sub::Report(args) => report::run(args),
        Sub::Web(args) => web::run(args),
        Sub::Xboard(args) => xboard::run(args),
    };
    done.unwrap_or_else(|error| {
        // Where standard error is closed as well, the status is all that is left.
        let _ = writeln!(std::io::stderr(), "leap: {error:#}");
        ExitCode::from(COULD_NOT_RUN)
    })
}
