//! The two players, and values for each of them.

use std::fmt;
use std::ops::{Index, IndexMut};

/// A player. Player 1 moves first, sits at the bottom and has the upper-case pieces (SPEC 9.1).
///
/// A side prints as in the protocol: `p1` or `p2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Player 1, `p1`.
    One,
    /// Player 2, `p2`.
    Two,
}

impl Side {
    /// Both sides, player 1 first.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// The number of the player: 1 or 2.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.number())
    }
}

/// A value for each side, indexed by [`Side`].
///
/// ```
/// use leap_core::{BySide, Side};
///
/// let mut points = BySide::new(3, 5);
/// points[Side::One] += 1;
/// assert_eq!(points.map(|points| 2 * points), BySide::new(8, 10));
/// assert_eq!(BySide::from_fn(Side::other)[Side::One], Side::Two);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<T>([T; 2]);

impl<T> BySide<T> {
    /// A value for player 1 and one for player 2.
    #[inline]
    pub const fn new(one: T, two: T) -> Self {
        Self([one, two])
    }

    /// Calls `value` for each side.
    #[inline]
    pub fn from_fn(value: impl FnMut(Side) -> T) -> Self {
        Self(Side::BOTH.map(value))
    }

    /// Calls `change` on each side's value.
    #[inline]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> BySide<U> {
        BySide(self.0.map(change))
    }

    /// A side's value. Unlike indexing, it also works in constants.
    #[inline]
    #[must_use]
    pub const fn get(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl BySide<i32> {
    /// A side's value minus the value of the other side.
    #[inline]
    #[must_use]
    pub const fn balance(&self, side: Side) -> i32 {
        *self.get(side) - *self.get(side.other())
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        self.get(side)
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}
