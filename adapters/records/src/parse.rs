//! Parsing records.

use std::iter::Peekable;
use std::str::Lines;

use leap_protocol::shown;

use super::tree::Tree;
use super::{FORMAT, Outcome, Places, Ply, Record, RecordError, RecordFault};

impl Record {
    /// Parses consecutive records. A byte order mark before the first is skipped.
    ///
    /// # Errors
    /// For the first fault, with its line.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, RecordError> {
        Self::parse_each(text).map(|record| record.map(|(_, record)| record)).collect()
    }

    /// Parses one record at a time, each with the lines of its parts. Stop at the first error.
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
    /// The text between braces, which may extend over lines.
    Comment(String),
    /// The beginning and the end of a variation.
    Begin,
    End,
}

/// The text that is still to be read.
struct Reader<'a> {
    lines: Peekable<Lines<'a>>,
    /// The rest of the current line, and its number.
    rest: &'a str,
    line: usize,
    /// The format of the current record (SPEC 19.16).
    format: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().peekable(), rest: "", line: 0, format: 1 }
    }

    /// The next record and its lines; `None` at the end.
    fn record(&mut self) -> Result<Option<(Places, Record)>, RecordError> {
        self.skip_blank_lines();
        if self.lines.peek().is_none() {
            return Ok(None);
        }
        let mut places = Places { begin: self.line + 1, ..Places::default() };
        let mut tags = Vec::new();
        self.format = 1;
        while self.lines.peek().is_some_and(|line| line.starts_with('[')) {
            self.next_line();
            let tag = tag(self.rest).map_err(|fault| self.fault(fault))?;
            if tag.0 == "Format" {
                self.format = format(&tag.1).map_err(|fault| self.fault(fault))?;
            } else {
                places.tags.push(self.line);
                tags.push(tag);
            }
        }
        self.rest = "";
        let (plies, result) = self.moves(&mut places.moves)?;
        Ok(Some((places, Record { tags, plies, result })))
    }

    /// The moves and the result. `lines` receives the line of each move of the game itself.
    fn moves(&mut self, lines: &mut Vec<usize>) -> Result<(Vec<Ply>, Outcome), RecordError> {
        let mut tree = Tree::new(self.format);
        while let Some(token) = self.token()? {
            let taken = match token {
                Token::Comment(comment) => tree.comment(&comment),
                Token::Begin => tree.begin(),
                Token::End => tree.end(),
                Token::Word(word) => {
                    if let Some(result) = result(word) {
                        let plies = tree.finish(word).map_err(|fault| self.fault(fault))?;
                        self.end_of_line()?;
                        return Ok((plies, result));
                    }
                    let is_of_game = tree.word(word);
                    if is_of_game == Ok(true) {
                        lines.push(self.line);
                    }
                    is_of_game.map(|_| ())
                }
            };
            taken.map_err(|fault| self.fault(fault))?;
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
            for (sign, token) in [('(', Token::Begin), (')', Token::End)] {
                if let (Some(rest), 2..) = (self.rest.strip_prefix(sign), self.format) {
                    self.rest = rest;
                    return Ok(Some(token));
                }
            }
            if !self.rest.is_empty() {
                let has_variations = self.format > 1;
                let ends = |c: char| {
                    c.is_whitespace() || c == '{' || has_variations && matches!(c, '(' | ')')
                };
                let end = self.rest.find(ends);
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

/// The format that a tag names, from 1 to [`FORMAT`].
fn format(value: &str) -> Result<u32, RecordFault> {
    let known = value.parse().ok().filter(|format| (1..=FORMAT).contains(format));
    known.ok_or_else(|| RecordFault::Format { newest: FORMAT, found: shown(value) })
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
        // Earlier versions wrote this for an unfinished game.
        "void" => Some(Outcome::Void),
        _ => Outcome::ALL.into_iter().find(|outcome| outcome.as_str() == word),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Score;
    use crate::tree::MAX_MOVES;

    fn record() -> Record {
        let ply = |n: i32| Ply {
            mv: format!("a{n}b{n}"),
            score: Some(if n % 3 == 0 { Score::Mate(-n) } else { Score::Cp(n * 100 - 700) }),
            depth: Some(n as u32),
            nodes: Some(1 << n),
            time_us: Some(123_456),
            ..Ply::default()
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

    /// A game with variations in variations, annotations, and texts that are longer than a line.
    fn annotated() -> Record {
        let mut record = record();
        let inner = vec![Ply { glyphs: vec![2], ..Ply::of_opening("c1c2") }];
        let long = ["word"; 60].join(" ");
        let outer = vec![
            Ply { text: long.clone(), ..Ply::of_opening("b1b2") },
            Ply { variations: vec![inner], ..Ply::of_opening("b2b3") },
            Ply::of_opening("b3b4"),
        ];
        record.plies[3].variations = vec![outer, vec![Ply::of_opening("d1d2")]];
        record.plies[3].glyphs = vec![4, 18];
        record.plies[4].text = format!("cp 3 : (a text) {long}");
        record.plies[0].text = "the first move".to_owned();
        let last = record.plies.len() - 1;
        record.plies[last].variations = vec![vec![Ply::of_opening("e1e2")]];
        record
    }

    #[test]
    fn annotated_records_read_back_as_they_were_written() {
        let records = [annotated(), record(), annotated()];
        let text: String = records.iter().map(Record::to_string).collect();
        assert_eq!(Record::parse_all(&text).unwrap(), records);
        assert!(text.lines().all(|line| line.len() <= 110), "{text}");
        assert_eq!(
            text.matches("[Format \"2\"]").count(),
            2,
            "a plain record is of the first format"
        );
    }

    #[test]
    fn annotations_stand_as_the_specification_shows_them() {
        let text = "[Format \"2\"]\n[Game \"alquerque\"]\n\n\
                    1. b2c3 $6 {cp -9 : the only move} 2. b3b2 (2. d4b2 $1 3. a1c3 (3. c2c3) 4. a3a1) \
                    3. b1b3 p1win\n\n";
        let [record] = &Record::parse_all(text).unwrap()[..] else { panic!("one record") };
        assert_eq!(
            record.to_string().split_whitespace().collect::<Vec<_>>(),
            text.split_whitespace().collect::<Vec<_>>()
        );
        let [first, second, third] = &record.plies[..] else { panic!("three moves") };
        assert_eq!((first.score, first.text.as_str()), (Some(Score::Cp(-9)), "the only move"));
        let [line] = &second.variations[..] else { panic!("one variation") };
        assert_eq!((line[0].mv.as_str(), line.len(), line[1].variations.len()), ("d4b2", 3, 1));
        assert_eq!(third.mv, "b1b3");
    }

    /// A word of the first format may contain characters that are signs in the second.
    #[test]
    fn the_format_decides_what_signs_mean() {
        let moves = |text| Record::parse_all(text).map(|records| records[0].plies.len());
        assert_eq!(moves("1. a(1) 2. $5 {: cp 3} draw\n"), Ok(2));
        assert_eq!(moves("[Format \"1\"]\n\n1. (a) draw\n"), Ok(1));
        assert_eq!(moves("[Format \"2\"]\n\n1. a (1. b) draw\n"), Ok(1));
        let [record] = &Record::parse_all("1. a1a2 {x : cp 3} *\n").unwrap()[..] else { panic!() };
        assert_eq!(record.plies[0].score, Some(Score::Cp(3)), "as earlier versions read it");
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
            format!("[Format \"2\"]\n\n{}", "a (".repeat(80_000)),
            format!("[Format \"2\"]\n\na {}", "(b) ".repeat(MAX_MOVES)),
            format!("[Format \"2\"]\n\na {}", ")".repeat(80_000)),
        ] {
            let Err(error) = Record::parse_all(&text) else { panic!("{} is read", shown(&text)) };
            let error = error.to_string();
            assert!(error.len() < 500 && !error.contains('\n'), "{error}");
        }
    }

    /// The reader in Python decides these cases in the same way (adapters/python/tests/test_records.py).
    #[test]
    fn the_shared_cases_are_read_printed_and_refused_with_their_places() {
        let cases: Vec<Value> = serde_json::from_str(include_str!("../tests/cases.json")).unwrap();
        for case in cases {
            let text = case["text"].as_str().unwrap();
            let records = match Record::parse_all(text) {
                Ok(records) => records,
                Err(error) => {
                    assert_eq!(case["error"], error.to_string(), "{text}");
                    continue;
                }
            };
            let read = |record: &Record| json!({"tags": record.tags, "plies": record.plies, "result": record.result.as_str()});
            assert_eq!(case["records"], records.iter().map(read).collect::<Value>(), "{text}");
            if let Some(printed) = case["printed"].as_str() {
                assert_eq!(records.iter().map(Record::to_string).collect::<String>(), printed);
                assert_eq!(Record::parse_all(printed).unwrap(), records);
            }
        }
    }
}
