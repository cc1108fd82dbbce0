//! The moves of a game while they are read, with their variations (SPEC 19.15, 19.16).

use std::str::FromStr;

use leap_protocol::shown;

use super::{Ply, RecordFault, Score};

/// The most moves of a game, those of variations included: engines accept no longer games (SPEC 3.15).
pub(super) const MAX_MOVES: usize = 100_000;

/// The most variations within one another: readers may follow them by recursion.
pub(super) const MAX_DEPTH: usize = 64;

/// A line of moves: the game itself, or a variation.
struct Line {
    /// The number of its first move.
    first: usize,
    plies: Vec<Ply>,
}

/// The moves read so far.
pub(super) struct Tree {
    /// The format of the record (SPEC 19.16).
    format: u32,
    game: Line,
    /// The open variations, each within the one before.
    open: Vec<Line>,
    /// Moves in all lines.
    count: usize,
}

impl Tree {
    pub(super) fn new(format: u32) -> Self {
        let game = Line { first: 1, plies: Vec::new() };
        Self { format, game, open: Vec::new(), count: 0 }
    }

    /// The line that goes on.
    fn line(&mut self) -> &mut Line {
        self.open.last_mut().unwrap_or(&mut self.game)
    }

    /// The last move of that line, or the fault if there is none.
    fn last(&mut self, fault: RecordFault) -> Result<&mut Ply, RecordFault> {
        self.line().plies.last_mut().ok_or(fault)
    }

    /// Begins a variation in place of the last move.
    pub(super) fn begin(&mut self) -> Result<(), RecordFault> {
        self.last(RecordFault::EarlyVariation)?;
        if self.open.len() == MAX_DEPTH {
            return Err(RecordFault::TooDeep { most: MAX_DEPTH });
        }
        let line = self.line();
        let first = line.first + line.plies.len() - 1;
        self.open.push(Line { first, plies: Vec::new() });
        Ok(())
    }

    /// Ends a variation.
    pub(super) fn end(&mut self) -> Result<(), RecordFault> {
        let ended = self.open.pop().ok_or(RecordFault::NoVariation)?;
        if ended.plies.is_empty() {
            return Err(RecordFault::EmptyVariation);
        }
        self.last(RecordFault::EarlyVariation)?.variations.push(ended.plies);
        Ok(())
    }

    /// Takes a word other than a result: a number, an annotation or a move. Returns whether it is a move of the game
    /// itself.
    pub(super) fn word(&mut self, word: &str) -> Result<bool, RecordFault> {
        if let Some(number) = word.strip_suffix('.') {
            let line = self.line();
            let expected = line.first + line.plies.len();
            if number.parse() != Ok(expected) {
                return Err(RecordFault::Number { expected, found: shown(word) });
            }
            return Ok(false);
        }
        if let (Some(glyph), 2..) = (word.strip_prefix('$'), self.format) {
            let glyph = glyph.parse().map_err(|_| RecordFault::Glyph { found: shown(word) })?;
            self.last(RecordFault::EarlyComment)?.glyphs.push(glyph);
            return Ok(false);
        }
        if word.contains('}') {
            return Err(RecordFault::Move { found: shown(word) });
        }
        if self.count == MAX_MOVES {
            return Err(RecordFault::TooManyMoves { most: MAX_MOVES });
        }
        self.count += 1;
        self.line().plies.push(Ply::of_opening(word));
        Ok(self.open.is_empty())
    }

    /// Takes a comment about the last move.
    pub(super) fn comment(&mut self, comment: &str) -> Result<(), RecordFault> {
        let format = self.format;
        read_comment(self.last(RecordFault::EarlyComment)?, comment, format)
    }

    /// The moves of the game, once its result has been read.
    pub(super) fn finish(self, result: &str) -> Result<Vec<Ply>, RecordFault> {
        if self.open.is_empty() {
            return Ok(self.game.plies);
        }
        Err(RecordFault::OpenVariation { found: shown(result) })
    }
}

/// Reads the keys with numbers, and from format 2 on the text after a colon. Other words are skipped.
fn read_comment(ply: &mut Ply, comment: &str, format: u32) -> Result<(), RecordFault> {
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
            ":" if format > 1 => {
                for word in words.by_ref() {
                    if !ply.text.is_empty() {
                        ply.text.push(' ');
                    }
                    ply.text.push_str(word);
                }
            }
            _ => {}
        }
    }
    Ok(())
}
