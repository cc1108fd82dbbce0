//! The body that says how a game stands.

use super::{GameResult, KeyValues, PayloadError};
use crate::{
    print::{OneLine, pair, pairs},
    scan::whole,
};
use nom::{
    character::complete::{char, i64 as number},
    sequence::separated_pair,
};
use std::{fmt, str::FromStr};

/// The answer to `query status`: pairs, of which the common ones are fields here.
///
/// What a game does not have is left out. Pairs of numbers are player 1's and player 2's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Whether the game is over.
    pub over: bool,
    /// Who has won.
    pub result: GameResult,
    /// Why the game is over, a word: `no-moves`, `count`, `repetition`, `quiet-limit` or
    /// `max-plies`; `none` while it goes on.
    pub reason: String,
    /// Who is to move.
    pub turn: Player,
    /// Moves made since the game began.
    pub ply: u64,
    /// Moves made since the last capture.
    pub quiet: u64,
    /// How often the position has occurred, this time included.
    pub repetitions: u64,
    /// Men on the board.
    pub men: Option<(i64, i64)>,
    /// Frogs on the board; they belong to nobody.
    pub frogs: Option<u64>,
    /// Points made.
    pub points: Option<(i64, i64)>,
    /// Pieces in reserve.
    pub reserves: Option<(i64, i64)>,
    /// Enemy pieces held flipped.
    pub flipped: Option<(i64, i64)>,
    /// Pairs of words that have no field, in order. No key is that of a field.
    pub other: Vec<(String, String)>,
}

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Player {
    /// `p1`, who moves first.
    P1,
    /// `p2`.
    P2,
}

impl FromStr for Player {
    type Err = PayloadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "p1" => Ok(Self::P1),
            "p2" => Ok(Self::P2),
            _ => Err(PayloadError::new("'p1' or 'p2'", text)),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::P1 => "p1",
            Self::P2 => "p2",
        })
    }
}

/// Pairs, from which the known ones are taken out.
struct Pairs(Vec<(String, String)>);

impl Pairs {
    fn take(&mut self, key: &str) -> Option<String> {
        let index = self.0.iter().position(|(k, _)| k == key)?;
        Some(self.0.remove(index).1)
    }

    fn required<T: FromStr>(&mut self, key: &str, expected: &'static str) -> Parsed<T> {
        self.optional(key, expected, |value| value.parse().ok())?
            .ok_or(PayloadError { expected, found: "no such pair".to_owned() })
    }

    fn optional<T>(
        &mut self,
        key: &str,
        expected: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Parsed<Option<T>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        parse(&value).map(Some).ok_or_else(|| PayloadError::new(expected, &value))
    }
}

type Parsed<T> = Result<T, PayloadError>;

/// `A-B`; either may have a sign of its own.
fn both(value: &str) -> Option<(i64, i64)> {
    whole(separated_pair(number, char('-'), number), value)
}

impl FromStr for Status {
    type Err = PayloadError;

    fn from_str(body: &str) -> Result<Self, Self::Err> {
        let mut pairs = Pairs(body.parse::<KeyValues>()?.0);
        Ok(Self {
            over: pairs.required("over", "over with 'true' or 'false'")?,
            result: pairs.required("result", "result with p1win, p2win, draw or none")?,
            reason: pairs.required("reason", "reason with a word")?,
            turn: pairs.required("turn", "turn with 'p1' or 'p2'")?,
            ply: pairs.required("ply", "ply with a whole number")?,
            quiet: pairs.required("quiet", "quiet with a whole number")?,
            repetitions: pairs.required("repetitions", "repetitions with a whole number")?,
            men: pairs.optional("men", "men with two numbers A-B", both)?,
            frogs: pairs.optional("frogs", "frogs with a whole number", |n| n.parse().ok())?,
            points: pairs.optional("points", "points with two numbers A-B", both)?,
            reserves: pairs.optional("reserves", "reserves with two numbers A-B", both)?,
            flipped: pairs.optional("flipped", "flipped with two numbers A-B", both)?,
            other: pairs.0,
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = |pair: Option<(i64, i64)>| pair.map(|(p1, p2)| format!("{p1}-{p2}"));
        write!(f, "over {} result {}", self.over, self.result)?;
        write!(f, " reason {} turn {}", OneLine(&self.reason), self.turn)?;
        write!(f, " ply {} quiet {}", self.ply, self.quiet)?;
        write!(f, " repetitions {}", self.repetitions)?;
        pair(f, "men", both(self.men))?;
        pair(f, "frogs", self.frogs)?;
        pair(f, "points", both(self.points))?;
        pair(f, "reserves", both(self.reserves))?;
        pair(f, "flipped", both(self.flipped))?;
        pairs(f, &self.other)
    }
}
