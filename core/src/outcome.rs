//! How a game ends.

use std::cmp::Ordering;
use std::fmt;

use strum::{Display, IntoStaticStr, VariantArray};

use super::{BySide, Side};

/// Who won. It prints as in a game record: `1-0`, `0-1` or `1/2-1/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The game is won by this side.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// The side with the higher count wins; equal counts are a draw.
    #[must_use]
    pub fn by_count(counts: BySide<u32>) -> Self {
        match counts[Side::One].cmp(&counts[Side::Two]) {
            Ordering::Greater => Self::Win(Side::One),
            Ordering::Less => Self::Win(Side::Two),
            Ordering::Equal => Self::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Side::One) => "1-0",
            Self::Win(Side::Two) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// Why a game is over, in the order of SPEC 10.7. It prints as [`EndReason::code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum EndReason {
    /// The side to move has no legal move, and the rules name the loser.
    NoMoves,
    /// Nobody can move any more. The points decide (Froglet).
    Count,
    /// Too many plies without a capture.
    QuietLimit,
    /// The game reached `MaxPlies`.
    MaxPlies,
    /// The position occurred too often.
    Repetition,
}

impl EndReason {
    /// Every reason, in their order.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The word for the reason in the protocol (SPEC 10.7).
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }
}

/// How a game ended. It prints as `1-0 (no-moves)`.
///
/// ```
/// use leap_core::{EndReason, GameResult, Outcome, Side};
///
/// let outcome = Outcome { result: GameResult::Win(Side::Two), reason: EndReason::NoMoves };
/// assert_eq!(outcome.to_string(), "0-1 (no-moves)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won.
    pub result: GameResult,
    /// Why the game is over.
    pub reason: EndReason,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result, self.reason)
    }
}
