//! What a replay does not compare, so that nobody takes `equal` for more than it says.

use std::collections::BTreeMap;
use std::fmt;

use leap_transcript::{Entry, Expected, LineRules, Rule, Transcript, without_text};

/// Why something is not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// What the engine says about its search.
    Info,
    /// A move in whose place any legal one is right.
    Move,
    /// The engine's own description or opinion, in a transcript that is not pinned to it.
    Own,
    /// The end of a search or perft that was cut off.
    Cut,
    /// A line marked by `<*`.
    Marked,
}

/// The lines of transcripts that are not compared, or not as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Uncompared(BTreeMap<Kind, usize>);

impl Uncompared {
    /// What is not compared of a transcript that was replayed to its end.
    pub(super) fn of(transcript: &Transcript, pinned: bool) -> Self {
        let rules = transcript.rules(pinned);
        let mut found = Self::default();
        for (index, entry) in transcript.entries.iter().enumerate() {
            if let Some(kind) = kind(entry, &rules, index) {
                *found.0.entry(kind).or_default() += 1;
            }
        }
        found
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (kind, count) in &other.0 {
            *self.0.entry(*kind).or_default() += count;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn kind(entry: &Entry, rules: &LineRules, index: usize) -> Option<Kind> {
    let Entry::Expected(expected) = entry else { return None };
    match (rules.get(index)?, expected) {
        (Rule::AnyMove { .. }, _) => Some(Kind::Move),
        (Rule::Ignored, Expected::Default(line)) => Some(match first_word(line) {
            "info" if !line.starts_with("info perft") => Kind::Info,
            "id" | "option" | "rules" => Kind::Own,
            _ => Kind::Cut,
        }),
        (Rule::Ignored, _) => Some(Kind::Marked),
        // A pattern that the line itself does not have, beyond the texts and times of every line.
        (Rule::Pattern(pattern), Expected::Default(line)) if without_text(line).is_none() => {
            let pattern = pattern.to_string();
            let begin = pattern.strip_suffix(" ...").filter(|begin| !begin.contains("..."));
            begin
                .filter(|_| pattern != *line)
                .map(|_| if first_word(line) == "perft" { Kind::Cut } else { Kind::Own })
        }
        _ => None,
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// A list such as `3 info lines, 1 move (any legal move is right)`.
impl fmt::Display for Uncompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (kind, count)) in self.0.iter().enumerate() {
            let s = if *count == 1 { "" } else { "s" };
            f.write_str(if index == 0 { "" } else { ", " })?;
            match kind {
                Kind::Info => write!(f, "{count} info line{s}"),
                Kind::Move => write!(f, "{count} move{s} (any legal move is right)"),
                Kind::Own => write!(f, "{count} line{s} up to the engine (not pinned)"),
                Kind::Cut => write!(f, "{count} line{s} of a search that was cut off"),
                Kind::Marked => write!(f, "{count} line{s} marked <*"),
            }?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_that_is_not_compared_is_counted_by_its_reason() {
        let lines = "ugt 1\n> ugi\n< id name x\n< id author y\n< ugiok\n> eval\n< response 3\n\
                     > query p1turn\n< response true\n> go movetime 1\n< info depth 1\n\
                     < bestmove a1a2\n<* maybe\n> go movetime 1\n< error busy : x\n\
                     > perft 2\n< perft 2 nodes 1 time 1 nps 1\n> go infinite\n> quit\n< bestmove a1a2\n";
        let transcript: Transcript = lines.parse().unwrap();
        assert_eq!(
            Uncompared::of(&transcript, false).to_string(),
            "1 info line, 1 move (any legal move is right), 3 lines up to the engine (not pinned), \
             1 line of a search that was cut off, 1 line marked <*"
        );
        let pinned = Uncompared::of(&transcript, true).to_string();
        assert!(!pinned.contains("not pinned"), "{pinned}");
        let all: Transcript = "ugt 1\n> isready\n< readyok\n".parse().unwrap();
        assert!(Uncompared::of(&all, false).is_empty());
    }
}
