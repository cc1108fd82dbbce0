//! `leap report`: one page that shows a match, made from its events.
//!
//! The page is self-contained: it uses no network and no other file. Tables and diagrams work without scripts; a script
//! steps through the games. [`sheet`] has what it shares with the page of `leap analyse`.
//!
//! Positions come from the events. The events do not contain the layout of the board, nor positions within the opening.
//! An engine is asked for both; without an engine the page leaves them out.

mod chart;
mod charts;
mod figures;
mod games;
mod page;
mod positions;
mod replay;
pub mod sheet;
mod statistics;
mod times;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use leap_base::{files, terminal};
use leap_client::{EngineCommand, find_leapd};

use games::Match;
use page::Page;
use positions::RulesEngine;

/// Write a page that shows a match: standings, ratings, times, faults, and every game to step through.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 the page was written, 2 it could not be.")]
pub struct ReportArgs {
    /// The directory of the match.
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// The file to write; `report.html` in the directory of the match by default.
    #[arg(long, short, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// The engine that is asked for the board and for positions missing from the events, quoted as in a shell; leapd by
    /// default.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// Ask no engine.
    #[arg(long, conflicts_with = "engine")]
    pub no_engine: bool,
    /// The most games to step through; games with faults come first.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub replays: usize,
}

/// The default name of the page.
const PAGE: &str = "report.html";

/// Runs the command. The exit status is 0.
///
/// # Errors
/// If the events cannot be read or the page cannot be written; the exit status is then 2.
pub fn run(args: ReportArgs) -> anyhow::Result<ExitCode> {
    let what = if args.dir.exists() { "a file" } else { "none" };
    let dir = args.dir.display();
    ensure!(args.dir.is_dir(), "expected the directory of a match, found {what}: {dir}");
    let path = args.out.clone().unwrap_or_else(|| args.dir.join(PAGE));
    let cannot = || format!("cannot write {}", path.display());
    files::is_renewable(&path, sheet::MARK.as_bytes()).with_context(cannot)?;
    let mut found = Match::read(&args.dir, args.replays)?;
    let board = match rules_engine(&args, &found)? {
        Some(mut engine) => {
            engine.complete(&mut found.games);
            engine.board
        }
        None => Vec::new(),
    };
    let page = Page { found: &found, board }.render();
    files::renew(&path, page.as_bytes(), sheet::MARK.as_bytes()).with_context(cannot)?;
    terminal::show(format_args!("wrote {}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Starts the engine to ask. An engine named on the command line must answer; leapd is optional.
///
/// The referee named by the events is not started: the events may come from anywhere, and a command in them must not be
/// run.
fn rules_engine(args: &ReportArgs, found: &Match) -> anyhow::Result<Option<RulesEngine>> {
    if args.no_engine {
        return Ok(None);
    }
    let Some(named) = &args.engine else {
        let leapd = find_leapd().map(EngineCommand::new);
        return Ok(leapd
            .and_then(|leapd| RulesEngine::start(&leapd, &found.run.config))
            .inspect_err(|error| log::warn!("boards are drawn without leapd: {error:#}"))
            .ok());
    };
    let command = EngineCommand::from_text(named)?;
    RulesEngine::start(&command, &found.run.config).with_context(|| named.clone()).map(Some)
}
