//! The body that describes the state of a game.

use std::fmt;
use std::str::FromStr;

use nom::character::complete::{char, i64 as number};
use nom::sequence::separated_pair;

use super::{GameResult, KeyValues, PayloadError};
use crate::print::{pair, pairs};
use crate::scan::whole;
use crate::visible::OneLine;

/// The answer to `query status`: pairs, of which the common ones are fields here.
///
/// A game leaves out what it does not have.
///
/// ```
/// use leap_protocol::payload::{GameResult, Side, Status, Tally};
///
/// let body = "over false result none reason none turn p2 ply 1 quiet 1 repetitions 1 men 5-4";
/// let status: Status = body.parse()?;
/// assert_eq!((status.result, status.turn), (GameResult::None, Side::P2));
/// assert_eq!(status.tally("men"), Some(Tally::Each(5, 4)));
/// assert_eq!(status.to_string(), body);
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Whether the game is over.
    pub over: bool,
    /// Who has won.
    pub result: GameResult,
    /// Why the game is over, a word: `no-moves`, `count`, `repetition`, `quiet-limit` or `max-plies`; `none` while it
    /// goes on.
    pub reason: String,
    /// Who is to move.
    pub turn: Side,
    /// Moves made since the game began.
    pub ply: u64,
    /// Moves made since the last capture.
    pub quiet: u64,
    /// How often the position has occurred, this time included.
    pub repetitions: u64,
    /// What the game counts (men, points, pieces in reserve ...), under the names shown to people, in order. No name is
    /// that of a field.
    pub tallies: Vec<(String, Tally)>,
    /// Other pairs of words, in order. No key is that of a field, and no value reads as a tally.
    pub other: Vec<(String, String)>,
}

/// Something that a game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display)]
pub enum Tally {
    /// `<a>-<b>`: player 1's and player 2's number; either may be negative.
    #[strum(to_string = "{0}-{1}")]
    Each(i64, i64),
    /// `<n>`: belongs to nobody.
    #[strum(to_string = "{0}")]
    Total(i64),
}

impl Status {
    /// What the game counts under this name.
    #[must_use]
    pub fn tally(&self, name: &str) -> Option<Tally> {
        self.tallies.iter().find(|(known, _)| known == name).map(|(_, tally)| *tally)
    }
}

impl Tally {
    fn parse(value: &str) -> Option<Self> {
        let each = separated_pair(number, char('-'), number);
        whole(each, value)
            .map(|(p1, p2)| Self::Each(p1, p2))
            .or_else(|| whole(number, value).map(Self::Total))
    }
}

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase", parse_err_ty = PayloadError, parse_err_fn = Side::expected)]
pub enum Side {
    /// `p1`, who moves first.
    P1,
    /// `p2`.
    P2,
}

impl Side {
    /// The opponent of this player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }

    fn expected(found: &str) -> PayloadError {
        PayloadError::new("'p1' or 'p2'", found)
    }
}

/// Pairs from which known keys are removed one by one.
struct Pairs(Vec<(String, String)>);

impl Pairs {
    fn take(&mut self, key: &str) -> Option<String> {
        let index = self.0.iter().position(|(k, _)| k == key)?;
        Some(self.0.remove(index).1)
    }

    fn required<T: FromStr>(
        &mut self,
        key: &str,
        expected: &'static str,
    ) -> Result<T, PayloadError> {
        let missing = || PayloadError { expected, found: "no such pair".to_owned() };
        let value = self.take(key).ok_or_else(missing)?;
        value.parse().map_err(|_| PayloadError::new(expected, &value))
    }
}

impl FromStr for Status {
    type Err = PayloadError;

    fn from_str(body: &str) -> Result<Self, Self::Err> {
        let mut pairs = Pairs(body.parse::<KeyValues>()?.0);
        let mut status = Self {
            over: pairs.required("over", "over with 'true' or 'false'")?,
            result: pairs.required("result", "result with p1win, p2win, draw or none")?,
            reason: pairs.required("reason", "reason with a word")?,
            turn: pairs.required("turn", "turn with 'p1' or 'p2'")?,
            ply: pairs.required("ply", "ply with a whole number")?,
            quiet: pairs.required("quiet", "quiet with a whole number")?,
            repetitions: pairs.required("repetitions", "repetitions with a whole number")?,
            tallies: Vec::new(),
            other: Vec::new(),
        };
        for (key, value) in pairs.0 {
            match Tally::parse(&value) {
                Some(tally) => status.tallies.push((key, tally)),
                None => status.other.push((key, value)),
            }
        }
        Ok(status)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "over {} result {}", self.over, self.result)?;
        write!(f, " reason {} turn {}", OneLine(&self.reason), self.turn)?;
        write!(f, " ply {} quiet {}", self.ply, self.quiet)?;
        write!(f, " repetitions {}", self.repetitions)?;
        for (name, tally) in &self.tallies {
            pair(f, name, Some(tally))?;
        }
        pairs(f, &self.other)
    }
}
