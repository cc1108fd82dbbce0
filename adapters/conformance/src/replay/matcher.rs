//! Comparing a line with the expected one.

use std::cell::RefCell;

use anyhow::Context;
use leap_protocol::{Line, Reply};
use leap_transcript::{LineRules, Rule, Stream, Transcript};
use regex::{Regex, RegexBuilder};

/// The most memory that a compiled regular expression may take. While it is used, it may take as much again.
const MAX_REGEX_BYTES: usize = 2 << 20;

/// The rules of a transcript, compiled.
pub(super) struct Matcher {
    rules: LineRules,
    /// The last regular expression used, with the index of its entry. A transcript may have any number of them, and
    /// each takes far more memory than its text.
    regex: RefCell<Option<(usize, Regex)>>,
    /// For each entry, the stream that its line is expected from; `None` if it expects none.
    streams: Vec<Option<Stream>>,
    /// Entries with illegal moves, which no line fits.
    refused: Vec<usize>,
}

impl Matcher {
    /// Compiles the rules of a transcript.
    ///
    /// # Errors
    /// If a regular expression is malformed or too large.
    pub(super) fn new(transcript: &Transcript, pinned: bool) -> anyhow::Result<Self> {
        let rules = transcript.rules(pinned);
        let mut streams = Vec::with_capacity(transcript.entries.len());
        for (index, entry) in transcript.entries.iter().enumerate() {
            let rule = rules.get(index);
            if let Some(Rule::Regex(regex)) = rule {
                // Errors are reported before the engine is started.
                let line = || format!("line {}", Transcript::line_of(index));
                compile(regex).and_then(|_| whole_line(regex)).with_context(line)?;
            }
            streams.push(match rule {
                None | Some(Rule::Ignored | Rule::End(_)) => None,
                Some(_) => Some(entry.stream()),
            });
        }
        Ok(Self { rules, regex: RefCell::default(), streams, refused: Vec::new() })
    }

    pub(super) fn rules(&self) -> &LineRules {
        &self.rules
    }

    /// The stream that this entry expects a line from.
    pub(super) fn stream(&self, index: usize) -> Option<Stream> {
        self.streams.get(index).copied().flatten()
    }

    /// How many lines of the stream are expected from this entry on.
    pub(super) fn remaining(&self, index: usize, stream: Stream) -> usize {
        let rest = self.streams.get(index..).unwrap_or_default();
        rest.iter().filter(|found| **found == Some(stream)).count()
    }

    /// No line fits this entry any more.
    pub(super) fn refuse(&mut self, index: usize) {
        self.refused.push(index);
    }

    /// Whether the line matches, apart from the legality of moves.
    pub(super) fn fits(&self, index: usize, line: &Line) -> bool {
        if self.refused.contains(&index) {
            return false;
        }
        match (self.rules.get(index), line) {
            (Some(Rule::Pattern(pattern)), Line::Text(line)) => pattern.matches(line),
            (Some(Rule::Regex(regex)), Line::Text(line)) => self.matches(index, regex, line),
            (Some(Rule::AnyMove { id, ponder }), Line::Text(line)) => {
                match Reply::parse_strict(line) {
                    Reply::BestMove { mv: Some(_), ponder: found, id: found_id } => {
                        found_id == *id && (*ponder || found.is_none())
                    }
                    _ => false,
                }
            }
            (Some(Rule::NotUtf8), line) => *line == Line::NotUtf8,
            (Some(Rule::TooLong), line) => *line == Line::TooLong,
            _ => false,
        }
    }

    /// Whether the regular expression of this entry matches the line.
    fn matches(&self, index: usize, regex: &str, line: &str) -> bool {
        let mut last = self.regex.borrow_mut();
        if last.as_ref().is_none_or(|(of, _)| *of != index) {
            // `new` has compiled it before, so this does not fail.
            *last = whole_line(regex).ok().map(|regex| (index, regex));
        }
        last.as_ref().is_some_and(|(_, regex)| regex.is_match(line))
    }

    /// Whether the line may come while the entry is expected.
    pub(super) fn may_come(&self, index: usize, line: &Line) -> bool {
        matches!(line, Line::Text(line) if self.rules.may_come(line, index))
    }
}

fn compile(regex: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(regex).size_limit(MAX_REGEX_BYTES).dfa_size_limit(MAX_REGEX_BYTES).build()
}

/// The regular expression, anchored to match the whole line.
fn whole_line(regex: &str) -> Result<Regex, regex::Error> {
    compile(&format!("^(?:{regex})$"))
}

/// Whether the line is one of those in which an engine introduces itself and its games.
pub(super) fn is_introduction(line: &Line) -> bool {
    matches!(line, Line::Text(line) if matches!(
        Reply::parse(line),
        Reply::Id { .. } | Reply::Option(_) | Reply::Rules(_)
    ))
}

/// The stream of a line.
pub(super) fn stream_of(line: &Line) -> Stream {
    match line {
        Line::Text(line) => Stream::of(line),
        Line::TooLong | Line::NotUtf8 => Stream::Reply,
    }
}
