//! `leap check`: a compliance suite for UGI engines, grouped by level, that follows the clauses of SPEC.md.
//!
//! Every step starts a fresh engine process, so that one step cannot affect another. A step that needs an extension is
//! skipped if the engine does not announce it. A plain UGI engine can pass the levels from *process* to *limits*.

mod context;
mod engine;
mod extensions;
mod handshake;
mod limits;
mod machine;
mod outcome;
mod play;
mod positions;
mod process;
mod report;
mod robustness;
mod rules;
mod script;
mod session;
mod step;
mod suite;
mod ugi;
mod write;

use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use leap_base::terminal::{self, Progress};
use leap_client::{ClientError, EngineCommand, EngineInfo};

use crate::output;
use context::Context;
use report::{Counts, StepReport, StepStatus};
pub use rules::RulesArgs;
pub use step::Level;
use step::{Scope, Step};
use suite::Selection;

/// Check an engine against the specification of its protocol.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 all passed, 1 something failed, 2 could not run.")]
pub struct CheckArgs {
    /// Run these levels only. The level *ugi* runs only if it is named: UGI 1.0 to the letter.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub level: Vec<Level>,
    /// Run steps of these games only.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub game: Vec<String>,
    /// Run only steps whose title (level, clause, name) contains this; may be given several times.
    #[arg(long, value_name = "TEXT")]
    pub filter: Vec<String>,
    /// The rules that are checked.
    #[command(flatten)]
    pub rules: RulesArgs,
    /// Instead of checking the engine, trust it: write positions of its games as a file for --positions. A file that
    /// ends in .ugt becomes a script of one game, for --script.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "json", "junit", "level", "filter", "positions", "script"])]
    pub write: Option<PathBuf>,
    /// With --write, an option that is set before; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", requires = "write", value_parser = option)]
    pub option: Vec<(String, String)>,
    /// List the steps and what they need, without running anything.
    #[arg(long)]
    pub list: bool,
    /// Time for each reply that needs no thinking, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// Extra time that a search may take beyond its limit, in milliseconds: for slow machines, not for slow engines.
    #[arg(long, value_name = "MS", default_value_t = 250)]
    pub margin: u64,
    /// Show steps that pass or are skipped too.
    #[arg(long, short)]
    pub verbose: bool,
    /// Write all results as JSON; if PATH is `-`, to standard output in place of everything else.
    #[arg(long, value_name = "PATH")]
    pub json: Option<PathBuf>,
    /// Write all results as JUnit XML; if PATH is `-`, to standard output in place of everything else.
    #[arg(long, value_name = "PATH", conflicts_with = "list")]
    pub junit: Option<PathBuf>,
    /// Pass the engine's standard error through to ours.
    #[arg(long)]
    pub show_stderr: bool,
    /// The engine and its arguments; our options come before it.
    #[arg(
        value_name = "ENGINE",
        required_unless_present = "list",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub engine: Vec<String>,
}

/// A step has failed.
const FAILED: u8 = 1;
/// The suite could not be run.
const COULD_NOT_RUN: u8 = 2;

/// Runs the command. The status is 0 if all steps passed, 1 if one failed, 2 if the engine could not be started or no
/// step was chosen.
///
/// # Errors
/// If the engine cannot be started, no step was chosen, or a report cannot be written; the exit status is then 2.
pub fn run(args: CheckArgs) -> anyhow::Result<ExitCode> {
    let mut selection = Selection {
        levels: args.level.clone(),
        games: args.game.clone(),
        filters: args.filter.clone(),
    };
    if args.list {
        return list(&steps(&selection, &args.rules)?);
    }
    if let Some(path) = &args.write {
        output::may_write(path, write::mark(path))?;
    }
    may_write_reports(&args)?;
    let engine = EngineCommand::from_words(&args.engine)?;
    let patience = Duration::from_millis(args.timeout);
    let greeting = context::greet(&engine, args.show_stderr, patience)?;
    let (info, unanswered) = match greeting {
        Ok(info) => (info, None),
        Err(error) => (EngineInfo::default(), Some(error)),
    };
    for game in &mut selection.games {
        *game = info.game(game).context("--game")?;
    }
    let ctx = Context {
        engine: &engine,
        show_stderr: args.show_stderr,
        info: &info,
        greeted: unanswered.is_none(),
        patience,
        margin: Duration::from_millis(args.margin),
        game: None,
        log: RefCell::default(),
    };
    if let Some(path) = &args.write {
        unanswered.map_or(Ok(()), Err)?;
        let text = write::text(path, &ctx, &selection.games, &args.option)?;
        output::write(path, &text, write::mark(path))?;
        return Ok(ExitCode::SUCCESS);
    }
    let steps = steps(&selection, &args.rules)?;
    let quiet = [&args.json, &args.junit].into_iter().flatten().any(|path| output::is_stdout(path));
    let show = |report: &StepReport| {
        if !quiet && (args.verbose || report.failed()) {
            // If printing fails, the exit status still counts.
            let _ = terminal::show(report.text());
        }
    };
    let total = suite::count(&steps, &selection, &ctx);
    let progress = Progress::new("steps", Some(total), 0, false);
    let reports = suite::run(&steps, &selection, &ctx, &progress, show);
    progress.finish();
    if !quiet {
        conclude(&args, unanswered.as_ref().map_or(Ok(&info), Err), &reports)?;
    }
    write_reports(&args, &info, &reports)?;
    Ok(status(&reports))
}

