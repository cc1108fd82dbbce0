//! The body that tells exact values.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::sequence::preceded;

use super::{NOTHING, parsed_word};
use crate::scan::{Parsed, counted, keyword, number, owned};
use crate::visible::OneLine;

/// The answer to `query value`: what the engine knows exactly of the position, and of each move.
///
/// ```
/// use leap_protocol::payload::{Exact, Values, ExactResult};
///
/// let values: Values = "win 3 reach 7 moves 2 a1b2 win 3 a1a2 draw -".parse()?;
/// assert_eq!(values.position, Exact { result: ExactResult::Win, plies: Some(3) });
/// assert_eq!(values.moves[1], ("a1a2".to_owned(), Exact { result: ExactResult::Draw, plies: None }));
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// The value of the position, for the side to move.
    pub position: Exact,
    /// The most pieces on the board with which every position is known; 0 if the engine knows none.
    pub reach: u64,
    /// Legal moves whose values are known, each a word, with the value for the side that makes it.
    pub moves: Vec<(String, Exact)>,
    /// More moves are known than these.
    pub more: bool,
}

/// An exact value, or that none is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Who wins with perfect play.
    pub result: ExactResult,
    /// The plies until a capture or the end of the game, if a side can force one. `None` (`-`): endless play decides,
    /// or nothing is known.
    pub plies: Option<u64>,
}

/// Who wins with perfect play, seen by one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum ExactResult {
    /// `win`
    Win,
    /// `draw`
    Draw,
    /// `loss`
    Loss,
    /// `unknown`
    #[default]
    Unknown,
}

impl Exact {
    fn parse(input: &str) -> Parsed<'_, Self> {
        let plies = alt((keyword(NOTHING).map(|_| None), parsed_word.map(Some)));
        (parsed_word, plies).map(|(result, plies)| Self { result, plies }).parse(input)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.plies.map_or_else(|| NOTHING.to_owned(), |plies| plies.to_string());
        write!(f, "{} {plies}", self.result)
    }
}

impl Values {
    fn parse(body: &str) -> Parsed<'_, Self> {
        let reach = preceded(keyword("reach"), number);
        let moves = counted(|input| (owned, Exact::parse).parse(input));
        (Exact::parse, reach, preceded(keyword("moves"), moves))
            .map(|(position, reach, (moves, more))| Self { position, reach, moves, more })
            .parse(body)
    }
}

parsed_as!(Values: Values::parse, "a value, reach, a count of moves and as many moves with values");

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.more { "+" } else { "" };
        write!(f, "{} reach {} moves {}{more}", self.position, self.reach, self.moves.len())?;
        let mut moves = self.moves.iter();
        moves.try_for_each(|(mv, exact)| write!(f, " {} {exact}", OneLine(mv)))
    }
}
