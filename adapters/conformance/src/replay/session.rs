//! Replaying one transcript in lockstep.

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use leap_client::{Client, ClientError, StderrTail, exit};
use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::payload::{Legality, ProtocolInfo};
use leap_protocol::transcript::{Entry, Exit, Rule, Sent, Stream, Transcript};
use leap_protocol::{Command, Line, Query, Reply};

use super::buffer::LineBuffer;
use super::matcher::{Matcher, stream_of};
use super::outcome::{Divergence, Mismatch, ReplayOutcome, Setup};
use super::referee::{Referee, header_lines};
use super::update::{Changes, NoAnswer};

/// How long an engine that has failed may take to report its position.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// By how many lines `--update` lets an answer grow. A perft lists a line for each move, a long search some thousands.
const MOST_NEW_LINES: usize = 10_000;

/// Why a session stops early.
enum Stop {
    Divergence(Divergence),
    /// The transcript could not be run.
    Failed(anyhow::Error),
}

impl From<Divergence> for Stop {
    fn from(fault: Divergence) -> Self {
        Self::Divergence(fault)
    }
}

/// Replays a transcript.
///
/// # Errors
/// If it could not be run: the engine cannot be started, a regular expression is malformed, or the referee fails.
pub(super) fn replay(transcript: &Transcript, setup: &Setup) -> anyhow::Result<ReplayOutcome> {
    let pinned = transcript.engine().is_some() && !setup.unpinned;
    let matcher = Matcher::new(transcript, pinned)?;
    let (stderr, stdio) = StderrTail::start().context("cannot make a pipe")?;
    let mut session = Session {
        transcript,
        setup,
        client: Client::start(&setup.engine, stdio)?,
        referee: Referee::new(transcript, &setup.referee, setup.timeout),
        matcher,
        early: LineBuffer::default(),
        since: Instant::now(),
        allowance: Duration::ZERO,
        go: 0,
        ready_due: 0,
        block: LineBuffer::default(),
        changes: Changes::default(),
    };
    let (index, stop) = session.run();
    let (index, fault) = match stop {
        Ok(()) => match session.updated(pinned) {
            Ok(outcome) => return Ok(outcome),
            Err(NoAnswer { index, line }) => (index, Divergence::NoAnswer(line)),
        },
        Err(Stop::Divergence(fault)) => (index, fault),
        Err(Stop::Failed(error)) => {
            return Err(error.context(format!("line {}", Transcript::line_of(index))));
        }
    };
    Ok(ReplayOutcome::Mismatch(Box::new(session.mismatch(index, fault, pinned, &stderr))))
}

struct Session<'a> {
    transcript: &'a Transcript,
    setup: &'a Setup,
    client: Client,
    referee: Referee,
    matcher: Matcher,
    /// Lines that arrived before their entry. All belong to the stream that is not being waited for.
    early: LineBuffer,
    /// When something was last sent, or an expected line last arrived.
    since: Instant,
    /// The time allowed by the last `go`.
    allowance: Duration,
    /// The index of the last `go`.
    go: usize,
    /// How many `readyok` are still outstanding.
    ready_due: usize,
    /// With `--update`: the lines received since the last line was sent.
    block: LineBuffer,
    changes: Changes,
}

