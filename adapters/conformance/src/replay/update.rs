//! Updating a transcript to what an engine has answered.

use std::ops::Range;
use std::time::Duration;

use leap_protocol::{IdKey, Line, Reply};
use leap_transcript::{Entry, Exit, Expected, Rule, Stream, Transcript};

use super::referee::Referee;
use crate::record::line_entry;
use crate::runner::{Block, Divergence, Matcher, Stop, stream_of};

/// The transcript with the blocks of a recording in place of its own. A block that fits its entries leaves them as they
/// are.
///
/// # Errors
/// The index of an entry, and why no transcript should say this: a line is no answer, or a move is illegal.
pub(super) fn updated(
    transcript: &Transcript,
    matcher: &Matcher,
    blocks: Vec<Block>,
    pinned: bool,
    referee: &mut Referee<'_>,
) -> Result<Transcript, (usize, Stop)> {
    let old = &transcript.entries;
    let mut update = Update { old, matcher, referee, refused: Vec::new(), entries: Vec::new() };
    let mut done = 0;
    for block in blocks {
        update.entries.extend_from_slice(&old[done..block.entries.start]);
        done = block.entries.end;
        update.block(block)?;
    }
    let mut entries = update.entries;
    entries.extend_from_slice(&old[done..]);
    if pinned {
        rename(&mut entries);
    }
    Ok(Transcript { entries })
}

struct Update<'a, 'r> {
    old: &'a [Entry],
    matcher: &'a Matcher,
    referee: &'a mut Referee<'r>,
    /// Entries with illegal moves, which no line fits.
    refused: Vec<usize>,
    entries: Vec<Entry>,
}

impl Update<'_, '_> {
    fn block(&mut self, block: Block) -> Result<(), (usize, Stop)> {
        let Block { entries: range, lines, exit } = block;
        let is_awaited = |index| {
            let is_end = matches!(self.matcher.rules().get(index), Some(Rule::End(_)));
            is_end || self.matcher.stream(index).is_some()
        };
        let is_new = !range.clone().any(is_awaited);
        let from = self.entries.len();
        if !is_new && self.holds(range.clone(), &lines)? {
            self.entries.extend_from_slice(&self.old[range.clone()]);
        } else {
            // The question, unless the transcript has an answer.
            let at = if is_new { range.start.saturating_sub(1) } else { range.start };
            for line in &lines {
                let judged = self.referee.judge_found(range.start, line, false);
                judged.map_err(|stop| (at, stop))?;
            }
            self.rewrite(range.clone(), lines, is_new)?;
        }
        let ends = self.entries[from..].iter_mut().filter(|entry| is_end(entry));
        ends.into_iter().try_for_each(|end| {
            let ended = Divergence::Ended(None);
            let exit = exit.ok_or((range.start, ended.into()))?;
            renew(end, exit);
            Ok(())
        })
    }

    /// Whether the lines are those that the entries expect: those of each stream in their order.
    fn holds(&mut self, range: Range<usize>, lines: &[Line]) -> Result<bool, (usize, Stop)> {
        let mut holds = true;
        for stream in [Stream::Search, Stream::Reply] {
            let mut next = range.start;
            for line in lines.iter().filter(|line| stream_of(line) == stream) {
                let awaited = self.next(next..range.end, stream);
                if let Some(index) = awaited.filter(|index| self.matcher.fits(*index, line)) {
                    next = index + 1;
                    holds &= self.may_stay(index, line).map_err(|stop| (index, stop))?;
                } else if !self.matcher.may_come(awaited.unwrap_or(range.end), line) {
                    return Ok(false);
                }
            }
            if let Some(index) = self.next(next..range.end, stream) {
                if lines.is_empty() {
                    let silent = Divergence::Silent { waited: Duration::ZERO, alive: true };
                    return Err((index, silent.into()));
                }
                return Ok(false);
            }
        }
        Ok(holds)
    }

