//! `leap record`: a proxy that stands in for an engine and writes down what is said (SPEC 16.9).

mod log;
mod proxy;
mod raw;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};

use crate::client::EngineCommand;
use crate::files::Existing;
use log::TranscriptWriter;
pub(crate) use log::line_entry;

/// Stand in for an engine and record what it and its client say to each other.
///
/// Give this command to a GUI or match runner in place of the engine's. Lines pass through unchanged, and the exit status
/// is that of the engine (128 and the signal's number if a signal killed it), or 2 if it cannot be started.
#[derive(Debug, clap::Args)]
pub struct RecordArgs {
    /// The transcript to write, a new file; `%n` stands for the first number, from 1, that makes one, so that every game
    /// of a match has its own
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace the file if there is one
    #[arg(long)]
    pub force: bool,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "ENGINE")]
    pub engine: Vec<String>,
}

/// Runs the engine until it ends.
///
/// # Errors
/// The engine cannot be started, or the transcript cannot be created; a file that was there is then as it was. That the
/// transcript cannot be written to later is told on standard error, and the session goes on.
pub fn run(args: RecordArgs) -> anyhow::Result<ExitCode> {
    let engine =
        EngineCommand::from_words(&args.engine).context("expected an engine, found none")?;
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
