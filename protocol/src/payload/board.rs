//! The lines that describe a board, and the body that describes an evaluation.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use nom::Parser;
use nom::branch::alt;
use nom::sequence::preceded;

use super::{KeyValues, PayloadError, Side, parsed_word};
use crate::scan::{Parsed, keyword, number, owned, word};
use crate::visible::OneLine;

/// What the pieces of a board stand on (SPEC 4.23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum BoardKind {
    /// Square cells.
    #[default]
    Cells,
    /// Points, which lines join.
    Points,
    /// Hexagonal cells (SPEC 9.32).
    Hexagons,
}

/// A line of the answer to `query board`, after the word `board` (SPEC 4.23).
///
/// ```
/// use leap_protocol::payload::{BoardLine, Side};
///
/// let line: BoardLine = "piece M name man owner p1 value 1".parse()?;
/// let BoardLine::Piece { name, owner, .. } = &line else { panic!("{line}") };
/// assert_eq!((name.as_str(), *owner), ("man", Some(Side::P1)));
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardLine {
    /// `files <n> ranks <n> kind cells|points|hexagons`.
    Size {
        /// How many files there are.
        files: usize,
        /// How many ranks there are.
        ranks: usize,
        /// What pieces stand on.
        kind: BoardKind,
    },
    /// `line <square> <square>`: two points that a line joins.
    Line(String, String),
    /// `hole <square>`: a place of a hexagonal board that is no square of the game.
    Hole(String),
    /// `piece <piece text> name <word> owner p1|p2|none value <n>`.
    Piece {
        /// Its text in position texts.
        text: String,
        /// The word for it.
        name: String,
        /// The owner; `None` if nobody owns it.
        owner: Option<Side>,
        /// What the piece is worth; `None` if that is not a number.
        value: Option<i64>,
    },
    /// `colours p1 <word> p2 <word>`.
    Colours {
        /// The colour of player 1.
        p1: String,
        /// The colour of player 2.
        p2: String,
    },
    /// A line of a later version, or one that is damaged.
    Other(String),
}

impl BoardLine {
    fn known(line: &str) -> Parsed<'_, Self> {
        let after = |key| preceded(keyword(key), owned);
        let kind = preceded(keyword("kind"), parsed_word);
        let size = (preceded(keyword("files"), number), preceded(keyword("ranks"), number), kind)
            .map(|(files, ranks, kind)| Self::Size { files, ranks, kind });
        let hole = after("hole").map(Self::Hole);
        let line_of = preceded(keyword("line"), (owned, owned)).map(|(a, b)| Self::Line(a, b));
        let nobody = keyword("none").map(|_| None);
        let owner = preceded(keyword("owner"), alt((nobody, parsed_word.map(Some))));
        let value = preceded(keyword("value"), word).map(|value: &str| value.parse().ok());
        let piece = (after("piece"), after("name"), owner, value)
            .map(|(text, name, owner, value)| Self::Piece { text, name, owner, value });
        let colours = (keyword("colours"), after("p1"), after("p2"))
            .map(|(_, p1, p2)| Self::Colours { p1, p2 });
        alt((size, line_of, hole, piece, colours)).parse(line)
    }
}

impl FromStr for BoardLine {
    type Err = Infallible;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Ok(Self::known(line).map_or_else(|_| Self::Other(line.to_owned()), |(_, known)| known))
    }
}

impl fmt::Display for BoardLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { files, ranks, kind } => {
                write!(f, "files {files} ranks {ranks} kind {kind}")
            }
            Self::Line(a, b) => write!(f, "line {} {}", OneLine(a), OneLine(b)),
            Self::Hole(square) => write!(f, "hole {}", OneLine(square)),
            Self::Piece { text, name, owner, value } => {
                let owner = owner.map_or_else(|| "none".to_owned(), |owner| owner.to_string());
                let value = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
                let (text, name) = (OneLine(text), OneLine(name));
                write!(f, "piece {text} name {name} owner {owner} value {value}")
            }
            Self::Colours { p1, p2 } => write!(f, "colours p1 {} p2 {}", OneLine(p1), OneLine(p2)),
            Self::Other(line) => OneLine(line).fmt(f),
        }
    }
}

/// The answer to `eval`: the parts of the static evaluation (SPEC 4.33).
///
/// All numbers are centipawns from the view of the side to move.
///
/// ```
/// use leap_protocol::payload::Evaluation;
///
/// let evaluation: Evaluation = "men 100 mobility -6 total 94".parse()?;
/// assert_eq!((evaluation.parts.len(), evaluation.total), (2, 94));
/// assert_eq!(evaluation.to_string(), "men 100 mobility -6 total 94");
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// What is counted, a word, and what it is worth. No part is called `total`.
    pub parts: Vec<(String, i64)>,
    /// Their sum.
    pub total: i64,
}

impl FromStr for Evaluation {
    type Err = PayloadError;

    fn from_str(body: &str) -> Result<Self, Self::Err> {
        let wrong = || PayloadError::new("'<part> <n>... total <n>'", body);
        let KeyValues(pairs) = body.parse()?;
        let mut parts = Vec::new();
        for (key, value) in pairs {
            let value = value.parse().map_err(|_not_a_number| wrong())?;
            if key == "total" {
                return Ok(Self { parts, total: value });
            }
            parts.push((key, value));
        }
        Err(wrong())
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|(part, value)| write!(f, "{} {value} ", OneLine(part)))?;
        write!(f, "total {}", self.total)
    }
}
