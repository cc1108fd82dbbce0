//! The command line of `leap`.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::arguments::{self, Mistake};
#[cfg(feature = "gogui")]
use crate::gogui;
#[cfg(feature = "play")]
use crate::play;
#[cfg(feature = "web")]
use crate::web;
#[cfg(feature = "xboard")]
use crate::xboard;
use crate::{check, client, compare, record, replay, report, sprt, terminal, tournament};

/// Programs around UGI engines.
#[derive(Parser)]
#[command(name = "leap", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    Check(check::CheckArgs),
    Compare(compare::CompareArgs),
    #[cfg(feature = "gogui")]
    Gogui(gogui::GoguiArgs),
    Match(Box<tournament::MatchArgs>),
    Merge(tournament::merge::MergeArgs),
    #[cfg(feature = "play")]
    Play(play::PlayArgs),
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Report(report::ReportArgs),
    Sprt(sprt::SprtArgs),
    #[cfg(feature = "web")]
    Web(web::WebArgs),
    #[cfg(feature = "xboard")]
    Xboard(xboard::XboardArgs),
}

/// The exit status if the command could not be run.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command that this process was given. The exit status is 2 if it could not be run.
pub fn main() -> ExitCode {
    start_log();
    let words: Vec<OsString> = env::args_os().collect();
    let cli: Cli = match arguments::parse(&words) {
        Ok(cli) => cli,
        Err(Mistake::Slip(slip)) => {
            terminal::warn(format_args!("leap: {slip}"));
            return ExitCode::from(COULD_NOT_RUN);
        }
        Err(Mistake::Other(error)) if error.use_stderr() => {
            terminal::warn(error.render().to_string().trim_end());
            return ExitCode::from(COULD_NOT_RUN);
        }
        Err(Mistake::Other(help)) => help.exit(),
    };
    let done = run(cli.command);
    // Kills the remaining engines on every way out; if a signal ends us, it alone determines the exit status.
    client::kill_engines();
    done.unwrap_or_else(|error| {
        terminal::warn(format_args!("leap: {error:#}"));
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// Log messages may contain text from an engine.
fn start_log() {
    let mut log = env_logger::builder();
    log.format(|out, record| {
        let (time, level, target) = (out.timestamp(), record.level(), record.target());
        let style = out.default_level_style(level);
        let text = terminal::visible(&record.args().to_string());
        writeln!(out, "[{time} {style}{level:<5}{style:#} {target}] {text}")
    });
    log.init();
}

fn run(command: Sub) -> anyhow::Result<ExitCode> {
    // Programs that do more at a signal replace this handler.
    client::kill_engines_on_signals().context("cannot catch signals")?;
    match command {
        Sub::Check(args) => check::run(args),
        Sub::Compare(args) => compare::run(args),
        #[cfg(feature = "gogui")]
        Sub::Gogui(args) => gogui::run(args),
        Sub::Match(args) => tournament::run(*args),
        Sub::Merge(args) => tournament::merge::run(args),
        #[cfg(feature = "play")]
        Sub::Play(args) => play::run(args),
        Sub::Record(args) => record::run(args),
        Sub::Replay(args) => replay::run(args),
        Sub::Report(args) => report::run(args),
        Sub::Sprt(args) => sprt::run(args),
        #[cfg(feature = "web")]
        Sub::Web(args) => web::run(args),
        #[cfg(feature = "xboard")]
        Sub::Xboard(args) => xboard::run(args),
    }
}
