//! Parsing records.

use std::iter::Peekable;
use std::str::{FromStr, Lines};

use leap_protocol::shown;

use super::{Outcome, Places, Ply, Record, RecordError, RecordFault, Score};

/// The most moves of a game: engines accept no longer ones (SPEC 3.15).
const MAX_MOVES: usize = 100_000;

impl Record {
    /// Parses consecutive records. A byte order mark before the first is skipped.
    ///
    /// # Errors
    /// For the first fault, with its line.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, RecordError> {
        Self::parse_each(text).map(|record| record.map(|(_, record)| record)).collect()
    }

    /// Like [`Record::parse_all`], one at a time, each with the lines on which its parts stand. Stop at the first error.
    pub fn parse_each(
        text: &str,
    ) -> impl Iterator<Item = Result<(Places, Self), RecordError>> + '_ {
        let mut reader = Reader::new(text.strip_prefix('\u{feff}').unwrap_or(text));
        std::iter::from_fn(move || reader.record().transpose())
    }
}

/// A part of the text of the moves.
enum Token<'a> {
    Word(&'a str),
    /// What stands between braces, which may extend over lines.
    Comment(String),
}

/// The text that is still to be read.
struct Reader<'a> {
    lines: Peekable<Lines<'a>>,
    /// The rest of the current line, and its number.
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().peekable(), rest: "", line: 0 }
    }

    /// The next record and its lines; `None` at the end.
    fn record(&mut self) -> Result<Option<(Places, Record)>, RecordError> {
        self.skip_blank_lines();
        if self.lines.peek().is_none() {
            return Ok(None);
        }
        let mut places = Places { begin: self.line + 1, ..Places::default() };
        let mut tags = Vec::new();
        while self.lines.peek().is_some_and(|line| line.starts_with('[')) {
            self.next_line();
            places.tags.push(self.line);
            tags.push(tag(self.rest).map_err(|fault| self.fault(fault))?);
        }
        self.rest = "";
        let (plies, result) = self.moves(&mut places.moves)?;
        Ok(Some((places, Record { tags, plies, result })))
    }

    /// The moves and the result; notes the line of each move.
    fn moves(&mut self, lines: &mut Vec<usize>) -> Result<(Vec<Ply>, Outcome), RecordError> {
        let mut plies: Vec<Ply> = Vec::new();
        while let Some(token) = self.token()? {
            let word = match token {
                Token::Word(word) => word,
                Token::Comment(comment) => {
                    let ply = plies.last_mut();
                    let ply = ply.ok_or_else(|| self.fault(RecordFault::EarlyComment))?;
                    read_comment(ply, &comment).map_err(|fault| self.fault(fault))?;
                    continue;
                }
            };
            if let Some(number) = word.strip_suffix('.') {
                let expected = plies.len() + 1;
                if number.parse() != Ok(expected) {
                    return Err(self.fault(RecordFault::Number { expected, found: shown(word) }));
                }
            } else if let Some(result) = result(word) {
                self.end_of_line()?;
                return Ok((plies, result));
            } else if word.contains('}') {
                return Err(self.fault(RecordFault::Move { found: shown(word) }));
            } else if plies.len() == MAX_MOVES {
                return Err(self.fault(RecordFault::TooManyMoves { most: MAX_MOVES }));
            } else {
                plies.push(Ply::of_opening(word));
                lines.push(self.line);
            }
        }
        let is_last = self.lines.peek().is_none();
        Err(self.fault(if is_last { RecordFault::NoResult } else { RecordFault::NoResultBetween }))
    }

    /// The next part of the moves; `None` at the tags of the next record or at the end.
    fn token(&mut self) -> Result<Option<Token<'a>>, RecordError> {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(comment) = self.rest.strip_prefix('{') {
                self.rest = comment;
                return self.comment().map(|comment| Some(Token::Comment(comment)));
            }
            if !self.rest.is_empty() {
                let end = self.rest.find(|c: char| c.is_whitespace() || c == '{');
                let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                self.rest = rest;
                return Ok(Some(Token::Word(word)));
            }
            if self.lines.peek().is_none_or(|line| line.starts_with('[')) {
                return Ok(None);
            }
            self.next_line();
        }
    }

    /// The rest of a comment.
    fn comment(&mut self) -> Result<String, RecordError> {
        let begin = self.line;
        let mut comment = String::new();
        loop {
            if let Some((end, rest)) = self.rest.split_once('}') {
                comment.push_str(end);
                self.rest = rest;
                return Ok(comment);
            }
            comment.push_str(self.rest);
            comment.push(' ');
            if !self.next_line() {
                return Err(RecordError { line: begin, fault: RecordFault::OpenComment });
            }
        }
    }

    fn end_of_line(&mut self) -> Result<(), RecordError> {
        let rest = std::mem::take(&mut self.rest).trim();
        if rest.is_empty() {
            return Ok(());
        }
        Err(self.fault(RecordFault::AfterResult { found: shown(rest) }))
    }

    fn skip_blank_lines(&mut self) {
        while self.lines.next_if(|line| line.trim().is_empty()).is_some() {
            self.line += 1;
        }
    }

    /// Goes to the next line; `false` at the end.
    fn next_line(&mut self) -> bool {
        let Some(line) = self.lines.next() else { return false };
        self.rest = line;
        self.line += 1;
        true
    }

    /// A fault on the current line.
    fn fault(&self, fault: RecordFault) -> RecordError {
        RecordError { line: self.line, fault }
    }
}

