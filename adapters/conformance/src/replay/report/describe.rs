//! Describing a mismatch in words.

use leap_base::terminal::visible;
use leap_protocol::Line;
use leap_transcript::{Entry, Exit, Rule, Transcript};

use crate::replay::outcome::Mismatch;
use crate::runner::Divergence;

/// How many entries before the mismatch are shown.
const BEFORE: usize = 10;
/// How many characters of a line are shown.
const WIDTH: usize = 100;
/// How many of them precede the first difference.
const LEAD: usize = 40;
/// Stands for the rest of a line.
const ELLIPSIS: char = '…';

/// What went wrong, in one line.
pub(in crate::replay) fn summary(transcript: &Transcript, mismatch: &Mismatch) -> String {
    let at = match transcript.entries.get(mismatch.index) {
        Some(_) => format!("line {}", Transcript::line_of(mismatch.index)),
        None => "after the last line".to_owned(),
    };
    let what = match &mismatch.fault {
        Divergence::Other(line) => format!("found another line: {}", cut(&found(line), 0)),
        Divergence::NoAnswer(line) => {
            format!("no update: expected an answer, found {}", cut(&found(line), 0))
        }
        Divergence::Illegal(line, why) => format!("the move is not legal: {}: {why}", found(line)),
        Divergence::IllegalExpected(why) => format!("expected a legal move, found {why}"),
        Divergence::Header(line) => {
            format!("the engine refuses the header: {}", cut(&found(line), 0))
        }
        Divergence::Ended(None) => "the engine closed its output".to_owned(),
        Divergence::Ended(Some(Exit::Code(code))) => format!("the engine ended with status {code}"),
        Divergence::Ended(Some(Exit::Signal(signal))) => {
            format!("the engine died of signal {signal}")
        }
        Divergence::Silent { waited, alive: true } => {
            let waited = waited.as_secs_f32();
            format!("nothing came for {waited:.1} s, but the engine still answers")
        }
        Divergence::Silent { waited, alive: false } => {
            format!("the engine hangs: nothing for {:.1} s", waited.as_secs_f32())
        }
    };
    format!("{at}: {what}")
}

/// The preceding lines, the difference, and any further details.
pub(super) fn details(transcript: &Transcript, mismatch: &Mismatch) -> Vec<String> {
    let mut lines: Vec<_> = before(transcript, mismatch.index);
    let expected = transcript.entries.get(mismatch.index);
    let expected = expected.map(|entry| visible(&entry.to_string()));
    let number = |sign: char| format!("{:>6} {sign} ", Transcript::line_of(mismatch.index));
    match (&expected, &mismatch.fault) {
        (
            Some(expected),
            Divergence::Other(line) | Divergence::NoAnswer(line) | Divergence::Illegal(line, _),
        ) => {
            let found = format!("< {}", found(line));
            let at = difference(expected, &found);
            lines.push(format!("{}{}", number('-'), cut(expected, at)));
            lines.push(format!("{:>6} + {}", "", cut(&found, at)));
            let shown = if at < WIDTH { at } else { LEAD + 1 };
            lines.push(format!("{:>6}   {:>shown$}^", "", ""));
        }
        (Some(expected), _) => lines.push(format!("{}{}", number('-'), cut(expected, 0))),
        (None, Divergence::Other(line) | Divergence::NoAnswer(line)) => {
            lines.push(format!("{:>6} + < {}", "", cut(&found(line), 0)));
        }
        (None, _) => {}
    }
    let rules = transcript.rules(mismatch.pinned);
    if let Some(how) = rules.get(mismatch.index).and_then(|rule| how(rule, expected.as_deref())) {
        lines.push(format!("expected: {how}"));
    }
    if let Some(position) = &mismatch.position {
        lines.push(format!("position: {position}"));
    }
    lines.extend(mismatch.stderr.iter().map(|line| format!("standard error: {}", cut(line, 0))));
    lines
}

/// The preceding entries, as they are in the file.
fn before(transcript: &Transcript, index: usize) -> Vec<String> {
    let entries = transcript.entries.iter().enumerate().take(index);
    let entries: Vec<_> = entries.filter(|(_, entry)| !matches!(entry, Entry::Blank)).collect();
    let last = entries.iter().rev().take(BEFORE).rev();
    last.map(|(index, entry)| {
        let line = Transcript::line_of(*index);
        format!("{line:>6}   {}", cut(&entry.to_string(), 0))
    })
    .collect()
}

/// How a line was compared, if the line itself does not show it.
fn how(rule: &Rule, expected: Option<&str>) -> Option<String> {
    match rule {
        Rule::AnyMove { .. } => Some("any legal move".to_owned()),
        Rule::Pattern(pattern) => {
            let pattern = pattern.to_string();
            (!expected?.ends_with(&pattern)).then(|| cut(&pattern, 0))
        }
        Rule::NotUtf8 => Some("a line that is not UTF-8".to_owned()),
        _ => None,
    }
}

fn found(line: &Line) -> String {
    match line {
        Line::Text(text) => visible(text),
        Line::TooLong => "(a line that is too long)".to_owned(),
        Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
    }
}

/// The first character, counted from 0, at which two lines differ.
fn difference(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// The part of a line around this character.
fn cut(line: &str, at: usize) -> String {
    let length = line.chars().count();
    if length <= WIDTH {
        return line.to_owned();
    }
    let begin = if at < WIDTH { 0 } else { at - LEAD };
    let mut part: String = line.chars().skip(begin).take(WIDTH).collect();
    if begin > 0 {
        part.insert(0, ELLIPSIS);
    }
    if begin + WIDTH < length {
        part.push(ELLIPSIS);
    }
    part
}
