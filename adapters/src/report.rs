//! `leap report`: one page that shows a match, made from its events alone.
//!
//! The page needs nothing but itself: no network, no other file. Tables and diagrams are there without scripts; a script
//! steps through the games. Positions come from the events; what they do not hold (the lines of the board, positions
//! within the opening) is asked of an engine, and left out if there is none.

mod chart;
mod charts;
mod figures;
mod games;
mod page;
mod positions;
mod replay;
mod statistics;
mod times;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::client::{EngineCommand, find_leapd};
use crate::{files, terminal};
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
    /// Where the page goes; `report.html` in the directory of the match by default.
    #[arg(long, short, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// The engine that is asked for the board and for positions that the events lack, quoted as in a shell; leapd by
    /// default.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// Ask no engine.
    #[arg(long, conflicts_with = "engine")]
    pub no_engine: bool,
    /// How many games can be stepped through, at most; games with faults come first.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub replays: usize,
}

/// The page's name in the directory of a match.
const PAGE: &str = "report.html";

/// Runs the command. The status is 0.
///
/// # Errors
/// The events cannot be read or the page cannot be written; the status is then to be 2.
pub fn run(args: ReportArgs) -> anyhow::Result<ExitCode> {
    let mut found = Match::read(&args.dir, args.replays)?;
    let board = match rules_engine(&args, &found)? {
        Some(mut engine) => {
            engine.complete(&mut found.games);
            Some(engine.board)
        }
        None => None,
    };
    let page = Page { found: &found, board: board.as_ref() }.render();
    let path = args.out.unwrap_or_else(|| args.dir.join(PAGE));
    files::replace(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    terminal::show(format_args!("wrote {}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The engine that is asked. An engine that was named must answer; the page can do without leapd.
///
/// The referee that the events name is not started: a page may be made of events that come from anywhere, and what
/// stands there is not ours to run.
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
    let words = shlex::split(named).unwrap_or_default();
    let command = EngineCommand::from_words(&words)
        .with_context(|| format!("expected a command, found '{named}'"))?;
    RulesEngine::start(&command, &found.run.config).with_context(|| named.clone()).map(Some)
}
