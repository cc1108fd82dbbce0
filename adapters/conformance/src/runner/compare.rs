//! Waiting for the line of each entry.

use std::time::Duration;

use leap_protocol::{Command, Line};
use leap_transcript::{Entry, Exit, Rule, Stream, Transcript};

use super::{Divergence, Matcher, Peer, Runner, Stop, keep, stream_of};

/// What is looked at beyond a line that fits: the index of its entry, and the line.
type Judge<'j> = dyn FnMut(usize, &Line) -> Result<(), Stop> + 'j;

impl Runner<'_> {
    /// Plays the transcript up to its last entry. Returns the index of the entry at which it stopped, and why.
    ///
    /// # Errors
    /// The engine does something else, or `judge` refuses a line.
    pub(crate) fn compare(&mut self, judge: &mut Judge<'_>) -> Result<(), (usize, Stop)> {
        self.set_up()?;
        for (index, entry) in self.transcript.entries.iter().enumerate() {
            match entry {
                Entry::Sent(sent) => self.send(sent),
                Entry::Expected(_) => self.expect(index, judge).map_err(|stop| (index, stop))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Ends the session: after the last entry nothing more may come (SPEC 16.18).
    ///
    /// # Errors
    /// The engine writes more, or does not end.
    pub(crate) fn finish(&mut self) -> Result<(), Stop> {
        match self.rest()?.into_iter().next() {
            Some(line) => Err(Divergence::Other(line).into()),
            None => Ok(()),
        }
    }

    /// Waits for the line of an entry.
    fn expect(&mut self, index: usize, judge: &mut Judge<'_>) -> Result<(), Stop> {
        if let Some(Rule::End(expected)) = self.matcher.rules().get(index) {
            return self.expect_end(index, *expected);
        }
        let Some(stream) = self.matcher.stream(index) else { return Ok(()) };
        let line = self.line_for(index, stream)?;
        self.since = std::time::Instant::now();
        judge(index, &line)
    }

    /// Waits for the line of an entry, and skips lines that may come in between. Any other line is a divergence.
    fn line_for(&mut self, index: usize, stream: Stream) -> Result<Line, Stop> {
        let allowance = if stream == Stream::Search { self.allowance } else { Duration::ZERO };
        loop {
            let line = match self.early.take_first(|line| stream_of(line) == stream) {
                Some(line) => line,
                None => self.receive(allowance)?,
            };
            if self.matcher.fits(index, &line) {
                return Ok(line);
            }
            if self.matcher.may_come(index, &line) {
                continue;
            }
            if self.matcher.is_strict() || !self.comes_early(index, stream, &line) {
                return Err(Divergence::Other(line).into());
            }
            keep(&mut self.early, line)?;
        }
    }

    /// Waits for the engine to exit.
    fn expect_end(&mut self, index: usize, expected: Option<Exit>) -> Result<(), Stop> {
        loop {
            match self.receive(self.allowance) {
                Ok(line) if self.matcher.may_come(index, &line) => {}
                Ok(line) => return Err(Divergence::Other(line).into()),
                Err(Divergence::Ended(Some(exit)))
                    if expected.is_none_or(|expected| expected == exit) =>
                {
                    return Ok(());
                }
                Err(fault) => return Err(fault.into()),
            }
        }
    }
}

/// A transcript whose lines must come exactly in its order, as those of a pinned transcript do. An answer made of pairs
/// may have further ones at its end (SPEC 4.3).
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) transcript: Transcript,
    matcher: Matcher,
}

impl Script {
    /// # Errors
    /// As [`Matcher::new`].
    pub(crate) fn new(transcript: Transcript) -> anyhow::Result<Self> {
        let matcher = Matcher::new(&transcript, true)?.strict(&transcript);
        Ok(Self { transcript, matcher })
    }

    /// Plays the script, whose lines must come within this time of each other.
    ///
    /// # Errors
    /// The engine does something else.
    pub(crate) fn run(&self, peer: &mut dyn Peer, timeout: Duration) -> Result<(), Difference> {
        let mut runner = Runner::new(&self.transcript, &self.matcher, peer, timeout);
        runner.compare(&mut |_, _| Ok(())).map_err(|(index, stop)| Difference {
            line: Transcript::line_of(index),
            expected: match self.matcher.rules().get(index) {
                Some(Rule::Pattern(pattern)) => format!("'{pattern}'"),
                _ => self.transcript.entries[index].to_string(),
            },
            found: match stop {
                Stop::Divergence(
                    Divergence::Other(Line::Text(line)) | Divergence::Header(Line::Text(line)),
                ) => format!("'{line}'"),
                Stop::Divergence(Divergence::Silent { .. }) => {
                    format!("nothing within {} ms", timeout.as_millis())
                }
                Stop::Divergence(Divergence::Ended(_)) => {
                    "the engine has ended or closed its output".to_owned()
                }
                Stop::Divergence(fault) => format!("{fault:?}"),
                Stop::Failed(error) => error.to_string(),
            },
        })
    }
}

/// The first entry that an engine did not repeat.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct Difference {
    /// The line of the transcript, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What came instead.
    pub found: String,
}

/// Plays a transcript, whose lines must come exactly in its order. The session goes on afterwards.
///
/// # Errors
/// [`Difference`] if the engine does something else, or a regular expression of the transcript is malformed.
pub fn repeat(
    transcript: Transcript,
    peer: &mut dyn Peer,
    timeout: Duration,
) -> Result<(), Difference> {
    let malformed = |error: anyhow::Error| Difference {
        line: 1,
        expected: "a transcript".to_owned(),
        found: format!("{error:#}"),
    };
    Script::new(transcript).map_err(malformed)?.run(peer, timeout)
}

/// The lines that every session starts with (SPEC 16.15), each with the index of its entry: the game comes last.
pub(crate) fn header_lines(transcript: &Transcript) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut game = None;
    for (index, entry) in transcript.entries.iter().enumerate() {
        let (name, value) = match entry {
            Entry::Option { name, value } => (name.clone(), value.clone()),
            Entry::Game(id) => ("Game".to_owned(), Some(id.clone())),
            _ => continue,
        };
        let line = (index, Command::SetOption { name, value }.to_string());
        match entry {
            Entry::Game(_) => game = Some(line),
            _ => lines.push(line),
        }
    }
    lines.extend(game);
    lines
}
