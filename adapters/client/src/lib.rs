//! A client for an engine in another process. Every wait has a deadline.
//!
//! [`Session`] holds a conversation with an engine. This program plays a whole game:
//!
//! ```no_run
#![doc = include_str!("../examples/whole_game.rs")]
//! ```
//!
//! [`Client`] is the connection below: lines in, lines out. Use it to look at an engine that may be wrong.

mod command;
mod error;
mod groups;
mod info;
mod input;
pub mod notation;
mod output;
pub mod pipes;
mod poll;
mod position;
mod process;
mod running;
mod session;
pub mod signals;
mod state;
mod stderr;

use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use leap_protocol::{Command, Go, Line, Reply};
use leap_transcript::Exit;

pub use command::EngineCommand;
pub use command::{engine_or_leapd, find_leapd, split_words};
pub use error::ClientError;
pub use error::last_words;
pub use groups::{forward, leads_process_group};
pub use info::EngineInfo;
pub use info::{GAME_OPTIONS, nearest, one_of};
pub use position::PositionCommand;
use process::Process;
pub use process::{MOST_BYTES, exit, spawn};
pub use running::{ChildGroup, kill_engines_and_exit};
pub use running::{kill_engines, kill_engines_on_signals, share_process_group};
pub use session::{BestMove, Direction, Session};
pub use state::GameState;
pub use stderr::StderrTail;

/// How long an engine that has closed its output may take to exit.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// A running engine. Dropping it kills its whole process group and reaps it.
#[derive(Debug)]
pub struct Client {
    process: Process,
}

impl Client {
    /// Starts an engine. Its standard error goes to `stderr`.
    ///
    /// # Errors
    /// [`ClientError::Start`] if the program cannot be started.
    pub fn start(command: &EngineCommand, stderr: Stdio) -> Result<Self, ClientError> {
        Ok(Self { process: Process::start(command, stderr)? })
    }

    /// Starts an engine. Its standard error is copied to ours or discarded.
    pub fn start_showing(command: &EngineCommand, show_stderr: bool) -> Result<Self, ClientError> {
        let process = match show_stderr {
            true => Process::start_heard(command)?,
            false => Process::start(command, Stdio::null())?,
        };
        Ok(Self { process })
    }

    /// The process id of the engine.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Closes the engine's input, after everything that was sent.
    pub fn end_input(&mut self) {
        self.process.close_input();
    }

