//! An engine process connected to async channels.

use std::iter;

use leap_base::terminal;
use leap_client::{ChildGroup, ClientError, EngineCommand, StderrTail, last_words, pipes, spawn};
use leap_protocol::Line;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// How many lines are buffered in each direction. A side that writes more blocks. Each line may take 1 MiB.
const WAITING: usize = 16;

/// Why there are no more lines of an engine.
pub(super) const ENDED: &str = "the engine has ended";

/// A running engine. Dropping it kills its process group.
#[derive(Debug)]
pub(super) struct EngineChannels {
    process: ChildGroup,
    stderr: StderrTail,
    /// Lines to the engine, without line ends.
    pub(super) input: mpsc::Sender<String>,
    /// Lines from the engine. The channel closes when the engine closes its output.
    pub(super) output: mpsc::Receiver<String>,
}

impl EngineChannels {
    /// Starts the engine and two threads that serve its pipes.
    pub(super) fn start(command: &EngineCommand) -> Result<Self, ClientError> {
        let cannot = |error| ClientError::start(command, &error);
        let (stderr, stdio) = StderrTail::start().map_err(cannot)?;
        let (process, stdin, stdout) = spawn(command, stdio)?;
        let (input, mut to_engine) = mpsc::channel::<String>(WAITING);
        let (from_engine, output) = mpsc::channel(WAITING);
        let lines = iter::from_fn(move || Some((to_engine.blocking_recv()? + "\n").into_bytes()));
        let pass_on = move |line| match line {
            Line::Text(line) => from_engine.blocking_send(line).is_ok(),
            // Invalid text cannot be displayed; a page that waits for it will time out.
            _ => true,
        };
        pipes::write_pieces("engine-writer", stdin, lines)
            .and_then(|()| pipes::read_lines("engine-reader", stdout, pass_on))
            .map_err(cannot)?;
        Ok(Self { process, stderr, input, output })
    }

    /// Like [`EngineChannels::start`], without keeping others waiting.
    pub(super) async fn start_aside(command: EngineCommand) -> Result<Self, ClientError> {
        let started = spawn_blocking(move || Self::start(&command)).await;
        started.unwrap_or(Err(ClientError::Closed))
    }

    /// Ends the engine. Returns when it has ended; nobody else waits for it. An engine that has ended by itself gets its
    /// last words shown.
    pub(super) async fn end(mut self, has_ended: bool) {
        let ended = spawn_blocking(move || {
            self.process.kill();
            let stderr = if has_ended { self.stderr.summary() } else { Vec::new() };
            if !stderr.is_empty() {
                terminal::warn(format_args!("leap: {ENDED}{}", last_words(&stderr)));
            }
        });
        if let Err(error) = ended.await {
            log::error!("ending an engine: {error}");
        }
    }
}
