//! The body that lists what a move does.

use std::fmt;
use std::str::FromStr;

use super::{KeyValues, PayloadError};
use crate::print::{Joined, spaced};
use crate::scan::{number, whole};
use crate::visible::OneLine;

/// The answer to `query effects`: what the move does, in the order in which it happens (SPEC 4.28).
///
/// ```
/// use leap_protocol::payload::{Effect, Effects};
///
/// let Effects(effects) = "from d6 to f6 captured e6 points 2".parse()?;
/// assert_eq!(effects[2..], [Effect::Captured("e6".to_owned()), Effect::Points(2)]);
/// # Ok::<(), leap_protocol::payload::PayloadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects(
    /// The steps, first one first.
    pub Vec<Effect>,
);

/// One thing that a move does. Squares, and squares with a piece text, are words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    /// `from <square>`: the piece that moves is taken up here.
    From(String),
    /// `to <square>`: the piece that moves goes here, by a step, a slide or a hop.
    To(String),
    /// `captured <square>`: the piece here leaves the board.
    Captured(String),
    /// `removed <square>`: the piece here is taken off without being captured.
    Removed(String),
    /// `dropped <square>=<piece text>`: a new piece is put here.
    Dropped(String, String),
    /// `<word> <square>=<piece text>`, with a word of the game's own: the piece here now has this text.
    Changed(String, String, String),
    /// `points <n>`: the move scores.
    Points(i64),
    /// Any other pair of words.
    Other(String, String),
}

impl Effect {
    /// The first word of the pair: `from`, `captured`, `points` and so on.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::From(_) => "from",
            Self::To(_) => "to",
            Self::Captured(_) => "captured",
            Self::Removed(_) => "removed",
            Self::Dropped(..) => "dropped",
            Self::Changed(kind, ..) | Self::Other(kind, _) => kind,
            Self::Points(_) => "points",
        }
    }

    /// The points that it scores; 0 if it scores none.
    #[must_use]
    pub fn points(&self) -> u64 {
        if let Self::Points(points) = self { (*points).try_into().unwrap_or(0) } else { 0 }
    }

    pub(super) fn from_pair((key, value): (String, String)) -> Result<Self, PayloadError> {
        if let Some((square, piece)) = value.split_once('=') {
            let (square, piece) = (square.to_owned(), piece.to_owned());
            return Ok(match key.as_str() {
                "dropped" => Self::Dropped(square, piece),
                _ => Self::Changed(key, square, piece),
            });
        }
        Ok(match key.as_str() {
            "from" => Self::From(value),
            "to" => Self::To(value),
            "captured" => Self::Captured(value),
            "removed" => Self::Removed(value),
            "points" => whole(number, &value)
                .map(Self::Points)
                .ok_or_else(|| PayloadError::new("points with a whole number", &value))?,
            _ => Self::Other(key, value),
        })
    }
}

impl FromStr for Effects {
    type Err = PayloadError;

    fn from_str(body: &str) -> Result<Self, Self::Err> {
        let pairs = body.parse::<KeyValues>()?.0;
        pairs.into_iter().map(Effect::from_pair).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Joined(&self.0).fmt(f)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = OneLine(self.kind());
        match self {
            Self::From(square)
            | Self::To(square)
            | Self::Captured(square)
            | Self::Removed(square)
            | Self::Other(_, square) => {
                kind.fmt(f)?;
                spaced(f, square)
            }
            Self::Dropped(square, piece) | Self::Changed(_, square, piece) => {
                write!(f, "{kind} {}={}", OneLine(square), OneLine(piece))
            }
            Self::Points(points) => write!(f, "{kind} {points}"),
        }
    }
}
