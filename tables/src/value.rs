//! Exact values, and how a byte holds one.

use crate::Slice;

/// Who wins with perfect play, seen by the side to move. A loss is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// The outcome that the other side sees.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The exact value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Who wins.
    pub outcome: Outcome,
    /// The plies until a capture or the end of the game, if a side can force that the count is not decided by endless
    /// play. That side wants few plies, the other side many. `None`: endless play is best for both, and the count of
    /// men decides (SPEC 11.13, 11.14).
    pub plies: Option<u32>,
}

/// The values of a slice differ from the count of men in two ways at most. The better one for the side that gains by it
/// is `First`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The side with fewer men wins. With equal men: the side to move wins.
    First,
    /// The side with fewer men has a draw. With equal men: the side to move loses.
    Second,
}

impl Class {
    /// The outcome that a class means in a slice.
    pub(crate) const fn outcome(self, slice: Slice) -> Outcome {
        let has_more = slice.own > slice.enemy;
        match self {
            Self::First if has_more => Outcome::Loss,
            Self::First => Outcome::Win,
            Self::Second if slice.own == slice.enemy => Outcome::Loss,
            Self::Second => Outcome::Draw,
        }
    }
}

/// A value as a byte: 0 where the count of men decides, otherwise class and plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) u8);

impl Code {
    #[cfg(feature = "make")]
    pub(crate) const BY_COUNT: Self = Self(0);
    #[cfg(feature = "make")]
    /// The most plies that a code holds.
    pub(crate) const MOST_PLIES: u32 = 95;
    const FIRST: u8 = 64;
    const SECOND: u8 = 160;

    #[cfg(feature = "make")]
    pub(crate) const fn new(class: Class, plies: u32) -> Self {
        let base = match class {
            Class::First => Self::FIRST,
            Class::Second => Self::SECOND,
        };
        Self(base + plies as u8)
    }

    /// Class and plies. `None` where the count of men decides.
    #[inline]
    pub(crate) const fn parts(self) -> Option<(Class, u32)> {
        match self.0 {
            Self::SECOND.. => Some((Class::Second, (self.0 - Self::SECOND) as u32)),
            Self::FIRST.. => Some((Class::First, (self.0 - Self::FIRST) as u32)),
            _ => None,
        }
    }

    /// What the code means in a slice.
    pub(crate) fn exact(self, slice: Slice) -> Exact {
        match self.parts() {
            Some((class, plies)) => Exact { outcome: class.outcome(slice), plies: Some(plies) },
            None => Exact { outcome: by_count(slice), plies: None },
        }
    }
}

/// The outcome by the count of men (SPEC 11.13).
pub(crate) const fn by_count(slice: Slice) -> Outcome {
    if slice.own > slice.enemy {
        Outcome::Win
    } else if slice.own < slice.enemy {
        Outcome::Loss
    } else {
        Outcome::Draw
    }
}
