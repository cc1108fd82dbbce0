//! A child process in a group of its own, with lines in and lines out.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use leap_protocol::{Line, LineReader};
use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};

use super::{ClientError, EngineCommand};

/// Lines read ahead of the client; an engine that writes more has to wait.
const READ_AHEAD: usize = 256;
/// How often a process that is to end is looked at.
const POLL: Duration = Duration::from_millis(2);

/// A line with the moment at which it was read.
type Stamped = (String, Instant);

#[derive(Debug)]
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    stdin: Option<ChildStdin>,
    lines: Receiver<Stamped>,
}

impl Process {
    pub(super) fn start(command: &EngineCommand, stderr: Stdio) -> Result<Process, ClientError> {
        let mut wrap = CommandWrap::with_new(&command.program, |child| {
            child.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
            if let Some(directory) = &command.directory {
                child.current_dir(directory);
            }
        });
        // In a group of its own an engine is killed with its children, and a Ctrl-C at the terminal reaches us alone.
        #[cfg(unix)]
        wrap.wrap(ProcessGroup::leader());
        let fail =
            |source| ClientError::Start { program: command.program.display().to_string(), source };
        let mut child = wrap.spawn().map_err(fail)?;
        let stdin = child.stdin().take();
        let stdout = child.stdout().take().ok_or(ClientError::Closed)?;
        let (sender, lines) = bounded(READ_AHEAD);
        let read = move || {
            for line in LineReader::new(BufReader::new(stdout)).map_while(Result::ok) {
                // A line that is no text is still a line: it must not vanish between others.
                let text = match line {
                    Line::Text(text) => text,
                    Line::TooLong => "(a line that is too long)".to_owned(),
                    Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
                };
                if sender.send((text, Instant::now())).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("engine-reader".to_owned()).spawn(read).map_err(fail)?;
        Ok(Process { child, stdin, lines })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), ClientError> {
        let stdin = self.stdin.as_mut().ok_or(ClientError::Closed)?;
        let text = format!("{line}\n");
        stdin.write_all(text.as_bytes()).map_err(|_| ClientError::Closed)
    }

    pub(super) fn receive(&self, deadline: Instant) -> Result<Stamped, ClientError> {
        let waited = Instant::now();
        self.lines.recv_deadline(deadline).map_err(|error| match error {
            RecvTimeoutError::Timeout => ClientError::Timeout(waited.elapsed()),
            RecvTimeoutError::Disconnected => ClientError::Closed,
        })
    }

    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to end by itself; `false` if it failed or had to be killed.
    pub(super) fn wait(&mut self, deadline: Instant) -> Result<bool, ClientError> {
        self.close_input();
        loop {
            if let Some(status) = self.child.try_wait().map_err(ClientError::Wait)? {
                return Ok(status.success());
            }
            if Instant::now() >= deadline {
                self.kill();
                return Ok(false);
            }
            thread::sleep(POLL);
        }
    }

    fn kill(&mut self) {
        // A process that has ended cannot be killed: that is what was wanted.
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        self.kill();
    }
}