    /// Sends a command.
    ///
    /// # Errors
    /// [`ClientError::Closed`] if the engine no longer reads its input.
    pub fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        self.send_line(&command.to_string())
    }

    /// Sends a line verbatim.
    ///
    /// # Errors
    /// [`ClientError::Closed`] if the engine no longer reads its input.
    pub fn send_line(&mut self, line: &str) -> Result<(), ClientError> {
        self.send_bytes(format!("{line}\n").into_bytes())
    }

    /// Sends bytes verbatim, without adding a line end.
    ///
    /// # Errors
    /// [`ClientError::Closed`] if the engine no longer reads its input, [`ClientError::Timeout`] if it has left its
    /// input unread for too long.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        self.process.send(bytes)
    }

    /// Receives the next line of the engine, parsed, with the time at which it was read.
    ///
    /// ```no_run
    /// # use std::time::{Duration, Instant};
    /// # use leap_client::{Client, ClientError};
    /// use leap_protocol::{Command, Reply};
    ///
    /// /// The time that the engine takes for `isready`.
    /// fn ping(client: &mut Client) -> Result<Duration, ClientError> {
    ///     let begun = Instant::now();
    ///     client.send(&Command::IsReady)?;
    ///     loop {
    ///         if let (Reply::ReadyOk, at) = client.receive(begun + Duration::from_secs(1))? {
    ///             return Ok(at - begun);
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// [`ClientError::Timeout`] at the deadline, [`ClientError::Closed`] if the engine has exited,
    /// [`ClientError::Flood`] if its output has no end.
    pub fn receive(&mut self, deadline: Instant) -> Result<(Reply, Instant), ClientError> {
        let (line, at) = self.receive_line(deadline)?;
        Ok((Reply::parse(&line), at))
    }

    /// Receives the next line of the engine verbatim, without its line end, with the time at which it was read.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn receive_line(&mut self, deadline: Instant) -> Result<(String, Instant), ClientError> {
        let (line, at) = self.receive_any(deadline)?;
        Ok((pipes::text(line), at))
    }

    /// Like [`Client::receive_line`], but distinguishes lines that are not valid text.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn receive_any(&mut self, deadline: Instant) -> Result<(Line, Instant), ClientError> {
        self.process.receive(deadline)
    }

    /// The engine's lines at a channel, for use in a `select!`. It is disconnected when the engine closes its output.
    ///
    /// From now on a thread reads them. Whoever waits for nothing else is served faster without it.
    ///
    /// # Errors
    /// [`ClientError::Wait`] if there can be no further thread.
    pub fn listen(&mut self) -> Result<Receiver<(Line, Instant)>, ClientError> {
        self.process.listen()
    }

    /// Sends `quit` and waits for the engine to exit; returns whether it exited by itself and successfully.
    ///
    /// # Errors
    /// [`ClientError::Wait`] if the process cannot be waited for.
    pub fn quit(mut self, patience: Duration) -> Result<bool, ClientError> {
        // An engine that has already exited cannot read this; its exit status still counts.
        let _ = self.send(&Command::Quit);
        self.process.wait(Instant::now() + patience)
    }

    /// Closes the engine's input and returns the lines that it writes before it closes its output.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] if it does not close its output in time.
    pub fn close_input(&mut self, patience: Duration) -> Result<Vec<String>, ClientError> {
        self.process.close_input();
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.process.receive(deadline) {
                Ok((line, _)) => lines.push(pipes::text(line)),
                Err(ClientError::Closed) => return Ok(lines),
                Err(error) => return Err(error),
            }
        }
    }

    /// Stops reading: the engine's output is closed when it writes its next line, and nothing more can be received.
    pub fn close_output(&mut self) {
        self.process.close_output();
    }

    /// Waits for the engine to exit by itself, leaving its input open; `None` if it is still running after `patience`.
    ///
    /// # Errors
    /// [`ClientError::Wait`] if the process cannot be waited for.
    pub fn ended(&mut self, patience: Duration) -> Result<Option<ExitStatus>, ClientError> {
        self.process.ended(Instant::now() + patience)
    }

    /// Whether a shell or a loader was started and found no program that it could run. Its exit status is 126 or 127.
    pub fn found_no_program(&mut self) -> bool {
        let status = self.ended(LAST_BREATH).ok().flatten();
        status.is_some_and(|status| matches!(status.code(), Some(126 | 127)))
    }

    /// Whether the system has killed the engine for lack of memory, as far as can be told. Linux counts such kills.
    /// It does not wait: [`Client::how_it_ended`] does.
    pub fn lacked_memory(&mut self) -> bool {
        self.process.lacked_memory()
    }

    /// Says how an engine has ended, after it has closed its input or output.
    pub fn how_it_ended(&mut self) -> String {
        match self.ended(LAST_BREATH) {
            Ok(Some(status)) => match exit(status) {
                Exit::Code(code) => format!("exit status {code}"),
                Exit::Signal(signal) => format!("signal {signal}"),
            },
            _ => "its output closed".to_owned(),
        }
    }
}

/// The most time that a `go` allows an engine; `None` if it sets no clock.
pub fn allowed(go: &Go) -> Option<Duration> {
    const DAY_MS: u64 = 86_400_000;
    let clocks = [go.p1time, go.p2time].into_iter().flatten();
    let clocks = clocks.map(|ms| u64::try_from(ms).unwrap_or_default());
    let ms = clocks.chain(go.movetime).max()?;
    // Deadlines are sums: a day keeps them within the range of `Instant`.
    Some(Duration::from_millis(ms.min(DAY_MS)))
}
