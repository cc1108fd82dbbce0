//! What a session does with `--update`: it takes what the engine writes in place of what is expected.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use leap_protocol::{Command, Line, Reply};
use leap_transcript::{Entry, Rule, Sent, Stream};

use super::{Moves, Replay, Stop, keep, why_illegal};
use crate::replay::matcher::stream_of;
use crate::replay::outcome::Divergence;

/// By how many lines an answer may grow. A perft lists a line for each move, a long search some thousands.
const MOST_NEW_LINES: usize = 10_000;

impl Replay<'_> {
    /// In an update: takes the answer of a question that has none in the transcript. Returns the index of the entry to
    /// continue with.
    pub(super) fn answered(&mut self, index: usize, sent: &Sent) -> Result<usize, Stop> {
        let Some(due) = &self.due else { return Ok(index + 1) };
        let is_due = due[index];
        let next = self.next_sent(index + 1);
        let is_expected = |index| {
            self.matcher.stream(index).is_some()
                || matches!(self.matcher.rules().get(index), Some(Rule::End(_)))
        };
        let is_answered = (index + 1..next).any(is_expected);
        if is_answered && !self.is_ahead || ends_session(sent) {
            return Ok(index + 1);
        }
        if is_answered {
            self.is_ahead = false;
            return self.resynchronise(index + 1);
        }
        let lines = self.collect(is_due, index + 1..next)?;
        self.is_ahead |= lines.iter().any(|line| !self.matcher.may_come(next, line));
        self.changes.answer(index + 1..next, lines);
        Ok(next)
    }

    /// Accepts what the engine writes instead of the expected lines. Returns the index of the entry to continue with, or
    /// the stop if no update is possible.
    pub(super) fn recover(&mut self, index: usize, stop: Stop) -> Result<usize, Stop> {
        let fault = match stop {
            Stop::Divergence(fault) if self.due.is_some() => fault,
            stop => return Err(stop),
        };
        match fault {
            Divergence::Other(_) => self.resynchronise(index),
            // Where any legal move is right, the engine's own has been found to be.
            Divergence::IllegalExpected(_)
                if matches!(self.matcher.rules().get(index), Some(Rule::AnyMove { .. })) =>
            {
                self.matcher.refuse(index);
                self.resynchronise(index)
            }
            Divergence::Ended(Some(exit))
                if matches!(self.matcher.rules().get(index), Some(Rule::End(_))) =>
            {
                self.changes.exit(index, exit);
                Ok(index + 1)
            }
            fault => Err(fault.into()),
        }
    }

    /// Records a line.
    pub(super) fn note(&mut self, line: &Line) -> Result<(), Stop> {
        if self.due.is_some() { keep(&mut self.block, line.clone()) } else { Ok(()) }
    }

    /// Takes the lines received since the last one was sent. They replace this many entries.
    pub(super) fn take_block(&mut self, entries: usize) -> Result<Vec<Line>, Stop> {
        if self.block.len() > entries + MOST_NEW_LINES {
            let found = self.block.len();
            return Err(Stop::Failed(anyhow!(
                "no update: expected at most {MOST_NEW_LINES} new lines at once, found {found} instead of {entries}"
            )));
        }
        Ok(self.block.take())
    }

    /// Reads everything that the engine writes before the next line is sent to it, in place of the entries since the
    /// last one.
    fn resynchronise(&mut self, index: usize) -> Result<usize, Stop> {
        let begin =
            self.transcript.entries[..index].iter().rposition(is_sent).map_or(0, |at| at + 1);
        let next = self.next_sent(index);
        let has_search =
            (index..next).any(|index| self.matcher.stream(index) == Some(Stream::Search));
        let lines = self.collect(has_search, begin..next)?;
        self.changes.replace(begin..next, lines);
        Ok(next)
    }

    /// Reads everything that the engine writes before the next line is sent to it, in place of these entries. The end of
    /// a search is awaited if it belongs to them.
    fn collect(&mut self, has_search: bool, entries: Range<usize>) -> Result<Vec<Line>, Stop> {
        self.since = Instant::now();
        let mut has_ended = self.block.lines().any(ends_search);
        while has_search && !has_ended {
            let line = match self.early.take_first(|line| stream_of(line) == Stream::Search) {
                Some(line) => line,
                None if self.is_searching => self.receive(self.allowance)?,
                None => break,
            };
            has_ended = ends_search(&line);
            keep(&mut self.block, line)?;
        }
        self.ready_due += 1;
        self.write(b"isready\n".to_vec());
        while self.ready_due > 0 {
            match self.receive(Duration::ZERO) {
                Ok(_) if self.ready_due == 0 => {}
                Ok(line) if !has_search && self.comes_early(entries.end, Stream::Reply, &line) => {
                    keep(&mut self.early, line)?;
                }
                Ok(line) => keep(&mut self.block, line)?,
                Err(Divergence::Ended(_)) if self.is_to_end(entries.end) => break,
                Err(fault) => return Err(fault.into()),
            }
        }
        let lines = self.take_block(entries.len())?;
        lines.iter().try_for_each(|line| self.check_new_moves(line))?;
        Ok(lines)
    }

    /// No illegal move is written to a transcript, if anybody knows.
    fn check_new_moves(&mut self, line: &Line) -> Result<(), Stop> {
        let Line::Text(text) = line else { return Ok(()) };
        let Some(moves) = Moves::of(text) else { return Ok(()) };
        let illegal = self.referee.fault_if_known(self.go, &moves).map_err(Stop::Failed)?;
        illegal.map_or(Ok(()), |illegal| Err(why_illegal(line.clone(), &moves, &illegal)))
    }

    /// The index of the next line of the client, from this index on.
    fn next_sent(&self, index: usize) -> usize {
        let entries = &self.transcript.entries;
        entries[index..].iter().position(is_sent).map_or(entries.len(), |at| index + at)
    }

    /// Whether the engine may end before this index: no entry is left, and the client has ended the session.
    fn is_to_end(&self, next: usize) -> bool {
        let entries = &self.transcript.entries;
        let last = entries.iter().rev().find_map(|entry| match entry {
            Entry::Sent(sent) => Some(sent),
            _ => None,
        });
        next == entries.len() && last.is_some_and(ends_session)
    }
}

fn is_sent(entry: &Entry) -> bool {
    matches!(entry, Entry::Sent(_))
}

/// Whether the client ends the session.
fn ends_session(sent: &Sent) -> bool {
    match sent {
        Sent::Line(line) => matches!(Command::parse(line), Ok(Some(Command::Quit))),
        Sent::End => true,
        Sent::Bytes(_) | Sent::TooLong => false,
    }
}

/// Whether this line ends a search.
fn ends_search(line: &Line) -> bool {
    let Line::Text(line) = line else { return false };
    matches!(
        Reply::parse(line),
        Reply::BestMove { .. } | Reply::PerftTotal { .. } | Reply::Error(_)
    )
}
