//! Plays the client's side of a transcript with an engine (SPEC 16.15 to 16.18).
//!
//! Two things can be done with a transcript. [`repeat`] and `Runner::compare` wait for the line of each entry. A
//! `Runner::record` keeps what the engine writes after each line of the client, whatever that is.

mod buffer;
mod compare;
mod matcher;
mod record;

use std::time::{Duration, Instant};

use anyhow::anyhow;
use leap_client::{Client, ClientError, exit};
use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::{Command, Line, Reply};
use leap_transcript::{Entry, Exit, Sent, Stream, Transcript};

use buffer::LineBuffer;
pub use compare::{Difference, repeat};
pub(crate) use compare::{Script, header_lines};
pub(crate) use matcher::{Matcher, stream_of};
pub(crate) use record::Block;

/// The engine's side.
pub trait Peer {
    /// Writes bytes. An engine that does not read them is noticed when its answer is awaited.
    fn send(&mut self, bytes: Vec<u8>);

    /// Closes the engine's input.
    fn end_input(&mut self);

    /// The next line.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] if none comes in time; any other error ends the session.
    fn receive(&mut self, deadline: Instant) -> Result<Line, ClientError>;

    /// How the engine has exited, once it has closed its output; `None` if that cannot be told.
    fn exit(&mut self, patience: Duration) -> Option<Exit>;
}

impl Peer for Client {
    fn send(&mut self, bytes: Vec<u8>) {
        let _ = self.send_bytes(bytes);
    }

    fn end_input(&mut self) {
        Self::end_input(self);
    }

    fn receive(&mut self, deadline: Instant) -> Result<Line, ClientError> {
        self.receive_any(deadline).map(|(line, _)| line)
    }

    fn exit(&mut self, patience: Duration) -> Option<Exit> {
        self.ended(patience).ok().flatten().map(exit)
    }
}

/// What the engine did instead of what was expected.
#[derive(Debug)]
pub(crate) enum Divergence {
    /// The engine wrote a different line.
    Other(Line),
    /// The engine wrote a line that is no answer to anything (with `--update`).
    NoAnswer(Line),
    /// The engine's move is illegal, for this reason.
    Illegal(Line, String),
    /// The move that the transcript expects is illegal, for this reason. The engine's own line is right.
    IllegalExpected(String),
    /// The engine refuses a line of the header.
    Header(Line),
    /// The engine exited.
    Ended(Option<Exit>),
    /// The engine was silent for this long.
    Silent {
        waited: Duration,
        /// Whether the engine still answered `isready`.
        alive: bool,
    },
}

/// Why a session stops early.
pub(crate) enum Stop {
    Divergence(Divergence),
    /// The transcript could not be run.
    Failed(anyhow::Error),
}

impl From<Divergence> for Stop {
    fn from(fault: Divergence) -> Self {
        Self::Divergence(fault)
    }
}

