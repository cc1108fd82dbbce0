//! Sets of squares, for boards of up to 64 squares.

use std::fmt;

use derive_more::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::symmetry::Transform;
use crate::{Geometry, Square};

/// A set of squares: bit 0 stands for a1, bit 1 for b1.
///
/// ```
/// use leap_core::{Square, SquareSet};
///
/// let [a1, b1, c1] = [0, 1, 2].map(Square::new);
/// let set = SquareSet::of(b1).with(a1);
/// assert!(set.contains(a1) && !set.contains(c1));
/// assert_eq!(set.shift(1), SquareSet::of(b1) | SquareSet::of(c1));
/// assert!(set.into_iter().eq([a1, b1]));
/// ```
///
/// The format `{:#?}` draws the set on a board of eight files, the highest rank first:
///
/// ```
/// use leap_core::{Square, SquareSet};
///
/// let drawn = format!("{:#?}", SquareSet::of(Square::new(8)));
/// assert!(drawn.ends_with("\n. . . . . . . .\n# . . . . . . .\n. . . . . . . ."));
/// ```
#[must_use]
#[derive(
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    BitAnd,
    BitAndAssign,
    BitOr,
    BitOrAssign,
    BitXor,
    BitXorAssign,
    Not,
)]
pub struct SquareSet(pub u64);

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return write!(f, "SquareSet({:#x})", self.0);
        }
        for (index, rank) in self.0.to_be_bytes().into_iter().enumerate() {
            let signs: [&str; 8] =
                std::array::from_fn(|file| if rank >> file & 1 == 1 { "#" } else { "." });
            write!(f, "{}{}", if index == 0 { "" } else { "\n" }, signs.join(" "))?;
        }
        Ok(())
    }
}

impl SquareSet {
    /// The most squares of a board whose squares fit a set ([`Geometry::small`]).
    pub const MAX_SQUARES: usize = 64;

    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// One square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether there are no squares.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set contains a square.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.intersects(Self::of(square))
    }

    /// Whether any square is in both sets.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set with a square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::of(square).0)
    }

    /// The set with a square taken out.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::of(square).0)
    }

    /// The square with the lowest index.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        Some(Square::new(self.0.trailing_zeros() as usize))
    }

    /// The squares of the set with a lower index than `square`.
    #[inline]
    pub const fn below(self, square: Square) -> Self {
        Self(self.0 & (Self::of(square).0 - 1))
    }

    /// The set with the ranks reversed, on a board of 8x8 squares: a1 becomes a8.
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// The set on a turned or mirrored board of at most 64 squares.
    pub fn transform(self, board: Geometry, transform: Transform) -> Self {
        self.into_iter().map(|square| board.transform(square, transform)).collect()
    }

    /// Moves all squares by `delta` indices, up if positive. Squares that leave the word are lost.
    #[inline]
    pub const fn shift(self, delta: i32) -> Self {
        Self(if delta >= 0 { self.0 << delta } else { self.0 >> -delta })
    }

    /// Moves all squares as [`SquareSet::shift`] does, but squares that leave the word come back at its other end.
    ///
    /// Where `delta` is no constant, this takes one instruction.
    #[inline]
    pub const fn rotate(self, delta: i32) -> Self {
        // 64 divides 2^32, so the cast is also right for a negative `delta`.
        Self(self.0.rotate_left(delta as u32))
    }
}

impl FromIterator<Square> for SquareSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leap_toys::cases::cases;
    use proptest::prelude::*;

    use super::*;

    fn squares() -> impl Strategy<Value = BTreeSet<Square>> {
        prop::collection::btree_set((0..64_usize).prop_map(Square::new), 0..64)
    }

    fn set(squares: &BTreeSet<Square>) -> SquareSet {
        squares.iter().copied().collect()
    }

    proptest! {
        #![proptest_config(cases(256))]

        #[test]
        fn sets_do_what_ordered_sets_of_squares_do(
            (a, b, index) in (squares(), squares(), 0..64_usize)
        ) {
            let square = Square::new(index);
            prop_assert!(set(&a).into_iter().eq(a.iter().copied()));
            prop_assert_eq!(set(&a) & set(&b), set(&(&a & &b)));
            prop_assert_eq!(set(&a) | set(&b), set(&(&a | &b)));
            prop_assert_eq!(set(&a) ^ set(&b), set(&(&a ^ &b)));
            prop_assert_eq!(set(&a) & !set(&b), set(&(&a - &b)));
            prop_assert_eq!(set(&a).intersects(set(&b)), !a.is_disjoint(&b));
            prop_assert_eq!(set(&a).with(square), set(&(&a | &BTreeSet::from([square]))));
            prop_assert_eq!(set(&a).without(square), set(&(&a - &BTreeSet::from([square]))));
            prop_assert_eq!(set(&a).contains(square), a.contains(&square));
            prop_assert!(set(&a).below(square).into_iter().eq(a.range(..square).copied()));
            prop_assert_eq!(set(&a).first(), a.first().copied());
            prop_assert_eq!(set(&a).into_iter().len(), a.len());
            prop_assert_eq!(set(&a).is_empty(), a.is_empty());
        }

        #[test]
        fn shifting_loses_the_squares_that_leave_the_word_and_rotating_brings_them_back(
            (a, delta) in (squares(), -63..64_i32)
        ) {
            let moved = a.iter().map(|square| square.index() as i32 + delta);
            let kept = moved.clone().filter(|index| (0..64).contains(index));
            let of = |index: i32| Square::new(index.rem_euclid(64) as usize);
            prop_assert_eq!(set(&a).shift(delta), kept.map(of).collect());
            prop_assert_eq!(set(&a).rotate(delta), moved.map(of).collect());
        }

        #[test]
        fn a_set_is_turned_square_by_square(a in squares()) {
            let board = Geometry { files: 8, ranks: 8 };
            let ranks = Transform { reverses_ranks: true, ..Transform::NONE };
            prop_assert_eq!(set(&a).flip_ranks(), set(&a).transform(board, ranks));
            for transform in Transform::ALL {
                let turned = a.iter().map(|square| board.transform(*square, transform));
                prop_assert_eq!(set(&a).transform(board, transform), turned.collect());
                prop_assert_eq!(set(&a).transform(board, transform).len(), set(&a).len());
            }
        }
    }
}