    /// The next entry that awaits a line of this stream.
    fn next(&self, mut range: Range<usize>, stream: Stream) -> Option<usize> {
        range.find(|index| self.matcher.stream(*index) == Some(stream))
    }

    /// Whether an entry that the line fits is right. Where any legal move is, one that is not makes place for the engine's
    /// own.
    fn may_stay(&mut self, index: usize, line: &Line) -> Result<bool, Stop> {
        match self.referee.judge(index, line, self.matcher) {
            Ok(()) => Ok(true),
            Err(Stop::Divergence(Divergence::IllegalExpected(_)))
                if matches!(self.matcher.rules().get(index), Some(Rule::AnyMove { .. })) =>
            {
                self.refused.push(index);
                Ok(false)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Entries that still match a line are kept, and so are comments. Optional lines are added only if there were such
    /// lines before, or they answer a question that had no answer.
    fn rewrite(
        &mut self,
        range: Range<usize>,
        lines: Vec<Line>,
        is_new: bool,
    ) -> Result<(), (usize, Stop)> {
        let Self { old, matcher, .. } = *self;
        let is_idle = |index: usize| {
            matches!(old[index], Entry::Expected(_))
                && !is_end(&old[index])
                && matcher.stream(index).is_none()
        };
        let keeps_idle = range.clone().any(is_idle);
        // The lines of an engine's introduction are the answer to a question, though they may come at any time.
        let is_wanted =
            |line: &Line| !matcher.may_come(range.start, line) || is_new && is_introduction(line);
        let is_comment = |entry: &&Entry| !matches!(entry, Entry::Expected(_));
        let mut next = range.start;
        for line in lines {
            let fits = |index: &usize| !self.refused.contains(index) && matcher.fits(*index, &line);
            if let Some(found) = (next..range.end).find(fits) {
                self.entries.extend(old[next..found].iter().filter(is_comment).cloned());
                self.entries.push(old[found].clone());
                next = found + 1;
            } else if keeps_idle || is_wanted(&line) {
                self.entries.push(entry(line).map_err(|fault| (next, fault.into()))?);
            }
        }
        let is_kept = |entry: &&Entry| is_comment(entry) || is_end(entry);
        self.entries.extend(old[next..range.end].iter().filter(is_kept).cloned());
        Ok(())
    }
}

fn is_end(entry: &Entry) -> bool {
    matches!(entry, Entry::Expected(Expected::End(_)))
}

/// Makes the entry that expects a status expect this one.
fn renew(entry: &mut Entry, exit: Exit) {
    if let Entry::Expected(Expected::End(Some(status))) = entry {
        *status = exit;
    }
}

/// Whether the line is one of those in which an engine introduces itself and its games.
fn is_introduction(line: &Line) -> bool {
    matches!(line, Line::Text(line) if matches!(
        Reply::parse(line),
        Reply::Id { .. } | Reply::Option(_) | Reply::Rules(_)
    ))
}

/// The entry for a line that was not recorded before.
fn entry(line: Line) -> Result<Entry, Divergence> {
    match line {
        Line::Text(text) if !matches!(Reply::parse(&text), Reply::Other(_)) => {
            Ok(Entry::Expected(if text.contains('\r') {
                Expected::Bytes(text.into_bytes())
            } else {
                line_entry(text)
            }))
        }
        line => Err(Divergence::NoAnswer(line)),
    }
}

/// Updates the engine's name in the header.
fn rename(entries: &mut [Entry]) {
    let name = entries.iter().find_map(|entry| match entry {
        Entry::Expected(Expected::Default(line) | Expected::Exact(line)) => {
            match Reply::parse(line) {
                Reply::Id { key: IdKey::Name, value } => Some(value),
                _ => None,
            }
        }
        _ => None,
    });
    let header = entries.iter_mut().find(|entry| matches!(entry, Entry::Engine(_)));
    if let (Some(name), Some(header)) = (name.filter(|name| !name.contains("...")), header) {
        *header = Entry::Engine(name);
    }
}