impl Session<'_> {
    /// Replays all entries; returns the index at which it stopped, and why if that is not the end.
    fn run(&mut self) -> (usize, Result<(), Stop>) {
        for line in header_lines(self.transcript) {
            self.write(format!("{line}\n").into_bytes());
        }
        let entries = &self.transcript.entries;
        let mut index = 0;
        while index < entries.len() {
            let done = match &entries[index] {
                Entry::Sent(sent) => {
                    self.block.clear();
                    self.send(index, sent);
                    Ok(())
                }
                Entry::Expected(_) => self.expect(index),
                _ => Ok(()),
            };
            index += 1;
            if let Err(stop) = done {
                match self.recover(index - 1, stop) {
                    Ok(next) => index = next,
                    Err(stop) => return (index - 1, Err(stop)),
                }
            }
        }
        (index, self.finish())
    }

    /// The outcome of a session that came to its end.
    fn updated(&mut self, pinned: bool) -> Result<ReplayOutcome, NoAnswer> {
        let changes = std::mem::take(&mut self.changes);
        if changes.is_empty() {
            return Ok(ReplayOutcome::Equal);
        }
        changes.apply(self.transcript, &self.matcher, pinned).map(ReplayOutcome::Updated)
    }

    fn mismatch(
        mut self,
        index: usize,
        mut fault: Divergence,
        pinned: bool,
        stderr: &StderrTail,
    ) -> Mismatch {
        let position = self.position(&mut fault);
        // The engine is killed before its standard error is read, so that the text is complete.
        drop(self);
        Mismatch { index, fault, pinned, position, stderr: stderr.lines() }
    }

    /// Writes bytes. An engine that does not read them is noticed when its answer is awaited.
    fn write(&mut self, bytes: Vec<u8>) {
        let _ = self.client.send_bytes(bytes);
        self.since = Instant::now();
    }

    fn send(&mut self, index: usize, sent: &Sent) {
        match sent {
            Sent::Line(line) => {
                match Command::parse(line) {
                    Ok(Some(Command::Go(go))) => {
                        self.allowance = leap_client::allowed(&go).unwrap_or_default();
                        self.go = index;
                    }
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
                self.client.end_input();
                self.since = Instant::now();
            }
        }
    }

    fn receive(&mut self, allowance: Duration) -> Result<Line, Divergence> {
        let deadline = self.since + self.setup.timeout + allowance;
        match self.client.receive_any(deadline) {
            Ok((line, _)) => {
                if matches!(&line, Line::Text(line) if Reply::parse(line) == Reply::ReadyOk) {
                    self.ready_due = self.ready_due.saturating_sub(1);
                }
                Ok(line)
            }
            Err(ClientError::Timeout(_)) => {
                Err(Divergence::Silent { waited: self.since.elapsed(), alive: false })
            }
            Err(_) => Err(Divergence::Ended(self.exit())),
        }
    }

    /// How the engine has exited, once it has closed its output.
    fn exit(&mut self) -> Option<Exit> {
        self.client.ended(self.setup.timeout).ok().flatten().map(exit)
    }

    /// Waits for the line of an entry.
    fn expect(&mut self, index: usize) -> Result<(), Stop> {
        if let Some(Rule::End(expected)) = self.matcher.rules().get(index) {
            let expected = *expected;
            return self.expect_end(index, expected);
        }
        let Some(stream) = self.matcher.stream(index) else { return Ok(()) };
        let line = self.line_for(index, stream)?;
        self.since = Instant::now();
        if let Some(Rule::AnyMove { .. }) = self.matcher.rules().get(index) {
            self.check_move(line)?;
        }
        Ok(())
    }

    /// Waits for the line of an entry, and skips lines that may come in between. Any other line is a divergence.
    fn line_for(&mut self, index: usize, stream: Stream) -> Result<Line, Stop> {
        let allowance = if stream == Stream::Search { self.allowance } else { Duration::ZERO };
        loop {
            let line = match self.early.pop_if(|line| stream_of(line) == stream) {
                Some(line) => line,
                None => self.receive(allowance)?,
            };
            let fits = self.matcher.fits(index, &line);
            let may_come = !fits && self.matcher.may_come(index, &line);
            if !fits && !may_come && self.comes_early(index, stream, &line) {
                keep(&mut self.early, line)?;
                continue;
            }
            self.note(&line)?;
            if fits {
                return Ok(line);
            }
            if !may_come {
                return Err(Divergence::Other(line).into());
            }
        }
    }

    /// Whether the line belongs to the other stream and is expected by a later entry.
    fn comes_early(&self, index: usize, awaited: Stream, line: &Line) -> bool {
        let stream = stream_of(line);
        stream != awaited && self.early.len() < self.matcher.remaining(index, stream)
    }

    fn check_move(&mut self, line: Line) -> Result<(), Stop> {
        let Line::Text(text) = &line else { return Ok(()) };
        let Reply::BestMove { mv: Some(mv), .. } = Reply::parse(text) else { return Ok(()) };
        match self.referee.judge(self.go, &mv).map_err(Stop::Failed)? {
            Legality::Legal => Ok(()),
            illegal @ Legality::Illegal { .. } => {
                Err(Divergence::Illegal(line, illegal.to_string()).into())
            }
        }
    }

    /// Waits for the engine to exit.
    fn expect_end(&mut self, index: usize, expected: Option<Exit>) -> Result<(), Stop> {
        loop {
            match self.receive(self.allowance) {
                Ok(line) if self.matcher.may_come(index, &line) => {}
                Ok(line) => {
                    self.note(&line)?;
                    return Err(Divergence::Other(line).into());
                }
                Err(Divergence::Ended(Some(exit)))
                    if expected.is_none_or(|expected| expected == exit) =>
                {
                    return Ok(());
                }
                Err(fault) => return Err(fault.into()),
            }
        }
    }

    /// Records a line for `--update`.
    fn note(&mut self, line: &Line) -> Result<(), Stop> {
        if self.setup.update { keep(&mut self.block, line.clone()) } else { Ok(()) }
    }

    /// Takes the lines received since the last one was sent. They replace this many entries.
    fn take_block(&mut self, entries: usize) -> Result<Vec<Line>, Stop> {
        if self.block.len() > entries + MOST_NEW_LINES {
            let found = self.block.len();
            return Err(Stop::Failed(anyhow!(
                "no update: expected at most {MOST_NEW_LINES} new lines at once, found {found} instead of {entries}"
            )));
        }
        Ok(self.block.take())
    }

    /// Ends the session: after the last entry nothing more may come (SPEC 16.18).
    fn finish(&mut self) -> Result<(), Stop> {
        let end = self.transcript.entries.len();
        let leaves_search = self.matcher.rules().leaves_search();
        self.block.clear();
        self.client.end_input();
        loop {
            match self.receive(self.allowance) {
                Err(Divergence::Ended(_)) => break,
                Err(fault) => return Err(fault.into()),
                Ok(line) if self.matcher.may_come(end, &line) => {}
                Ok(line) if leaves_search && stream_of(&line) == Stream::Search => {}
                Ok(line) if self.setup.update => keep(&mut self.block, line)?,
                Ok(line) => return Err(Divergence::Other(line).into()),
            }
        }
        let lines = self.take_block(0)?;
        self.changes.append(lines);
        Ok(())
    }

    /// With `--update`: accepts what the engine writes instead of the expected lines. Returns the index of the entry
    /// to continue with, or the stop if no update is possible.
    fn recover(&mut self, index: usize, stop: Stop) -> Result<usize, Stop> {
        let fault = match stop {
            Stop::Divergence(fault) if self.setup.update => fault,
            stop => return Err(stop),
        };
        match fault {
            Divergence::Other(_) => self.resynchronise(index),
            Divergence::Ended(Some(exit))
                if matches!(self.matcher.rules().get(index), Some(Rule::End(_))) =>
            {
                self.changes.exit(index, exit);
                Ok(index + 1)
            }
            fault => Err(fault.into()),
        }
    }

    /// Reads everything that the engine writes before the next line is sent to it.
    fn resynchronise(&mut self, index: usize) -> Result<usize, Stop> {
        let entries = &self.transcript.entries;
        let is_sent = |entry: &Entry| matches!(entry, Entry::Sent(_));
        let begin = entries[..index].iter().rposition(is_sent).map_or(0, |at| at + 1);
        let next = entries[index..].iter().position(is_sent).map_or(entries.len(), |at| index + at);
        let has_search =
            (index..next).any(|index| self.matcher.stream(index) == Some(Stream::Search));
        self.since = Instant::now();
        let mut has_ended = self.block.lines().any(ends_search);
        while has_search && !has_ended {
            let line = self.receive(self.allowance)?;
            has_ended = ends_search(&line);
            keep(&mut self.block, line)?;
        }
        self.ready_due += 1;
        self.write(b"isready\n".to_vec());
        while self.ready_due > 0 {
            match self.receive(Duration::ZERO) {
                Ok(_) if self.ready_due == 0 => {}
                Ok(line) if !has_search && self.comes_early(next, Stream::Reply, &line) => {
                    keep(&mut self.early, line)?;
                }
                Ok(line) => keep(&mut self.block, line)?,
                Err(Divergence::Ended(_)) if self.is_to_end(next) => break,
                Err(fault) => return Err(fault.into()),
            }
        }
        let lines = self.take_block(next - begin)?;
        self.changes.replace(begin..next, lines);
        Ok(next)
    }

    /// Whether the engine may end before this index: no entry is left, and the client has ended the session.
    fn is_to_end(&self, next: usize) -> bool {
        let entries = &self.transcript.entries;
        let last = entries.iter().rev().find_map(|entry| match entry {
            Entry::Sent(sent) => Some(sent),
            _ => None,
        });
        next == entries.len()
            && match last {
                Some(Sent::Line(line)) => matches!(Command::parse(line), Ok(Some(Command::Quit))),
                Some(Sent::End) => true,
                _ => false,
            }
    }

    /// Asks the engine for its position, and finds out whether it still answers.
    fn position(&mut self, fault: &mut Divergence) -> Option<String> {
        if matches!(fault, Divergence::Ended(_)) {
            return None;
        }
        let patience = self.setup.timeout.min(AFTERWARDS);
        match self.client.ready(patience) {
            Ok(()) | Err(ClientError::Refused(_)) => {}
            Err(_) => return None,
        }
        if let Divergence::Silent { alive, .. } = fault {
            *alive = true;
        }
        let protocol: ProtocolInfo = self.client.ask_if_known(Query::Protocol, patience).ok()??;
        protocol.supports("fen").then(|| self.client.ask(Query::Fen, patience).ok()).flatten()
    }
}

/// Buffers a line.
fn keep(buffer: &mut LineBuffer, line: Line) -> Result<(), Stop> {
    buffer.push(line).map_err(|full| Stop::Failed(anyhow!(full)))
}

/// Whether this line ends a search.
fn ends_search(line: &Line) -> bool {
    let Line::Text(line) = line else { return false };
    matches!(
        Reply::parse(line),
        Reply::BestMove { .. } | Reply::PerftTotal { .. } | Reply::Error(_)
    )
}