/// A conversation with an engine, as a transcript leads it.
pub(crate) struct Runner<'a> {
    transcript: &'a Transcript,
    matcher: &'a Matcher,
    peer: &'a mut dyn Peer,
    timeout: Duration,
    /// Lines that arrived before their entry.
    early: LineBuffer,
    /// When something was last sent, or an expected line last arrived.
    since: Instant,
    /// The time allowed by the last `go`.
    allowance: Duration,
    /// A search or perft was begun and has not answered yet.
    is_searching: bool,
    /// What that was before the last line, if this line was a `go`: the engine may refuse it.
    was_searching: Option<bool>,
    /// How many `readyok` are still outstanding.
    ready_due: usize,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(
        transcript: &'a Transcript,
        matcher: &'a Matcher,
        peer: &'a mut dyn Peer,
        timeout: Duration,
    ) -> Self {
        Self {
            transcript,
            matcher,
            peer,
            timeout,
            early: LineBuffer::default(),
            since: Instant::now(),
            allowance: Duration::ZERO,
            is_searching: false,
            was_searching: None,
            ready_due: 0,
        }
    }

    /// Sends the lines of the header. Returns the index of the entry at which it stopped, and why.
    fn set_up(&mut self) -> Result<(), (usize, Stop)> {
        let mut lines = header_lines(self.transcript).into_iter();
        lines.try_for_each(|(index, line)| self.set(&line).map_err(|stop| (index, stop)))
    }

    /// Sends a line of the header, and waits until the engine has dealt with it.
    fn set(&mut self, line: &str) -> Result<(), Stop> {
        self.write(format!("{line}\n").into_bytes());
        self.ask_ready();
        while self.ready_due > 0 {
            match self.receive(Duration::ZERO)? {
                _ if self.ready_due == 0 => {}
                Line::Text(text) if matches!(Reply::parse(&text), Reply::Error(_)) => {
                    return Err(Divergence::Header(Line::Text(text)).into());
                }
                line if self.matcher.may_come(0, &line) => {}
                line => keep(&mut self.early, line)?,
            }
        }
        Ok(())
    }

    fn ask_ready(&mut self) {
        self.ready_due += 1;
        self.write(b"isready\n".to_vec());
    }

    fn write(&mut self, bytes: Vec<u8>) {
        self.peer.send(bytes);
        self.since = Instant::now();
    }

    fn send(&mut self, sent: &Sent) {
        self.was_searching = None;
        match sent {
            Sent::Line(line) => {
                match Command::parse(line) {
                    Ok(Some(Command::Go(go))) => {
                        self.allowance = leap_client::allowed(&go).unwrap_or_default();
                        self.was_searching = Some(self.is_searching);
                        self.is_searching = true;
                    }
                    Ok(Some(Command::Perft(_))) => self.is_searching = true,
                    Ok(Some(Command::IsReady)) => self.ready_due += 1,
                    _ => {}
                }
                self.write(format!("{line}\n").into_bytes());
            }
            Sent::Bytes(bytes) => self.write([bytes.as_slice(), b"\n"].concat()),
            Sent::TooLong => {
                let mut line = vec![b'x'; MAX_LINE_BYTES + 1];
                line.push(b'\n');
                self.write(line);
            }
            Sent::End => {
                self.peer.end_input();
                self.since = Instant::now();
            }
        }
    }

    fn receive(&mut self, allowance: Duration) -> Result<Line, Divergence> {
        let deadline = self.since + self.timeout + allowance;
        match self.peer.receive(deadline) {
            Ok(line) => {
                let Line::Text(text) = &line else { return Ok(line) };
                match Reply::parse(text) {
                    Reply::ReadyOk => self.ready_due = self.ready_due.saturating_sub(1),
                    Reply::BestMove { .. } | Reply::PerftTotal { .. } => self.is_searching = false,
                    Reply::Error(_) => {
                        self.is_searching = self.was_searching.take().unwrap_or(self.is_searching);
                    }
                    _ => {}
                }
                Ok(line)
            }
            Err(ClientError::Timeout(_)) => {
                Err(Divergence::Silent { waited: self.since.elapsed(), alive: false })
            }
            Err(_) => Err(Divergence::Ended(self.peer.exit(self.timeout))),
        }
    }

    /// Whether the line belongs to the other stream and is expected by a later entry.
    fn comes_early(&self, index: usize, awaited: Stream, line: &Line) -> bool {
        let stream = stream_of(line);
        stream != awaited && self.early.len() < self.matcher.remaining(index, stream)
    }

    /// Ends the session and returns what the engine still writes that it need not (SPEC 16.18).
    ///
    /// # Errors
    /// The engine hangs, or writes more than can be kept.
    fn rest(&mut self) -> Result<Vec<Line>, Stop> {
        let end = self.transcript.entries.len();
        let leaves_search = self.matcher.rules().leaves_search();
        let mut rest = LineBuffer::default();
        self.peer.end_input();
        loop {
            match self.receive(self.allowance) {
                Err(Divergence::Ended(_)) => return Ok(rest.take()),
                Err(fault) => return Err(fault.into()),
                Ok(line) if self.matcher.may_come(end, &line) => {}
                Ok(line) if leaves_search && stream_of(&line) == Stream::Search => {}
                Ok(line) => keep(&mut rest, line)?,
            }
        }
    }
}

/// Buffers a line.
fn keep(buffer: &mut LineBuffer, line: Line) -> Result<(), Stop> {
    buffer.push(line).map_err(|full| Stop::Failed(anyhow!(full)))
}

/// The index of the next line of the client, from this index on; the number of entries if there is none.
pub(crate) fn next_sent(entries: &[Entry], index: usize) -> usize {
    let rest = entries.iter().skip(index);
    index + rest.take_while(|entry| !matches!(entry, Entry::Sent(_))).count()
}
