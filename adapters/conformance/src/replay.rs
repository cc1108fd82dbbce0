//! `leap replay`: plays the client's side of a transcript and checks that the engine repeats its own (SPEC 16.15 to
//! 16.20).

mod changes;
mod outcome;
mod questions;
mod referee;
mod report;
mod session;
mod uncompared;
mod update;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::ValueEnum;
use leap_base::files;
use leap_client::{ClientError, EngineCommand, Session};
use leap_transcript::Transcript;
use walkdir::WalkDir;

use outcome::{ReplayOutcome, Setup};
use report::{FileResult, Reporter};
use uncompared::Uncompared;

use crate::output;

/// The extension of transcripts.
pub(crate) const UGT: &str = "ugt";

/// The longest transcript that is accepted.
const MAX_BYTES: u64 = 64 << 20;

/// Play the client's side of transcripts and check that the engine answers as recorded.
///
/// Every transcript gets its own engine process. Nothing depends on how long the engine takes. What was not compared is
/// said at the end. The exit status is 0 if all transcripts were repeated, 1 if one was not, 2 if one could not be run.
/// A transcript that expects an illegal move is not run to its end.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// Transcripts, `.ugt`, or directories of them
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,
    /// Rewrite transcripts that differ with what the engine answered, and show what changes. A question without an
    /// answer gets one. The engine must greet, and what it writes must be answers: otherwise the file stays
    #[arg(long)]
    pub update: bool,
    /// Try another engine than the one that made the transcripts: lines that are up to the engine are not compared
    #[arg(long)]
    pub unpinned: bool,
    /// Seconds without an expected line after which an engine counts as hung. The time allowed by a `go` is added
    #[arg(long, default_value = "10", value_parser = seconds, value_name = "SECONDS")]
    pub timeout: Duration,
    /// Transcripts to replay at the same time; by default as many as there are processors
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Write all results as JUnit XML; if PATH is `-`, to standard output in place of everything else
    #[arg(long, value_name = "PATH")]
    pub junit: Option<PathBuf>,
    /// An engine, with its arguments, that decides which moves are legal; by default a second process of the engine
    /// itself
    #[arg(long, value_name = "COMMAND")]
    pub referee: Option<String>,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "ENGINE")]
    pub engine: Vec<String>,
}

/// The format of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// Test Anything Protocol, version 14.
    Tap,
    /// JUnit's XML.
    Junit,
}

/// Replays the transcripts and prints the results.
///
/// # Errors
/// If the arguments make no sense, or the results cannot be printed.
pub fn run(args: ReplayArgs) -> anyhow::Result<ExitCode> {
    args.junit.as_deref().map_or(Ok(()), |path| output::may_write(path, report::JUNIT_MARK))?;
    let setup = setup(&args)?;
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let files = transcripts(&args.files)?;
    let mut report = Reporter::new(args.format, args.junit, files.len());
    let add = |mut result: FileResult| {
        report.changes(&result)?;
        result.write();
        report.add(result)
    };
    for_each(&files, jobs, |file| timed(file, &setup), add)?;
    Ok(ExitCode::from(report.finish()?))
}

/// The transcripts to replay. A directory stands for all transcripts in and below it, in the order of their names.
fn transcripts(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let cannot = || format!("cannot read {}", path.display());
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry.with_context(cannot)?;
            if entry.file_type().is_file() && entry.path().extension().is_some_and(|end| end == UGT)
            {
                files.push(entry.into_path());
            }
        }
        ensure!(
            files.len() > before,
            "{}: expected transcripts, .{UGT}, found none",
            path.display()
        );
    }
    Ok(files)
}

fn setup(args: &ReplayArgs) -> anyhow::Result<Setup> {
    let engine = EngineCommand::from_words(&args.engine)?;
    if args.update {
        // An engine of the other dialect has greeted too.
        match Session::start(&engine, args.timeout) {
            Ok(_) | Err(ClientError::Greeting { speaks: Some(_), .. }) => {}
            Err(error) => {
                return Err(error).context("--update: expected an engine that greets");
            }
        }
    }
    let referee = args.referee.as_deref().map(EngineCommand::from_text);
    Ok(Setup {
        referee: referee.transpose().context("--referee")?.unwrap_or_else(|| engine.clone()),
        engine,
        timeout: args.timeout,
        unpinned: args.unpinned,
        update: args.update,
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // Deadlines are sums: a day keeps them within the range of `Instant`.
    let day = Duration::from_secs(86_400);
    let in_range = seconds.filter(|seconds| !seconds.is_zero() && *seconds <= day);
    in_range.ok_or_else(|| "expected seconds above 0, up to 86400".to_owned())
}

/// Calls `work` for every item on several threads, and passes the results to `done` in the order of the items.
fn for_each<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(R) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, results) = crossbeam_channel::unbounded();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (next, work, sender) = (&next, &work, sender.clone());
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = std::collections::BTreeMap::new();
        let mut due = 0;
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                done(result)?;
                due += 1;
            }
        }
        Ok(())
    })
}

fn timed(file: &Path, setup: &Setup) -> FileResult {
    let began = Instant::now();
    let (source, outcome) = match replay_file(file, setup) {
        Ok((source, outcome)) => (source, Ok(outcome)),
        Err(error) => (Transcript::default(), Err(format!("{error:#}"))),
    };
    let uncompared = match &outcome {
        Ok(ReplayOutcome::Equal) => Uncompared::of(&source, setup.takes_for_pinned(&source)),
        Ok(ReplayOutcome::Updated(new)) => Uncompared::of(new, setup.takes_for_pinned(new)),
        _ => Uncompared::default(),
    };
    FileResult { file: file.to_owned(), source, outcome, uncompared, took: began.elapsed() }
}

fn replay_file(file: &Path, setup: &Setup) -> anyhow::Result<(Transcript, ReplayOutcome)> {
    let bytes = files::read(file, MAX_BYTES).context("cannot read the transcript")?;
    ensure!(!bytes.starts_with(b"["), "expected a transcript, found what looks like a game record");
    let transcript = Transcript::parse(&bytes)?;
    let outcome = session::replay(&transcript, setup)?;
    Ok((transcript, outcome))
}
