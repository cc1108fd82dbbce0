//! Parsing records.

use std::iter::Peekable;

use anyhow::{Context as _, bail, ensure};

use super::{Outcome, Ply, Record, Score};
use crate::terminal::shown;

impl Record {
    /// Parses consecutive records.
    ///
    /// # Errors
    /// If the text is malformed; the error names the line.
    pub fn parse_all(text: &str) -> anyhow::Result<Vec<Self>> {
        Self::parse_each(text).collect()
    }

    /// Like [`Record::parse_all`], one at a time. Stop at the first error.
    pub(crate) fn parse_each(text: &str) -> impl Iterator<Item = anyhow::Result<Self>> + '_ {
        let mut lines = text.lines().zip(1..).peekable();
        std::iter::from_fn(move || next(&mut lines).transpose())
    }
}

/// The next record; `None` at the end.
fn next<'a>(
    lines: &mut Peekable<impl Iterator<Item = (&'a str, usize)>>,
) -> anyhow::Result<Option<Record>> {
    while lines.next_if(|(line, _)| line.trim().is_empty()).is_some() {}
    let Some((_, begin)) = lines.peek().copied() else { return Ok(None) };
    let mut tags = Vec::new();
    while let Some((line, number)) = lines.next_if(|(line, _)| line.starts_with('[')) {
        tags.push(tag(line).with_context(|| format!("line {number}"))?);
    }
    while lines.next_if(|(line, _)| line.trim().is_empty()).is_some() {}
    let mut moves = String::new();
    while let Some((line, _)) =
        lines.next_if(|(line, _)| !line.trim().is_empty() && !line.starts_with('['))
    {
        moves.push_str(line);
        moves.push(' ');
    }
    let (plies, result) =
        movetext(&moves).with_context(|| format!("in the game of line {begin}"))?;
    Ok(Some(Record { tags, plies, result }))
}

fn tag(line: &str) -> anyhow::Result<(String, String)> {
    let inner = line.trim_end().strip_prefix('[').and_then(|line| line.strip_suffix("\"]"));
    let Some((name, value)) = inner.and_then(|inner| inner.split_once(" \"")) else {
        bail!("expected [Name \"value\"], found '{}'", shown(line));
    };
    let mut plain = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' {
            chars.next().context("expected a character after \\")?
        } else {
            c
        });
    }
    Ok((name.to_owned(), plain))
}

fn movetext(text: &str) -> anyhow::Result<(Vec<Ply>, Outcome)> {
    let mut plies: Vec<Ply> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(end) = rest.find(char::is_whitespace) {
        if let Some(comment) = rest.strip_prefix('{') {
            let (comment, after) = comment.split_once('}').context("expected a '}', found none")?;
            let ply = plies.last_mut().context("expected a move before a comment")?;
            read_comment(ply, comment)?;
            rest = after.trim_start();
            continue;
        }
        let word = &rest[..end];
        rest = rest[end..].trim_start();
        if let Some(number) = word.strip_suffix('.') {
            ensure!(
                number.parse() == Ok(plies.len() + 1),
                "expected number {}, found '{}'",
                plies.len() + 1,
                shown(word)
            );
            continue;
        }
        if let Some(result) = result(word) {
            ensure!(rest.is_empty(), "expected nothing after the result, found '{}'", shown(rest));
            return Ok((plies, result));
        }
        plies.push(Ply::of_opening(word));
    }
    bail!("expected a result at the end, found none")
}

fn result(word: &str) -> Option<Outcome> {
    let all = [Outcome::P1Win, Outcome::P2Win, Outcome::Draw, Outcome::Void];
    all.into_iter().find(|outcome| outcome.as_str() == word)
}

/// Parses pairs of keys and numbers; unknown keys are skipped.
fn read_comment(ply: &mut Ply, comment: &str) -> anyhow::Result<()> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    for pair in words.chunks(2) {
        let [key, value] = pair else {
            bail!("expected keys with values, found '{}'", shown(comment))
        };
        let wrong = || format!("{key}: expected a number, found '{}'", shown(value));
        match *key {
            "cp" => ply.score = Some(Score::Cp(value.parse().with_context(wrong)?)),
            "mate" => ply.score = Some(Score::Mate(value.parse().with_context(wrong)?)),
            "depth" => ply.depth = Some(value.parse().with_context(wrong)?),
            "nodes" => ply.nodes = Some(value.parse().with_context(wrong)?),
            "us" => ply.time_us = Some(value.parse().with_context(wrong)?),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let ply = |n: i32| Ply {
            mv: format!("a{n}b{n}"),
            score: Some(if n % 3 == 0 { Score::Mate(-n) } else { Score::Cp(n * 100 - 700) }),
            depth: Some(n as u32),
            nodes: Some(1 << n),
            time_us: Some(123_456),
        };
        let plies = [Ply::of_opening("c2a4"), Ply { score: None, ..ply(1) }];
        let tags = [("Game", "eximo"), ("P1", "a \"quoted\" \\ name]"), ("Fen", "")];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Record {
            tags: tags.to_vec(),
            plies: plies.into_iter().chain((2..12).map(ply)).collect(),
            result: Outcome::P2Win,
        }
    }

    #[test]
    fn records_read_back_as_they_were_written() {
        let empty = Record { plies: Vec::new(), result: Outcome::Void, ..record() };
        let records = [record(), empty, record()];
        let text: String = records.iter().map(Record::to_string).collect();
        assert_eq!(Record::parse_all(&text).unwrap(), records);
        assert!(text.lines().all(|line| line.len() <= 110), "{text}");
    }

    #[test]
    fn nothing_makes_reading_slow_or_its_errors_long() {
        let braces = "{".repeat(80_000);
        let comments = format!("a1a2{} draw\n", " {}".repeat(80_000));
        assert_eq!(Record::parse_all(&comments).unwrap()[0].plies.len(), 1);
        for text in [
            format!("1. a1a2 {braces}\n"),
            format!("1. a1a2 {}\n", "{ ".repeat(80_000)),
            format!("1. a1a2 {}{} draw\n", "{ ".repeat(80_000), "} ".repeat(80_000)),
            format!("[{}\n", "[".repeat(80_000)),
            format!("{braces} {braces}"),
            format!("draw {braces}\n"),
        ] {
            let error = format!("{:#}", Record::parse_all(&text).unwrap_err());
            assert!(error.len() < 500 && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn what_is_no_record_is_refused_with_its_place() {
        for (text, place) in [
            ("[Game \"x\"]\n[P1 y]\n\ndraw\n", "line 2"),
            ("\n1. a1a2 {cp x} draw\n", "line 2"),
            ("1. a1a2\n", "line 1"),
            ("2. a1a2 draw\n", "line 1"),
            ("1. a1a2 {cp 3 draw\n", "line 1"),
            ("{cp 3} draw\n", "line 1"),
            ("draw more \n", "line 1"),
        ] {
            let error = Record::parse_all(text).unwrap_err();
            assert!(format!("{error:#}").contains(place), "{text}: {error:#}");
        }
        assert!(Record::parse_all("").unwrap().is_empty());
    }
}
