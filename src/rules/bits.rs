//! Sets of squares in machine words.

use super::Square;

/// The squares of a one-word set, lowest index first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

/// The word shifted by a square distance: towards higher squares for a positive `delta`.
/// The caller masks off what would wrap around a board's edge.
#[inline]
#[must_use]
pub const fn shift(bits: u64, delta: i32) -> u64 {
    if delta >= 0 { bits << delta } else { bits >> -delta }
}
