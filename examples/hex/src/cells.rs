//! Sets of the 121 cells of a board of 11 by 11 hexagons.

use std::ops::{BitAnd, BitOr, Not};

use leap_core::Square;

/// The files and ranks of the board.
pub const SIZE: u32 = 11;

/// A set of cells: the bit of a cell is its index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub u128);

const ALL: u128 = (1 << (SIZE * SIZE)) - 1;
const FIRST_RANK: u128 = (1 << SIZE) - 1;
const FIRST_FILE: u128 = {
    let (mut file, mut rank) = (0, 0);
    while rank < SIZE {
        file |= 1 << (rank * SIZE);
        rank += 1;
    }
    file
};

impl Cells {
    /// The first and the last rank.
    pub const RANKS: [Self; 2] = [Self(FIRST_RANK), Self(FIRST_RANK << (SIZE * (SIZE - 1)))];
    /// The first and the last file.
    pub const FILES: [Self; 2] = [Self(FIRST_FILE), Self(FIRST_FILE << (SIZE - 1))];

    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn contains(self, square: Square) -> bool {
        !(self & Self::of(square)).is_empty()
    }

    /// The cells next to these.
    pub fn neighbours(self) -> Self {
        let left = self.0 & !FIRST_FILE;
        let right = self.0 & !(FIRST_FILE << (SIZE - 1));
        let ranks = self.0 << SIZE | self.0 >> SIZE;
        let diagonals = left << (SIZE - 1) | right >> (SIZE - 1);
        Self((left >> 1 | right << 1 | ranks | diagonals) & ALL)
    }

    /// These cells and all cells of `through` that are connected to them.
    pub fn flood(mut self, through: Self) -> Self {
        loop {
            let more = self | self.neighbours() & through;
            if more == self {
                return self;
            }
            self = more;
        }
    }

    /// The cells in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let first = Some(self.0).filter(|rest| *rest != 0);
        let sets =
            std::iter::successors(first, |rest| Some(rest & (rest - 1)).filter(|rest| *rest != 0));
        sets.map(|rest| Square::new(rest.trailing_zeros() as usize))
    }
}

impl BitAnd for Cells {
    type Output = Self;

    fn bitand(self, Self(other): Self) -> Self {
        Self(self.0 & other)
    }
}

impl BitOr for Cells {
    type Output = Self;

    fn bitor(self, Self(other): Self) -> Self {
        Self(self.0 | other)
    }
}

impl Not for Cells {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & ALL)
    }
}

#[cfg(test)]
mod tests {
    use leap_core::Square;

    use super::Cells;

    #[test]
    fn a_cell_in_the_middle_has_six_neighbours_and_a_corner_two_or_three() {
        let neighbours = |index: usize| -> Vec<usize> {
            Cells::of(Square::new(index)).neighbours().iter().map(Square::index).collect()
        };
        assert_eq!(neighbours(60), [49, 50, 59, 61, 70, 71]);
        assert_eq!(neighbours(0), [1, 11], "a1 is an acute corner");
        assert_eq!(neighbours(10), [9, 20, 21], "k1 is an obtuse one");
        assert_eq!(neighbours(120), [109, 119]);
    }
}
