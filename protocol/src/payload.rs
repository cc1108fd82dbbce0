//! The bodies of `response` lines, and of the lines that answer `query rules` and `query problems`, as types (SPEC 4).
//!
//! A `response` does not say which question it answers. Its text stays a string in
//! [`Reply::Response`](crate::Reply::Response), and the client, who has asked, parses it.
//!
//! Later versions may add `key value` pairs. Unknown pairs are ignored, so an older client understands a newer engine.

/// Reads bodies of a type with a parser. The error about another body says what was expected.
macro_rules! parsed_as {
    ($type:ty: $parser:expr, $expected:literal) => {
        impl std::str::FromStr for $type {
            type Err = $crate::payload::PayloadError;

            fn from_str(body: &str) -> Result<Self, Self::Err> {
                $crate::payload::parsed($parser, body, $expected)
            }
        }
    };
}

mod board;
mod effects;
mod list;
mod problem;
mod rules;
mod status;
mod task;
mod turn;
mod value;

use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map_opt, verify};
use nom::error::Error;
use nom::multi::many0;
use nom::sequence::separated_pair;
use strum::{IntoStaticStr, VariantArray};
use thiserror::Error;

pub use board::{BoardKind, BoardLine, Evaluation};
pub use effects::{Effect, Effects};
pub use list::{GameInfo, KeyValues, MAX_LISTED_BYTES, MoveList, ProtocolInfo, Tokens};
pub use problem::{Problem, Proof};
pub use rules::{Clause, Ending, Example, Guide, RuleOption};
pub use status::{Side, Status, Tally};
pub use task::Task;
pub use turn::{Awaited, NextToken, Turn, TurnEnd, TurnRefusal};
pub use value::{Exact, ExactResult, Values};

use crate::print::spaced;
use crate::scan::{Parsed, is_blank, keyword, owned, text, word};
use crate::visible::{OneLine, quoted};

/// A body that is not of the type it was parsed as.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found}")]
pub struct PayloadError {
    expected: &'static str,
    /// Cut to a bounded length, and in quotes.
    found: String,
}

impl PayloadError {
    fn new(expected: &'static str, found: &str) -> Self {
        Self { expected, found: quoted(found.trim_matches(is_blank)) }
    }
}

/// What `parser` makes of the beginning of a body. What follows is of a later version.
fn parsed<'a, T>(
    mut parser: impl Parser<&'a str, Output = T, Error = Error<&'a str>>,
    body: &'a str,
    expected: &'static str,
) -> Result<T, PayloadError> {
    let value = parser.parse(body).map(|(_, value)| value);
    value.map_err(|_| PayloadError::new(expected, body))
}

/// The next word, as what it reads as.
fn parsed_word<T: FromStr>(input: &str) -> Parsed<'_, T> {
    map_opt(word, |word: &str| word.parse().ok()).parse(input)
}

/// The answer to `query p1turn` and `query gameover`: `true` or `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct YesNo(pub bool);

parsed_as!(YesNo: parsed_word.map(YesNo), "'true' or 'false'");

impl fmt::Display for YesNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The answer to `query result`, also a part of [`Status`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum GameResult {
    /// `p1win`: player 1 has won.
    P1Win,
    /// `p2win`: player 2 has won.
    P2Win,
    /// `draw`: nobody has won.
    Draw,
    /// `none`: the game goes on.
    None,
}

parsed_as!(
    GameResult: map_opt(word, |word: &str| {
        GameResult::VARIANTS.iter().copied().find(|result| result.as_str() == word)
    }),
    "'p1win', 'p2win', 'draw' or 'none'"
);

impl GameResult {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The answer to `query legal`: `true`, or `false <reason> at <square or -> : <text>`.
///
/// ```
/// use leap_protocol::payload::Legality;
///
/// assert_eq!("true".parse(), Ok(Legality::Legal));
///
/// let Ok(Legality::Illegal { reason, at, .. }) = "false empty-square at a1 : a1: the square is empty".parse() else {
///     unreachable!("an illegal move");
/// };
/// assert_eq!((reason.as_str(), at.as_deref()), ("empty-square", Some("a1")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Legality {
    /// The move may be made.
    Legal,
    /// The move may not be made.
    Illegal {
        /// Why not: a code of SPEC 6.8.
        reason: String,
        /// The square it fails at, a word other than `-`, if it fails at one.
        at: Option<String>,
        /// The reason for people to read. One line.
        text: String,
    },
}

/// What stands for no square, no text and no number.
const NOTHING: &str = "-";
/// What comes before the text for people.
const COLON: &str = ":";

/// The text after the colon, and the pairs before it. Some may be of a later version.
fn for_people(input: &str) -> Parsed<'_, (Vec<(&str, &str)>, &str)> {
    let field = (verify(word, |key: &str| key != COLON), word);
    separated_pair(many0(field), keyword(COLON), text).parse(input)
}

/// Prints a reason with the square at fault, after the word for what is at fault.
fn print_fault(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    reason: &str,
    at: Option<&str>,
) -> fmt::Result {
    write!(f, "{key} {} at {}", OneLine(reason), OneLine(at.unwrap_or(NOTHING)))
}

fn illegal(input: &str) -> Parsed<'_, Legality> {
    let (rest, (_, reason, (fields, text))) = (keyword("false"), owned, for_people).parse(input)?;
    let at = fields.into_iter().find(|(key, _)| *key == "at").map(|(_, square)| square);
    let at = at.filter(|square| *square != NOTHING).map(str::to_owned);
    Ok((rest, Legality::Illegal { reason, at, text: text.to_owned() }))
}

parsed_as!(
    Legality: alt((keyword("true").map(|_| Legality::Legal), illegal)),
    "'true' or 'false <reason> at <square> : <text>'"
);

impl fmt::Display for Legality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Legal => f.write_str("true"),
            Self::Illegal { reason, at, text } => {
                print_fault(f, "false", reason, at.as_deref())?;
                f.write_str(" :")?;
                spaced(f, text)
            }
        }
    }
}
