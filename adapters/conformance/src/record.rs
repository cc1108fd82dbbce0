//! `leap record`: a proxy that stands in for an engine and records the session (SPEC 16.9).

mod log;
mod proxy;
mod raw;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, ensure};

use leap_base::files::{self, Existing};
use leap_client::EngineCommand;
use log::TranscriptWriter;
pub(crate) use log::line_entry;

/// Stand in for an engine and record the lines exchanged with its client.
///
/// Give this command to a GUI or match runner instead of the engine's. Lines pass through unchanged. The exit status is
/// that of the engine: 128 plus the signal's number if a signal killed it, and 2 if it cannot be started.
#[derive(Debug, clap::Args)]
pub struct RecordArgs {
    /// The transcript to write, a new file. `%n` becomes the first number, from 1, whose file does not exist yet: every
    /// game of a match gets its own
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "ENGINE")]
    pub engine: Vec<String>,
}

/// Runs the engine until it exits.
///
/// # Errors
/// If the engine cannot be started, or the transcript cannot be created; an existing file is then unchanged. If writing
/// the transcript fails later, that is reported on standard error and the session goes on.
pub fn run(args: RecordArgs) -> anyhow::Result<ExitCode> {
    // A runner that has made a group for us kills it as a whole. Otherwise the engine has a group of its own, so that
    // what it leaves behind can be killed.
    if leap_client::leads_process_group() {
        leap_client::share_process_group();
    }
    let engine = EngineCommand::from_words(&args.engine)?;
    ensure!(
        !args.engine.iter().any(|word| files::are_one(&args.output, Path::new(word))),
        "expected another file than those of the engine, found {}",
        args.output.display()
    );
    let existing = if args.force { Existing::Replace } else { Existing::Refuse };
    let create = || TranscriptWriter::create(&args.output, existing, &args.engine.join(" "));
    let status = proxy::run(&engine, || {
        create()
            .map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => {
                    anyhow!("expected a new file, found one: --force replaces it, %n numbers files")
                }
                _ => error.into(),
            })
            .with_context(|| format!("cannot create {}", args.output.display()))
    })?;
    Ok(ExitCode::from(status))
}
