//! A child process in a group of its own, with lines in and lines out.

use std::process::{ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};
use leap_protocol::Line;
use leap_protocol::transcript::Exit;
use process_wrap::std::CommandWrap;

use super::running::{self, ChildGroup};
use super::{ClientError, EngineCommand, pipes};
use crate::terminal;

/// Lines read ahead of the client; an engine that writes more has to wait.
const READ_AHEAD: usize = 256;
/// Longer lines are read ahead one at a time: a full queue of them would fill the memory.
const LONG_LINE_BYTES: usize = 1 << 14;
/// Bytes that an engine may write in answer to a line, `info` aside. The longest answers are a few lines of 1 MiB.
pub(crate) const MOST_BYTES: usize = 1 << 24;
/// What a line takes in memory besides its text.
const LINE_BYTES: usize = 64;
/// Pieces of input that wait for the engine to read them.
const WRITE_AHEAD: usize = 64;
/// How long an engine may leave its input unread before it counts as dead.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// How often a process that is to end is looked at.
const POLL: Duration = Duration::from_millis(2);

/// A line with the moment at which it was read.
type Stamped = (Line, Instant);

/// Starts an engine with its input and output in our hands.
pub(crate) fn spawn(
    command: &EngineCommand,
    stderr: Stdio,
) -> Result<(ChildGroup, ChildStdin, ChildStdout), ClientError> {
    let wrap = CommandWrap::with_new(&command.program, |child| {
        child.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        if let Some(directory) = &command.directory {
            child.current_dir(directory);
        }
    });
    let mut child =
        ChildGroup::start(wrap).map_err(|source| ClientError::start(command, source))?;
    let stdin = child.stdin().take().ok_or(ClientError::Closed)?;
    let stdout = child.stdout().take().ok_or(ClientError::Closed)?;
    Ok((child, stdin, stdout))
}

/// How a process ended.
pub(crate) fn exit(status: ExitStatus) -> Exit {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Exit::Signal(signal);
    }
    Exit::Code(status.code().unwrap_or(-1))
}

#[derive(Debug)]
pub(super) struct Process {
    child: ChildGroup,
    /// To the thread that writes: an engine that does not read must not hold us up.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Stamped>,
    /// What the engine has written since it was last sent something, `info` aside.
    answered_bytes: usize,
    /// Disconnected once all that the engine had to say on standard error has been shown.
    stderr: Option<Receiver<()>>,
}

impl Process {
    pub(super) fn start(command: &EngineCommand, stderr: Stdio) -> Result<Self, ClientError> {
        let (child, stdin, stdout) = spawn(command, stderr)?;
        let (sender, lines) = bounded(READ_AHEAD);
        let queue = move |line| {
            let at = Instant::now();
            while bytes(&line) > LONG_LINE_BYTES && !sender.is_empty() {
                thread::sleep(POLL);
            }
            sender.send((line, at)).is_ok()
        };
        let (input, pieces) = bounded(WRITE_AHEAD);
        pipes::read_lines("engine-reader", stdout, queue)
            .and_then(|()| pipes::write_pieces("engine-writer", stdin, pieces))
            .map_err(|source| ClientError::start(command, source))?;
        Ok(Self { child, input: Some(input), lines, answered_bytes: 0, stderr: None })
    }

    /// As [`Process::start`], with what the engine writes to standard error shown on ours.
    pub(super) fn start_heard(command: &EngineCommand) -> Result<Self, ClientError> {
        let shown = pipes::stderr_lines(|line| {
            if let Line::Text(line) = line {
                terminal::warn(line);
            }
        });
        let (stdio, end) = shown.map_err(|source| ClientError::start(command, source))?;
        let mut process = Self::start(command, stdio)?;
        process.stderr = Some(end);
        Ok(process)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Hands bytes to the engine; they need not end in a line.
    pub(super) fn send(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        self.answered_bytes = 0;
        let input = self.input.as_ref().ok_or(ClientError::Closed)?;
        input.send_timeout(bytes, WRITE_PATIENCE).map_err(|error| match error {
            SendTimeoutError::Timeout(_) => ClientError::Timeout(WRITE_PATIENCE),
            SendTimeoutError::Disconnected(_) => closed(),
        })
    }

    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Stamped, ClientError> {
        let waited = Instant::now();
        let late = || ClientError::Timeout(waited.elapsed());
        match self.lines.recv_deadline(deadline) {
            // An engine that never stops writing must not keep us past the deadline.
            Ok((_, at)) if at > deadline => Err(late()),
            Ok((line, at)) => {
                self.count(&line)?;
                Ok((line, at))
            }
            Err(RecvTimeoutError::Timeout) => Err(late()),
            Err(RecvTimeoutError::Disconnected) => Err(closed()),
        }
    }

    /// Whoever waits for an answer keeps its lines: there must not be more of them than an answer has.
    fn count(&mut self, line: &Line) -> Result<(), ClientError> {
        if !is_info(line) {
            self.answered_bytes += bytes(line) + LINE_BYTES;
        }
        if self.answered_bytes > MOST_BYTES { Err(ClientError::Flood(MOST_BYTES)) } else { Ok(()) }
    }

    pub(super) fn incoming(&self) -> &Receiver<Stamped> {
        &self.lines
    }

    /// Ends the engine's input, once all that was sent has been read.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads no more: at the engine's next line, its output is closed.
    pub(super) fn close_output(&mut self) {
        self.lines = crossbeam_channel::never();
    }

    /// Waits for the process to end by itself; `None` if it is still there at the deadline.
    pub(super) fn ended(&mut self, deadline: Instant) -> Result<Option<ExitStatus>, ClientError> {
        loop {
            let status = self.child.try_wait().map_err(ClientError::Wait)?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(POLL);
        }
    }

    /// Closes the input and waits for the process to end by itself; `false` if it failed or had to be killed.
    pub(super) fn wait(&mut self, deadline: Instant) -> Result<bool, ClientError> {
        self.close_input();
        let status = self.ended(deadline)?;
        if status.is_none() {
            self.child.kill();
        }
        Ok(status.is_some_and(|status| status.success()))
    }
}

fn bytes(line: &Line) -> usize {
    if let Line::Text(text) = line { text.len() } else { 0 }
}

/// Whether the line tells of a search, which may take as many as it likes. The counts of a perft are its answer.
fn is_info(line: &Line) -> bool {
    let Line::Text(text) = line else { return false };
    let mut words = text.split_whitespace();
    words.next() == Some("info") && words.next() != Some("perft")
}

/// An engine has ended.
fn closed() -> ClientError {
    running::unless_exiting();
    ClientError::Closed
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        self.child.kill();
        if let Some(stderr) = &self.stderr {
            // Whether all has been read or not: what the engine has left behind is not waited for.
            let _ = stderr.recv_timeout(pipes::STDERR_PATIENCE);
        }
    }
}
