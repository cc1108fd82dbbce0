//! Updating a transcript to the engine's answers.

use std::ops::Range;

use leap_protocol::{IdKey, Line, Reply};
use leap_transcript::{Entry, Exit, Expected, Transcript};

use super::matcher::{self, Matcher};
use crate::record::line_entry;

/// What the engine answered instead of what was expected. Everything else stays unchanged.
#[derive(Debug, Default)]
pub(super) struct Changes {
    blocks: Vec<Block>,
    exits: Vec<(usize, Exit)>,
    appended: Vec<Line>,
}

/// Entries between two lines of the client, and the lines that came instead.
#[derive(Debug)]
struct Block {
    entries: Range<usize>,
    lines: Vec<Line>,
    /// The entries had no answer.
    is_new: bool,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.exits.is_empty() && self.appended.is_empty()
    }

    /// Records the lines that came instead of these entries. Ranges must be given in ascending order.
    pub(super) fn replace(&mut self, entries: Range<usize>, lines: Vec<Line>) {
        self.blocks.push(Block { entries, lines, is_new: false });
    }

    /// Records the first answer to a question, which takes the place of these entries.
    pub(super) fn answer(&mut self, entries: Range<usize>, lines: Vec<Line>) {
        self.blocks.push(Block { entries, lines, is_new: true });
    }

    /// Records how the engine exited.
    pub(super) fn exit(&mut self, index: usize, exit: Exit) {
        self.exits.push((index, exit));
    }

    /// Records lines that came after the last entry.
    pub(super) fn append(&mut self, lines: Vec<Line>) {
        self.appended = lines;
    }

    /// The transcript with the changes applied.
    ///
    /// # Errors
    /// [`NoAnswer`] if a line that would be written is no answer.
    pub(super) fn apply(
        self,
        transcript: &Transcript,
        matcher: &Matcher,
        pinned: bool,
    ) -> Result<Transcript, NoAnswer> {
        let mut old = transcript.entries.clone();
        for (index, exit) in self.exits {
            old[index] = Entry::Expected(Expected::End(Some(exit)));
        }
        let mut entries = Vec::with_capacity(old.len());
        let mut done = 0;
        for block in self.blocks {
            entries.extend_from_slice(&old[done..block.entries.start]);
            done = block.entries.end;
            rewrite(&old, block, matcher, &mut entries)?;
        }
        entries.extend_from_slice(&old[done..]);
        for line in self.appended {
            entries.push(entry(line, old.len())?);
        }
        if pinned {
            rename(&mut entries);
        }
        Ok(Transcript { entries })
    }
}

/// A line of the engine that is no answer to anything. No transcript is updated to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoAnswer {
    /// The index of the entry at which it came.
    pub(super) index: usize,
    pub(super) line: Line,
}

/// Rewrites a block. Entries that still match a line are kept, and so are comments. Optional lines are added only if
/// the block had such lines before, or answer a question that had no answer.
fn rewrite(
    old: &[Entry],
    block: Block,
    matcher: &Matcher,
    entries: &mut Vec<Entry>,
) -> Result<(), NoAnswer> {
    let Block { entries: range, lines, is_new } = block;
    let is_idle = |index: usize| {
        matches!(old[index], Entry::Expected(_))
            && !is_end(&old[index])
            && matcher.stream(index).is_none()
    };
    let keeps_idle = range.clone().any(is_idle);
    // The lines of an engine's introduction are the answer to a question, though they may come at any time.
    let is_wanted = |line: &Line| {
        !matcher.may_come(range.start, line) || is_new && matcher::is_introduction(line)
    };
    let is_comment = |entry: &&Entry| !matches!(entry, Entry::Expected(_));
    let mut next = range.start;
    for line in lines {
        if let Some(found) = (next..range.end).find(|index| matcher.fits(*index, &line)) {
            entries.extend(old[next..found].iter().filter(is_comment).cloned());
            entries.push(old[found].clone());
            next = found + 1;
        } else if keeps_idle || is_wanted(&line) {
            entries.push(entry(line, next)?);
        }
    }
    let is_kept = |entry: &&Entry| is_comment(entry) || is_end(entry);
    entries.extend(old[next..range.end].iter().filter(is_kept).cloned());
    Ok(())
}

fn is_end(entry: &Entry) -> bool {
    matches!(entry, Entry::Expected(Expected::End(_)))
}

/// The entry for a line that was not recorded before, which came at this index.
fn entry(line: Line, index: usize) -> Result<Entry, NoAnswer> {
    match line {
        Line::Text(text) if !matches!(Reply::parse(&text), Reply::Other(_)) => {
            Ok(Entry::Expected(if text.contains('\r') {
                Expected::Bytes(text.into_bytes())
            } else {
                line_entry(text)
            }))
        }
        line => Err(NoAnswer { index, line }),
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
