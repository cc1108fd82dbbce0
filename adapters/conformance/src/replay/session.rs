//! Replaying one transcript in lockstep.

mod updating;

use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use leap_client::{Client, ClientError, Session, StderrTail, exit};
use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Command, Dialect, Line, Query, Reply};
use leap_transcript::{Entry, Exit, Expected, Rule, Sent, Stream, Transcript};

use super::buffer::LineBuffer;
use super::matcher::{Matcher, stream_of};
use super::outcome::{Divergence, Mismatch, ReplayOutcome, Setup};
use super::questions;
use super::referee::{IllegalMove, Moves, Referee, header_lines};
use super::report::describe;
use super::update::{Changes, NoAnswer};

/// How long an engine that has failed may take to report its position.
const AFTERWARDS: Duration = Duration::from_secs(2);

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

/// Replays a transcript. With `--update`, one that differs or lacks an answer is replayed once more: then every question
/// is answered before the next one is asked.
///
/// # Errors
/// If it could not be run: the engine cannot be started, a regular expression is malformed, or the referee fails. Also if
/// the transcript expects an illegal move.
pub(super) fn replay(transcript: &Transcript, setup: &Setup) -> anyhow::Result<ReplayOutcome> {
    let due = setup.update.then(|| questions::due(&transcript.entries));
    let outcome = match due {
        Some(due) if !due.contains(&true) => match once(transcript, setup, None)? {
            ReplayOutcome::Mismatch(mismatch) if mismatch.fault.may_be_updated() => {
                once(transcript, setup, Some(due))?
            }
            outcome => outcome,
        },
        due => once(transcript, setup, due)?,
    };
    match outcome {
        ReplayOutcome::Mismatch(mismatch)
            if matches!(mismatch.fault, Divergence::IllegalExpected(_)) =>
        {
            Err(anyhow!(describe::summary(transcript, &mismatch)))
        }
        outcome => Ok(outcome),
    }
}

