//! A child process in a group of its own, with lines in and lines out.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};
use leap_protocol::transcript::Exit;
use leap_protocol::{Line, LineReader};
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

use super::{ClientError, EngineCommand, running};

/// Lines read ahead of the client; an engine that writes more has to wait.
const READ_AHEAD: usize = 256;
/// Pieces of input that wait for the engine to read them.
const WRITE_AHEAD: usize = 64;
/// How long an engine may leave its input unread before it counts as dead.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// How often a process that is to end is looked at.
const POLL: Duration = Duration::from_millis(2);

/// A line with the moment at which it was read.
type Stamped = (Line, Instant);

/// Starts an engine in a group of its own, with its input and output in our hands. It is not killed when it is dropped.
pub(crate) fn spawn(
    command: &EngineCommand,
    stderr: Stdio,
) -> Result<Box<dyn ChildWrapper>, ClientError> {
    let mut wrap = CommandWrap::with_new(&command.program, |child| {
        child.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        if let Some(directory) = &command.directory {
            child.current_dir(directory);
        }
    });
    // In a group of its own an engine is killed with its children, and a Ctrl-C at the terminal reaches us alone.
    #[cfg(unix)]
    wrap.wrap(ProcessGroup::leader());
    let program = || command.program.display().to_string();
    wrap.spawn().map_err(|source| ClientError::Start { program: program(), source })
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
    child: Box<dyn ChildWrapper>,
    /// To the thread that writes: an engine that does not read must not hold us up.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Stamped>,
}

impl Process {
    pub(super) fn start(command: &EngineCommand, stderr: Stdio) -> Result<Process, ClientError> {
        let fail =
            |source| ClientError::Start { program: command.program.display().to_string(), source };
        let mut child = spawn(command, stderr)?;
        running::add(child.id());
        let stdin = child.stdin().take().ok_or(ClientError::Closed)?;
        let stdout = child.stdout().take().ok_or(ClientError::Closed)?;
        let (sender, lines) = bounded(READ_AHEAD);
        let read = move || {
            for line in LineReader::new(BufReader::new(stdout)).map_while(Result::ok) {
                if sender.send((line, Instant::now())).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("engine-reader".to_owned()).spawn(read).map_err(fail)?;
        let input = Some(start_writer(stdin).map_err(fail)?);
        Ok(Process { child, input, lines })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Hands bytes to the engine; they need not end in a line.
    pub(super) fn send(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        let input = self.input.as_ref().ok_or(ClientError::Closed)?;
        input.send_timeout(bytes, WRITE_PATIENCE).map_err(|error| match error {
            SendTimeoutError::Timeout(_) => ClientError::Timeout(WRITE_PATIENCE),
            SendTimeoutError::Disconnected(_) => ClientError::Closed,
        })
    }

    pub(super) fn receive(&self, deadline: Instant) -> Result<Stamped, ClientError> {
        let waited = Instant::now();
        let late = || ClientError::Timeout(waited.elapsed());
        match self.lines.recv_deadline(deadline) {
            // An engine that never stops writing must not keep us past the deadline.
            Ok((_, at)) if at > deadline => Err(late()),
            Ok(stamped) => Ok(stamped),
            Err(RecvTimeoutError::Timeout) => Err(late()),
            Err(RecvTimeoutError::Disconnected) => Err(ClientError::Closed),
        }
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
            self.kill();
        }
        Ok(status.is_some_and(|status| status.success()))
    }

    fn kill(&mut self) {
        // A process that has ended cannot be killed: that is what was wanted.
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

/// Starts the thread that writes. It ends, and closes the engine's input, when the sender is dropped or the engine reads
/// no more.
fn start_writer(mut stdin: ChildStdin) -> std::io::Result<Sender<Vec<u8>>> {
    let (sender, pieces) = bounded::<Vec<u8>>(WRITE_AHEAD);
    let write = move || {
        for piece in pieces {
            if stdin.write_all(&piece).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("engine-writer".to_owned()).spawn(write)?;
    Ok(sender)
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        self.kill();
        running::remove(self.child.id());
    }
}
