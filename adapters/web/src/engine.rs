//! An engine process whose pipes the runtime serves. What may block is done beside the runtime.

use leap_base::terminal;
use leap_client::{ChildGroup, ClientError, EngineCommand, StderrTail, last_words, spawn};
use leap_protocol::{Line, LineSplitter};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// How many lines to an engine are buffered. A page that writes more has to wait. Each line may take 1 MiB.
const WAITING: usize = 16;

/// Why there are no more lines of an engine.
pub(super) const ENDED: &str = "the engine has ended";

/// A running engine. Dropping it kills its process group, for which nobody waits.
#[derive(Debug)]
pub(super) struct Engine {
    /// `None` once the engine is being ended.
    process: Option<(ChildGroup, StderrTail)>,
    /// Lines to the engine, without line ends.
    pub(super) input: mpsc::Sender<String>,
    pub(super) output: Output,
}

/// The lines of an engine. As long as nobody reads them, the engine has to wait.
#[derive(Debug)]
pub(super) struct Output {
    from: BufReader<ChildStdout>,
    splitter: LineSplitter,
}

impl Engine {
    /// Starts an engine.
    pub(super) async fn start(command: EngineCommand) -> Result<Self, ClientError> {
        let started = spawn_blocking(move || Self::start_blocking(&command)).await;
        started.unwrap_or(Err(ClientError::Closed))
    }

    fn start_blocking(command: &EngineCommand) -> Result<Self, ClientError> {
        let cannot = |error| ClientError::start(command, &error);
        let (stderr, stdio) = StderrTail::start().map_err(cannot)?;
        let (process, stdin, stdout) = spawn(command, stdio)?;
        let stdin = ChildStdin::from_std(stdin).map_err(cannot)?;
        let stdout = ChildStdout::from_std(stdout).map_err(cannot)?;
        let (input, lines) = mpsc::channel(WAITING);
        tokio::spawn(write_lines(stdin, lines));
        let output = Output { from: BufReader::new(stdout), splitter: LineSplitter::new() };
        Ok(Self { process: Some((process, stderr)), input, output })
    }

    /// Ends the engine, and returns when it has ended. The last words of an engine that has ended by itself are shown.
    pub(super) async fn end(mut self, has_ended: bool) {
        let Some((mut process, stderr)) = self.process.take() else { return };
        let ended = spawn_blocking(move || {
            process.kill();
            let stderr = if has_ended { stderr.summary() } else { Vec::new() };
            if !stderr.is_empty() {
                terminal::warn(format_args!("leap: {ENDED}{}", last_words(&stderr)));
            }
        });
        if let Err(error) = ended.await {
            log::error!("ending an engine: {error}");
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            spawn_blocking(move || drop(process));
        }
    }
}

impl Output {
    /// The next line; `None` when the engine has closed its output. A call that is cancelled loses nothing.
    ///
    /// A line that is too long or no text is left out, since it cannot be shown: a page that waits for it stops waiting.
    pub(super) async fn next(&mut self) -> Option<String> {
        loop {
            let mut bytes = self.from.fill_buf().await.ok()?;
            let available = bytes.len();
            let line = match available {
                0 => Some(self.splitter.finish()?),
                _ => self.splitter.next_line(&mut bytes),
            };
            let used = available - bytes.len();
            self.from.consume(used);
            if let Some(Line::Text(line)) = line {
                return Some(line);
            }
        }
    }
}

/// Writes lines to an engine until there are no more, or it no longer reads. Then its input is closed.
async fn write_lines(mut to: ChildStdin, mut lines: mpsc::Receiver<String>) {
    while let Some(line) = lines.recv().await {
        let line = line + "\n";
        if to.write_all(line.as_bytes()).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}
