//! Keeping what an engine writes after each line of the client.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use leap_protocol::{Command, Line, Reply};
use leap_transcript::{Entry, Exit, Rule, Sent, Stream};

use super::{Divergence, LineBuffer, Runner, Stop, keep, next_sent, stream_of};

/// The most lines that may come beyond those that a transcript has in this place.
const MOST_NEW_LINES: usize = 10_000;

/// What came between two lines of the client.
#[derive(Debug)]
pub(crate) struct Block {
    /// The entries of the transcript in that place.
    pub(crate) entries: Range<usize>,
    pub(crate) lines: Vec<Line>,
    /// How the engine has ended, if it has.
    pub(crate) exit: Option<Exit>,
}

impl Runner<'_> {
    /// Plays the client's side and keeps all that the engine writes, in the order of the entries. Each question is
    /// answered before the next one is asked. `due` has a flag for each entry: the end of a search is awaited after it,
    /// though the transcript has none.
    ///
    /// # Errors
    /// The index of an entry, and why: the engine ends, hangs, or writes more than can be kept.
    pub(crate) fn record(&mut self, due: &[bool]) -> Result<Vec<Block>, (usize, Stop)> {
        self.set_up()?;
        let entries = &self.transcript.entries;
        let (mut blocks, mut is_over) = (Vec::new(), false);
        for (index, entry) in entries.iter().enumerate() {
            let Entry::Sent(sent) = entry else { continue };
            let range = index + 1..next_sent(entries, index + 1);
            self.send(sent);
            is_over |= ends_session(sent);
            let block = self.block(range, due[index], is_over);
            blocks.push(block.map_err(|stop| (index + 1, stop))?);
        }
        if !is_over {
            let end = entries.len();
            let lines = self.rest().map_err(|stop| (end, stop))?;
            blocks.push(Block { entries: end..end, lines, exit: None });
        }
        Ok(blocks)
    }

    /// Reads what the engine writes in the place of these entries. It has all come once the engine has ended or is ready
    /// again.
    fn block(&mut self, entries: Range<usize>, is_due: bool, is_over: bool) -> Result<Block, Stop> {
        let has = |stream| entries.clone().any(|index| self.matcher.stream(index) == Some(stream));
        let has_search = is_due || has(Stream::Search);
        let is_end = |index| matches!(self.matcher.rules().get(index), Some(Rule::End(_)));
        let is_over = is_over || entries.clone().any(is_end);
        let (mut block, mut exit) = (LineBuffer::default(), None);
        if is_over {
            self.early.take().into_iter().try_for_each(|line| keep(&mut block, line))?;
        }
        while has_search && !is_over && !block.lines().any(ends_search) {
            let line = match self.early.take_first(|line| stream_of(line) == Stream::Search) {
                Some(line) => line,
                None if self.is_searching => self.receive(self.allowance)?,
                None => break,
            };
            keep(&mut block, line)?;
        }
        self.since = Instant::now();
        if !is_over {
            self.ask_ready();
        }
        while is_over || self.ready_due > 0 {
            let allowance = if is_over { self.allowance } else { Duration::ZERO };
            match self.receive(allowance) {
                Ok(_) if !is_over && self.ready_due == 0 => {}
                Ok(line) if !has_search && self.comes_early(entries.end, Stream::Reply, &line) => {
                    keep(&mut self.early, line)?;
                }
                Ok(line) => keep(&mut block, line)?,
                Err(Divergence::Ended(found)) if is_over => {
                    exit = found;
                    break;
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        let (found, known) = (block.len(), entries.len());
        if found > known + MOST_NEW_LINES {
            return Err(Stop::Failed(anyhow!(
                "no update: expected at most {MOST_NEW_LINES} new lines at once, found {found} instead of {known}"
            )));
        }
        Ok(Block { entries, lines: block.take(), exit })
    }
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
