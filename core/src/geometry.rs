//! Squares, the size of boards, and their text.

use std::fmt;

use super::SquareSet;

/// A square or point of a board.
///
/// Its index is `(rank-1) * files + (file-1)`: 0 for a1, 1 for b1 (SPEC 9).
///
/// The indices of a board with five files and five ranks:
///
/// ```text
/// 5  20 21 22 23 24
/// 4  15 16 17 18 19
/// 3  10 11 12 13 14
/// 2   5  6  7  8  9
/// 1   0  1  2  3  4
///     a  b  c  d  e
/// ```
///
/// ```
/// use leap_core::{Geometry, Square};
///
/// let board = Geometry { files: 5, ranks: 5 };
/// let c3 = Square::new(12);
/// assert_eq!((board.file(c3), board.rank(c3)), (2, 2));
/// assert_eq!(Square::new(0).midpoint(c3), Square::new(6), "a hop from a1 to c3 passes b2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index. The caller keeps it below the board's number of squares.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        debug_assert!(index < 256);
        Self(index as u8)
    }

    /// The index: 0 for a1.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square halfway to another one. A hop or jump between the two passes over it.
    #[inline]
    #[must_use]
    pub const fn midpoint(self, other: Self) -> Self {
        Self::new((self.index() + other.index()) / 2)
    }
}

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Files, `a` onwards; 1 to 16 (SPEC 9.33).
    pub files: u8,
    /// Ranks, 1 at the bottom; 1 to 16.
    pub ranks: u8,
}

impl Geometry {
    /// The number of squares.
    #[inline]
    #[must_use]
    pub const fn squares(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// Returns the board, if a [`SquareSet`] can hold its squares. In a constant, a larger board fails to compile.
    ///
    /// ```
    /// # use leap_core::Geometry;
    /// const GEOMETRY: Geometry = Geometry { files: 8, ranks: 8 }.small();
    /// ```
    ///
    /// ```compile_fail
    /// # use leap_core::Geometry;
    /// const GEOMETRY: Geometry = Geometry { files: 12, ranks: 12 }.small();
    /// ```
    ///
    /// # Panics
    /// The board has more than 64 squares.
    #[must_use]
    pub const fn small(self) -> Self {
        assert!(self.squares() <= SquareSet::MAX_SQUARES, "a SquareSet has up to 64 squares");
        self
    }

    /// All squares of a board that has at most 64.
    pub const fn all(self) -> SquareSet {
        SquareSet(u64::MAX >> (SquareSet::MAX_SQUARES - self.small().squares()))
    }

    /// Zero-based file of a square.
    #[inline]
    #[must_use]
    pub const fn file(self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// Zero-based rank of a square.
    #[inline]
    #[must_use]
    pub const fn rank(self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// The square at a zero-based file and rank, or `None` off the board.
    #[inline]
    #[must_use]
    pub const fn square(self, file: i32, rank: i32) -> Option<Square> {
        if file < 0 || rank < 0 || file >= self.files as i32 || rank >= self.ranks as i32 {
            return None;
        }
        Some(Square::new((rank * self.files as i32 + file) as usize))
    }

    /// The square `files` to the right and `ranks` up from another, or `None` off the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, square: Square, files: i32, ranks: i32) -> Option<Square> {
        self.square(self.file(square) as i32 + files, self.rank(square) as i32 + ranks)
    }

    /// The squares that have a square `files` to the right and `ranks` up. The board has at most 64 squares.
    pub const fn origins(self, files: i32, ranks: i32) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        let mut i = 0;
        while i < self.small().squares() {
            let from = Square::new(i);
            if self.offset(from, files, ranks).is_some() {
                set = set.with(from);
            }
            i += 1;
        }
        set
    }

    /// The text of a square, such as `c10`.
    #[must_use]
    pub const fn name(self, square: Square) -> SquareName {
        SquareName { file: self.file(square), rank: self.rank(square) }
    }
}

/// The text of a square. It prints as `c10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareName {
    file: u8,
    rank: u8,
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}