fn option(text: &str) -> Result<(String, String), String> {
    let option = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = option.ok_or_else(|| format!("expected NAME=VALUE, found {text}"))?;
    Ok((name.to_owned(), value.to_owned()))
}

fn steps(selection: &Selection, files: &RulesArgs) -> anyhow::Result<Vec<Step>> {
    let steps = suite::steps(selection, files)?;
    ensure!(!steps.is_empty(), "no step is of this level, game and filter; --list shows all steps");
    Ok(steps)
}

fn status(reports: &[StepReport]) -> ExitCode {
    let counts = Counts::of(reports);
    match counts {
        Counts { failed: 1.., .. } => ExitCode::from(FAILED),
        // No chosen step applies to this engine.
        Counts { passed: 0, .. } => ExitCode::from(COULD_NOT_RUN),
        _ => ExitCode::SUCCESS,
    }
}

fn list(steps: &[Step]) -> anyhow::Result<ExitCode> {
    let mut lines = String::new();
    for step in steps {
        let game = match &step.scope {
            Scope::Once => String::new(),
            Scope::EachGame => " [each game]".to_owned(),
            Scope::Game(game) => format!(" [{game}]"),
        };
        let needs = match step.needs.as_slice() {
            [] => String::new(),
            needs => format!(" (needs {})", needs.join(", ")),
        };
        lines += &format!("{} {step}{game}{needs}\n", step.level);
    }
    terminal::show(lines)?;
    Ok(ExitCode::SUCCESS)
}

fn conclude(
    args: &CheckArgs,
    greeting: Result<&EngineInfo, &ClientError>,
    reports: &[StepReport],
) -> io::Result<()> {
    let mut text = match greeting {
        Ok(EngineInfo { name, protocol: Some(protocol), .. }) => format!("{name} ({protocol})\n"),
        Ok(EngineInfo { name, .. }) => format!("{name} (plain UGI)\n"),
        Err(error) => format!("'{}': {error}\n", args.engine.join(" ")),
    };
    text += &format!("{}\n", report::table(reports));
    let mut head = "failed:\n";
    for report in reports {
        let StepStatus::Failed { expected, .. } = &report.verdict else { continue };
        text += &format!("{head}  {}: expected {expected}\n", report.title());
        head = "";
    }
    terminal::show(text).map(drop)
}

/// Fails if a report cannot be written: nobody should wait for results that go nowhere.
fn may_write_reports(args: &CheckArgs) -> anyhow::Result<()> {
    ensure!(
        args.json.is_none() || args.json != args.junit,
        "expected a file for --json and another one for --junit, found one for both"
    );
    let files = [(&args.json, report::JSON_MARK), (&args.junit, report::JUNIT_MARK)];
    for (path, mark) in files {
        path.as_ref().map_or(Ok(()), |path| output::may_write(path, mark))?;
    }
    Ok(())
}

fn write_reports(
    args: &CheckArgs,
    info: &EngineInfo,
    reports: &[StepReport],
) -> anyhow::Result<()> {
    let engine = args.engine.join(" ");
    let name = if info.name.is_empty() { &engine } else { &info.name };
    if let Some(path) = &args.json {
        output::write(path, &(report::json(name, reports)? + "\n"), report::JSON_MARK)?;
    }
    if let Some(path) = &args.junit {
        output::write(path, &(report::junit(name, reports)? + "\n"), report::JUNIT_MARK)?;
    }
    Ok(())
}