fn tag(line: &str) -> Result<(String, String), RecordFault> {
    let inner = line.trim_end().strip_prefix('[').and_then(|line| line.strip_suffix("\"]"));
    let Some((name, value)) = inner.and_then(|inner| inner.split_once(" \"")) else {
        return Err(RecordFault::Tag { found: shown(line) });
    };
    let mut plain = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next().ok_or(RecordFault::Escape)? } else { c });
    }
    Ok((name.to_owned(), plain))
}

fn result(word: &str) -> Option<Outcome> {
    match word {
        // What earlier versions wrote for an unfinished game.
        "void" => Some(Outcome::Void),
        _ => Outcome::ALL.into_iter().find(|outcome| outcome.as_str() == word),
    }
}

/// Reads the keys with numbers; anything else in a comment is skipped.
fn read_comment(ply: &mut Ply, comment: &str) -> Result<(), RecordFault> {
    fn number<T: FromStr>(key: &str, value: Option<&str>) -> Result<Option<T>, RecordFault> {
        let key = || key.to_owned();
        let value = value.ok_or_else(|| RecordFault::NoValue { key: key() })?;
        let wrong = |_| RecordFault::Value { key: key(), found: shown(value) };
        value.parse().map(Some).map_err(wrong)
    }
    let mut words = comment.split_whitespace();
    while let Some(key) = words.next() {
        match key {
            "cp" => ply.score = number(key, words.next())?.map(Score::Cp),
            "mate" => ply.score = number(key, words.next())?.map(Score::Mate),
            "depth" => ply.depth = number(key, words.next())?,
            "nodes" => ply.nodes = number(key, words.next())?,
            "us" => ply.time_us = number(key, words.next())?,
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
    fn a_game_without_a_result_is_written_in_one_way_and_read_in_two() {
        for word in ["*", "void"] {
            let [record] = &Record::parse_all(&format!("1. a1a2 {word}\n")).unwrap()[..] else {
                unreachable!("one record")
            };
            assert_eq!(record.result, Outcome::Void);
            assert_eq!(record.to_string(), "\n1. a1a2 *\n\n");
        }
    }

    #[test]
    fn what_people_and_other_programs_write_is_read() {
        for (text, moves) in [
            ("\u{feff}\r\n[Event \"a\"]\r\n[Game \"x\"]\r\n\r\n1. a1a2\r\n2. b1b2\r\n*\r\n", 2),
            ("[Game \"x\"]\n1. a1a2{a comment\n\n[Game \"y\"] } 2. b1b2 {cp 5 good} *", 2),
            ("1. a1a2 {{{ {nested} a1a3 draw", 2),
            ("a1a2 b1b2 draw", 2),
            ("p1win", 0),
        ] {
            let records = Record::parse_all(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(records.len(), 1, "{text}");
            assert_eq!(records[0].plies.len(), moves, "{text}");
        }
    }

    #[test]
    fn nothing_makes_reading_slow_or_its_errors_long() {
        let braces = "{".repeat(80_000);
        let comments = format!("a1a2{} draw\n", " {}".repeat(80_000));
        assert_eq!(Record::parse_all(&comments).unwrap()[0].plies.len(), 1);
        for text in [
            format!("1. a1a2 {braces}\n"),
            format!("1. a1a2 {}\n", "{ ".repeat(80_000)),
            format!("1. a1a2 {}\n", "{\n".repeat(80_000)),
            format!("1. a1a2 {}{} draw\n", "{ ".repeat(80_000), "} ".repeat(80_000)),
            format!("[{}\n", "[".repeat(80_000)),
            format!("{braces} {braces}"),
            format!("draw {braces}\n"),
            format!("a1a2 {{cp {braces}}} draw\n"),
            "a1a2 ".repeat(MAX_MOVES + 1),
        ] {
            let Err(error) = Record::parse_all(&text) else { panic!("{} is read", shown(&text)) };
            let error = error.to_string();
            assert!(error.len() < 500 && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn what_is_no_record_is_refused_with_its_place() {
        for (text, place) in [
            ("[Game \"x\"]\n[P1 y]\n\ndraw\n", "line 2: expected [Name \"value\"], found '[P1 y]'"),
            ("\n1. a1a2 {cp x} draw\n", "line 2: cp: expected a number, found 'x'"),
            ("\n1. a1a2 {depth} draw\n", "line 2: depth: expected a number, found none"),
            ("1. a1a2\n", "line 1: expected a result"),
            ("1. a1a2\n\n[Game \"x\"]\n\ndraw\n", "line 2: expected a result"),
            ("1. a1a2\n3. a1a2 draw\n", "line 2: expected number 2, found '3.'"),
            ("1. a1a2 {cp 3 draw\n", "line 1: expected a '}'"),
            ("{cp 3} draw\n", "line 1: expected a move before a comment"),
            ("draw more \n", "line 1: expected nothing after the result, found 'more'"),
            ("draw\nmore\n", "line 2: expected a result"),
        ] {
            let error = Record::parse_all(text).unwrap_err().to_string();
            assert!(error.starts_with(place), "{text}: {error}");
        }
        assert!(Record::parse_all("").unwrap().is_empty());
    }
}
