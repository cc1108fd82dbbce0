//! The command line of `leap`.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use leap_base::terminal;
use leap_conformance::{check, compare, record, replay};
use leap_match::{merge, rate, sprt};

use crate::arguments::{self, Mistake};

/// Programs around UGI engines.
#[derive(Parser)]
#[command(name = "leap", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    Analyse(leap_analyse::AnalyseArgs),
    Bridge(leap_bridge::BridgeArgs),
    Check(check::CheckArgs),
    Compare(compare::CompareArgs),
    #[cfg(feature = "ui")]
    Gogui(leap_gogui::GoguiArgs),
    Match(Box<leap_match::MatchArgs>),
    Merge(merge::MergeArgs),
    Openbench(leap_openbench::OpenBenchArgs),
    #[cfg(feature = "ui")]
    Play(leap_play::PlayArgs),
    Rate(rate::RateArgs),
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Report(leap_report::ReportArgs),
    Sprt(sprt::SprtArgs),
    #[cfg(feature = "ui")]
    Web(leap_web::WebArgs),
    #[cfg(feature = "ui")]
    Xboard(leap_xboard::XboardArgs),
}

/// The exit status if the command could not be run.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command that this process was given. The exit status is 2 if it could not be run.
pub fn main() -> ExitCode {
    start_log();
    let words = named(env::args_os().collect());
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
    leap_client::kill_engines();
    done.unwrap_or_else(|error| {
        terminal::warn(format_args!("leap: {error:#}"));
        ExitCode::from(COULD_NOT_RUN)
    })
}

/// The command line of a program that may have been started under the name of another match runner.
fn named(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.first().is_some_and(|program| leap_openbench::is_named(Path::new(program))) {
        words.splice(1..1, ["openbench", "--"].map(OsString::from));
    }
    words
}

/// Log messages may contain text from an engine.
fn start_log() {
    let mut log = env_logger::builder();
    log.format(|out, record| {
        // These crates log what guests send, and guests send the secrets of their links.
        if record.target().starts_with("tungstenite") {
            return Ok(());
        }
        let (time, level, target) = (out.timestamp(), record.level(), record.target());
        let style = out.default_level_style(level);
        let text = terminal::visible(&record.args().to_string());
        writeln!(out, "[{time} {style}{level:<5}{style:#} {target}] {text}")
    });
    log.init();
}

fn run(command: Sub) -> anyhow::Result<ExitCode> {
    // Programs that do more at a signal replace this handler.
    leap_client::kill_engines_on_signals().context("cannot catch signals")?;
    match command {
        Sub::Analyse(args) => leap_analyse::run(args),
        Sub::Bridge(args) => leap_bridge::run(args),
        Sub::Check(args) => check::run(args),
        Sub::Compare(args) => compare::run(args),
        #[cfg(feature = "ui")]
        Sub::Gogui(args) => leap_gogui::run(args),
        Sub::Match(args) => leap_match::run(*args),
        Sub::Merge(args) => merge::run(args),
        Sub::Openbench(args) => leap_openbench::run(&args),
        #[cfg(feature = "ui")]
        Sub::Play(args) => leap_play::run(args),
        Sub::Rate(args) => rate::run(&args),
        Sub::Record(args) => record::run(args),
        Sub::Replay(args) => replay::run(args),
        Sub::Report(args) => leap_report::run(args),
        Sub::Sprt(args) => sprt::run(args),
        #[cfg(feature = "ui")]
        Sub::Web(args) => leap_web::run(args),
        #[cfg(feature = "ui")]
        Sub::Xboard(args) => leap_xboard::run(args),
    }
}