/// Replays a transcript once. `due` is what an update waits for; `None` if there is none.
fn once(
    transcript: &Transcript,
    setup: &Setup,
    due: Option<Vec<bool>>,
) -> anyhow::Result<ReplayOutcome> {
    let pinned = setup.takes_for_pinned(transcript);
    let matcher = Matcher::new(transcript, pinned)?;
    let (stderr, stdio) = StderrTail::start().context("cannot make a pipe")?;
    let mut session = Replay {
        transcript,
        setup,
        client: Client::start(&setup.engine, stdio)?,
        referee: Referee::new(transcript, &setup.referee, setup.timeout),
        matcher,
        early: LineBuffer::default(),
        since: Instant::now(),
        allowance: Duration::ZERO,
        go: 0,
        is_searching: false,
        was_searching: None,
        ready_due: 0,
        due,
        is_ahead: false,
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

struct Replay<'a> {
    transcript: &'a Transcript,
    setup: &'a Setup,
    client: Client,
    referee: Referee,
    matcher: Matcher,
    /// Lines that arrived before their entry.
    early: LineBuffer,
    /// When something was last sent, or an expected line last arrived.
    since: Instant,
    /// The time allowed by the last `go`.
    allowance: Duration,
    /// The index of the last `go`.
    go: usize,
    /// A search or perft was begun and has not answered yet.
    is_searching: bool,
    /// What that was before the last line, if this line was a `go`: the engine may refuse it.
    was_searching: Option<bool>,
    /// How many `readyok` are still outstanding.
    ready_due: usize,
    /// In an update: for each entry, whether the end of a search is due after it ([`questions::due`]).
    due: Option<Vec<bool>>,
    /// In an update: answers were taken that a later block may have expected.
    is_ahead: bool,
    /// In an update: the lines received since the last line was sent.
    block: LineBuffer,
    changes: Changes,
}

impl Replay<'_> {
    /// Replays all entries; returns the index at which it stopped, and why if that is not the end.
    fn run(&mut self) -> (usize, Result<(), Stop>) {
        for (index, line) in header_lines(self.transcript) {
            if let Err(stop) = self.set(&line) {
                return (index, Err(stop));
            }
        }
        let entries = &self.transcript.entries;
        let mut index = 0;
        while index < entries.len() {
            let done = match &entries[index] {
                Entry::Sent(sent) => {
                    self.block.clear();
                    self.send(index, sent);
                    self.answered(index, sent)
                }
                Entry::Expected(_) => self.expect(index).map(|()| index + 1),
                _ => Ok(index + 1),
            };
            match done.or_else(|stop| self.recover(index, stop)) {
                Ok(next) => index = next,
                Err(stop) => return (index, Err(stop)),
            }
        }
        (index, self.finish())
    }

    /// Sends a line of the header, and waits until the engine has dealt with it.
    fn set(&mut self, line: &str) -> Result<(), Stop> {
        self.write(format!("{line}\n").into_bytes());
        self.ready_due += 1;
        self.write(b"isready\n".to_vec());
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

    /// The outcome of a session that came to its end.
    fn updated(&mut self, pinned: bool) -> Result<ReplayOutcome, NoAnswer> {
        let changes = std::mem::take(&mut self.changes);
        if changes.is_empty() {
            return Ok(ReplayOutcome::Equal);
        }
        let updated = changes.apply(self.transcript, &self.matcher, pinned)?;
        Ok(match updated == *self.transcript {
            true => ReplayOutcome::Equal,
            false => ReplayOutcome::Updated(updated),
        })
    }

    fn mismatch(
        self,
        index: usize,
        mut fault: Divergence,
        pinned: bool,
        stderr: &StderrTail,
    ) -> Mismatch {
        let timeout = self.setup.timeout.min(AFTERWARDS);
        // The engine is killed before its standard error is read, so that the text is complete.
        let position = position(Session::new(self.client, Dialect::Ugi, timeout), &mut fault);
        Mismatch { index, fault, pinned, position, stderr: stderr.lines() }
    }

    /// Writes bytes. An engine that does not read them is noticed when its answer is awaited.
    fn write(&mut self, bytes: Vec<u8>) {
        let _ = self.client.send_bytes(bytes);
        self.since = Instant::now();
    }

    fn send(&mut self, index: usize, sent: &Sent) {
        self.was_searching = None;
        match sent {
            Sent::Line(line) => {
                match Command::parse(line) {
                    Ok(Some(Command::Go(go))) => {
                        self.allowance = leap_client::allowed(&go).unwrap_or_default();
                        self.go = index;
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
                self.client.end_input();
                self.since = Instant::now();
            }
        }
    }

    fn receive(&mut self, allowance: Duration) -> Result<Line, Divergence> {
        let deadline = self.since + self.setup.timeout + allowance;
        match self.client.receive_any(deadline) {
            Ok((line, _)) => {
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
        self.check_moves(index, line)
    }

    /// Waits for the line of an entry, and skips lines that may come in between. Any other line is a divergence.
    fn line_for(&mut self, index: usize, stream: Stream) -> Result<Line, Stop> {
        let allowance = if stream == Stream::Search { self.allowance } else { Duration::ZERO };
        loop {
            let line = match self.early.take_first(|line| stream_of(line) == stream) {
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

    /// Checks that the engine's moves are legal, and then those of the transcript: one that expects an illegal move proves
    /// nothing. Where any legal move is right, somebody must know the rules.
    fn check_moves(&mut self, index: usize, line: Line) -> Result<(), Stop> {
        let expected = match &self.transcript.entries[index] {
            Entry::Expected(
                Expected::Default(text) | Expected::Exact(text) | Expected::AnyMove(text),
            ) => text.as_str(),
            _ => "",
        };
        let Line::Text(found) = &line else { return Ok(()) };
        if found != expected
            && let Some(moves) = Moves::of(found)
        {
            let illegal = self.illegal(index, &moves)?;
            illegal.map_or(Ok(()), |illegal| Err(why_illegal(line, &moves, &illegal)))?;
        }
        let Some(moves) = Moves::of(expected) else { return Ok(()) };
        self.illegal(index, &moves)?.map_or(Ok(()), |IllegalMove { mv, why }| {
            Err(Divergence::IllegalExpected(format!("{mv}: {why}")).into())
        })
    }

    /// The illegal one of these moves, if there is one and the referee knows.
    fn illegal(&mut self, index: usize, moves: &Moves) -> Result<Option<IllegalMove>, Stop> {
        let illegal = match self.matcher.rules().get(index) {
            Some(Rule::AnyMove { .. }) => self.referee.fault(self.go, moves),
            _ => self.referee.fault_if_known(self.go, moves),
        };
        illegal.map_err(Stop::Failed)
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
                Ok(line) if self.due.is_some() => keep(&mut self.block, line)?,
                Ok(line) => return Err(Divergence::Other(line).into()),
            }
        }
        let lines = self.take_block(0)?;
        self.changes.append(lines);
        Ok(())
    }
}

/// Asks an engine for its position, and finds out whether it still answers.
fn position(mut engine: Session, fault: &mut Divergence) -> Option<String> {
    if matches!(fault, Divergence::Ended(_)) {
        return None;
    }
    match engine.ready() {
        Ok(()) | Err(ClientError::Refused(_)) => {}
        Err(_) => return None,
    }
    if let Divergence::Silent { alive, .. } = fault {
        *alive = true;
    }
    let protocol: ProtocolInfo = engine.ask_if_known(Query::Protocol).ok()??;
    protocol.supports("fen").then(|| engine.ask(Query::Fen).ok()).flatten()
}

/// Buffers a line.
fn keep(buffer: &mut LineBuffer, line: Line) -> Result<(), Stop> {
    buffer.push(line).map_err(|full| Stop::Failed(anyhow!(full)))
}

/// The fault of an engine whose move is illegal.
fn why_illegal(line: Line, moves: &Moves, illegal: &IllegalMove) -> Stop {
    let IllegalMove { mv, why } = illegal;
    let why = if moves.is_best(mv) { why.to_string() } else { format!("{mv}: {why}") };
    Divergence::Illegal(line, why).into()
}
