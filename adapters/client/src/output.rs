//! What comes from an engine: lines, each with the time at which it was read.

use std::io::{self, BufReader};
use std::process::ChildStdout;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded, never};
use leap_protocol::line::Read;
use leap_protocol::{Line, LineReader};

use super::{ClientError, pipes, poll, running};

/// Lines buffered by a thread; an engine that writes more blocks.
const READ_AHEAD: usize = 256;
/// Longer lines are buffered one at a time: a full queue of them would fill the memory.
const LONG_LINE_BYTES: usize = 1 << 14;
/// How often a thread looks whether its long line was taken.
const POLL: Duration = Duration::from_millis(2);

/// A line with the time at which it was read.
pub(super) type Stamped = (Line, Instant);

/// The output of an engine.
#[derive(Debug)]
pub(super) enum Output {
    /// Whoever waits for a line reads it: no thread stands between.
    Pipe(Lines),
    /// A thread reads, for those who wait for other things too.
    Thread(Receiver<Stamped>),
}

/// Lines of a pipe.
#[derive(Debug)]
pub(super) struct Lines {
    lines: LineReader<BufReader<ChildStdout>>,
    /// When the bytes in the buffer were read.
    read: Instant,
}

impl Output {
    pub(super) fn new(pipe: ChildStdout) -> io::Result<Self> {
        let lines = LineReader::new(BufReader::new(pipe));
        let mut output = Self::Pipe(Lines { lines, read: Instant::now() });
        // Where the system does not say whether a pipe can be read, a thread waits for it.
        if !poll::CAN_WAIT {
            output.listen()?;
        }
        Ok(output)
    }

    /// Leaves reading to a thread: the lines arrive at a channel, which is disconnected at the end of the output.
    pub(super) fn listen(&mut self) -> io::Result<Receiver<Stamped>> {
        let lines = match std::mem::replace(self, Self::Thread(never())) {
            Self::Thread(lines) => lines,
            Self::Pipe(Lines { lines: pipe, .. }) => {
                let (sender, lines) = bounded(READ_AHEAD);
                let queue = move |line| {
                    let at = Instant::now();
                    while bytes(&line) > LONG_LINE_BYTES && !sender.is_empty() {
                        thread::sleep(POLL);
                    }
                    sender.send((line, at)).is_ok()
                };
                pipes::take_lines("engine-reader", pipe, queue)?;
                lines
            }
        };
        *self = Self::Thread(lines.clone());
        Ok(lines)
    }

    /// The next line, no later than at the deadline.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Stamped, ClientError> {
        let waited = Instant::now();
        let late = || ClientError::Timeout(waited.elapsed());
        match self {
            Self::Thread(lines) => lines.recv_deadline(deadline).map_err(|error| match error {
                RecvTimeoutError::Timeout => late(),
                RecvTimeoutError::Disconnected => running::closed(),
            }),
            Self::Pipe(lines) => lines.next(deadline)?.ok_or_else(late),
        }
    }

    /// Stops reading: the engine's output is closed, and nothing more can be received.
    pub(super) fn close(&mut self) {
        *self = Self::Thread(never());
    }
}

impl Lines {
    /// The next line; `None` if none is whole at the deadline.
    fn next(&mut self, deadline: Instant) -> Result<Option<Stamped>, ClientError> {
        loop {
            let pipe = self.lines.reader();
            if pipe.buffer().is_empty() {
                let is_there = poll::wait_for_input(pipe.get_ref(), deadline);
                if !is_there.map_err(ClientError::Wait)? {
                    return Ok(None);
                }
                self.read = Instant::now();
            }
            match self.lines.read() {
                Ok(Read::Line(line)) => return Ok(Some((line, self.read))),
                // A line without end must not keep us past the deadline.
                Ok(Read::More) if self.read > deadline => return Ok(None),
                Ok(Read::More) => {}
                Ok(Read::End) | Err(_) => return Err(running::closed()),
            }
        }
    }
}

/// The bytes of a line.
pub(super) fn bytes(line: &Line) -> usize {
    if let Line::Text(text) = line { text.len() } else { 0 }
}
