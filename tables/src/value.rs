//! Exact values, and how a byte holds one.

use leap_core::exact::{Exact, Wdl};

use crate::Slice;

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
    pub(crate) const fn outcome(self, slice: Slice) -> Wdl {
        let has_more = slice.own > slice.enemy;
        match self {
            Self::First if has_more => Wdl::Loss,
            Self::First => Wdl::Win,
            Self::Second if slice.own == slice.enemy => Wdl::Loss,
            Self::Second => Wdl::Draw,
        }
    }
}

/// A value as a byte: 0 where the count of men decides, otherwise class and plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) u8);

impl Code {
    #[cfg(feature = "make")]
    pub(crate) const BY_COUNT: Self = Self(0);
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
            None => Exact { outcome: slice.by_count(), plies: None },
        }
    }
}
