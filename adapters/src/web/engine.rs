//! An engine process whose lines are channels of the runtime.

use std::iter;
use std::process::Stdio;

use leap_protocol::Line;
use tokio::sync::mpsc;

use crate::client::{ChildGroup, ClientError, EngineCommand, pipes, spawn};

/// Lines that wait to be passed on, each way. Whoever writes more has to wait. Each may be of a MiB.
const WAITING: usize = 16;

/// A running engine. Dropping it kills its whole process group.
#[derive(Debug)]
pub(super) struct EngineChannels {
    _process: ChildGroup,
    /// Lines to the engine, without their ends.
    pub(super) input: mpsc::Sender<String>,
    /// Lines from the engine; ends when it closes its output.
    pub(super) output: mpsc::Receiver<String>,
}

impl EngineChannels {
    /// Starts the engine and two threads that wait for its pipes.
    pub(super) fn start(command: &EngineCommand) -> Result<Self, ClientError> {
        let (process, stdin, stdout) = spawn(command, Stdio::null())?;
        let (input, mut to_engine) = mpsc::channel::<String>(WAITING);
        let (from_engine, output) = mpsc::channel(WAITING);
        let lines = iter::from_fn(move || Some((to_engine.blocking_recv()? + "\n").into_bytes()));
        let pass_on = move |line| match line {
            Line::Text(line) => from_engine.blocking_send(line).is_ok(),
            // What is no text cannot be shown; a page that waits for it will say so.
            _ => true,
        };
        pipes::write_pieces("engine-writer", stdin, lines)
            .and_then(|()| pipes::read_lines("engine-reader", stdout, pass_on))
            .map_err(|source| ClientError::start(command, source))?;
        Ok(Self { _process: process, input, output })
    }
}
