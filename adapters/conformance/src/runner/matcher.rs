//! Comparing a line with the expected one.

use std::cell::RefCell;

use anyhow::Context;
use leap_protocol::{Line, Reply};
use leap_transcript::{Entry, LineRules, Rule, Sent, Stream, Transcript};
use regex::{Regex, RegexBuilder};

/// The most memory that a compiled regular expression may take. While it is used, it may take as much again.
const MAX_REGEX_BYTES: usize = 2 << 20;

/// The rules of a transcript, compiled.
#[derive(Debug, Clone)]
pub(crate) struct Matcher {
    rules: LineRules,
    /// The last regular expression used, with the index of its entry. A transcript may have any number of them, and
    /// each takes far more memory than its text.
    regex: RefCell<Option<(usize, Regex)>>,
    /// For each entry, the stream that its line is expected from; `None` if it expects none.
    streams: Vec<Option<Stream>>,
    /// Lines come in the order of the entries, and answers made of pairs may have further ones. For each entry, whether
    /// it is such an answer; empty if order between streams is free and answers are whole.
    grows: Vec<bool>,
}

/// Questions answered by pairs, to which later versions may append further ones (SPEC 4.3).
const GROWING: &[&str] = &["query status", "query effects", "query game"];

impl Matcher {
    /// Compiles the rules of a transcript.
    ///
    /// # Errors
    /// If a regular expression is malformed or too large.
    pub(crate) fn new(transcript: &Transcript, pinned: bool) -> anyhow::Result<Self> {
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
        Ok(Self { rules, regex: RefCell::default(), streams, grows: Vec::new() })
    }

    /// Wants the lines in the order of the entries, whatever their streams, and lets answers made of pairs grow.
    pub(crate) fn strict(mut self, transcript: &Transcript) -> Self {
        let mut may_grow = false;
        for entry in &transcript.entries {
            if let Entry::Sent(Sent::Line(line)) = entry {
                may_grow = GROWING.iter().any(|question| line.starts_with(question));
            }
            self.grows.push(may_grow);
        }
        self
    }

    pub(crate) fn is_strict(&self) -> bool {
        !self.grows.is_empty()
    }

    pub(crate) fn rules(&self) -> &LineRules {
        &self.rules
    }

    /// The stream that this entry expects a line from.
    pub(crate) fn stream(&self, index: usize) -> Option<Stream> {
        self.streams.get(index).copied().flatten()
    }

    /// How many lines of the stream are expected from this entry on.
    pub(crate) fn remaining(&self, index: usize, stream: Stream) -> usize {
        let rest = self.streams.get(index..).unwrap_or_default();
        rest.iter().filter(|found| **found == Some(stream)).count()
    }

    /// Whether the line matches, apart from the legality of moves.
    pub(crate) fn fits(&self, index: usize, line: &Line) -> bool {
        match (self.rules.get(index), line) {
            (Some(Rule::Pattern(pattern)), Line::Text(line)) => {
                let may_grow = self.grows.get(index) == Some(&true);
                pattern.matches(line) || may_grow && matches_and_more(&pattern.to_string(), line)
            }
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

    /// Whether the line may come while the entry is expected. In a script any `info` may, unless one is expected.
    pub(crate) fn may_come(&self, index: usize, line: &Line) -> bool {
        let Line::Text(line) = line else { return false };
        if self.is_strict() && line.split_whitespace().next() == Some("info") {
            let expected = self.rules.get(index);
            return !matches!(expected, Some(Rule::Pattern(info)) if info.to_string().starts_with("info"));
        }
        self.rules.may_come(line, index)
    }
}

/// Whether the line is the pattern followed by pairs whose keys the pattern does not have.
fn matches_and_more(pattern: &str, line: &str) -> bool {
    let more = line.strip_prefix(pattern).and_then(|rest| rest.strip_prefix(' '));
    let words: Vec<&str> = more.unwrap_or_default().split(' ').collect();
    let known: Vec<&str> = pattern.split(' ').collect();
    words.len() >= 2
        && words.len().is_multiple_of(2)
        && words.iter().step_by(2).all(|key| !known.contains(key))
}

fn compile(regex: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(regex).size_limit(MAX_REGEX_BYTES).dfa_size_limit(MAX_REGEX_BYTES).build()
}

/// The regular expression, anchored to match the whole line.
fn whole_line(regex: &str) -> Result<Regex, regex::Error> {
    compile(&format!("^(?:{regex})$"))
}

/// The stream of a line.
pub(crate) fn stream_of(line: &Line) -> Stream {
    match line {
        Line::Text(line) => Stream::of(line),
        Line::TooLong | Line::NotUtf8 => Stream::Reply,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_pairs_are_let_pass_and_known_ones_are_not() {
        let pattern = "response from a1 to b2 captured c3";
        assert!(matches_and_more(pattern, "response from a1 to b2 captured c3 side 2 ply 7"));
        assert!(!matches_and_more(pattern, "response from a1 to b2 captured c3 captured d3"));
        assert!(!matches_and_more(pattern, "response from a1 to b2 captured c3 side"));
        assert!(!matches_and_more(pattern, "response from a1 to b2 captured c33"));
    }
}
