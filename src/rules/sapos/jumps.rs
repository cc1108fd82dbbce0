//! Jumps on sets of squares (SPEC 13.8).
//!
//! A jump goes two squares along a file or rank, so a jumping piece keeps the parity of both: it lands on the 16
//! vertices of a 4x4 lattice, and the piece it jumps stands on the middle of one of the lattice's 24 edges. No piece
//! is ever in the way of one lattice's landings and on an edge of the same lattice, and no square next to a vertex is
//! a vertex: emptied squares of a turn are never landed on, except its origin, and never change what is jumped.

use crate::rules::{Board, Game, Square};

use super::Sapos;

const BOARD: Board = Sapos::BOARD;
const SQUARES: usize = BOARD.squares();

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The files that a piece jumped along a rank can stand on.
const INNER_FILES: u64 = !(FILE_A | FILE_H);

/// For each square, the squares two steps away along its file and rank.
pub(super) const LANDINGS: [u64; SQUARES] = around(2);

/// For each square, the orthogonally adjacent squares.
pub(super) const NEIGHBOURS: [u64; SQUARES] = around(1);

const fn around(distance: i32) -> [u64; SQUARES] {
    let offsets = [(0, -distance), (-distance, 0), (distance, 0), (0, distance)];
    let mut sets = [0; SQUARES];
    let mut i = 0;
    while i < SQUARES * 4 {
        let (files, ranks) = offsets[i % 4];
        if let Some(to) = BOARD.offset(Square::new(i / 4), files, ranks) {
            sets[i / 4] |= to.bit();
        }
        i += 1;
    }
    sets
}

/// The square between the ends of a jump.
#[inline]
pub(super) const fn over(from: Square, to: Square) -> Square {
    Square::new((from.index() + to.index()) / 2)
}

/// Where one jump over a piece of `jumped` leads from the squares `from`, whatever stands there.
#[inline]
pub(super) const fn jumps(from: u64, jumped: u64) -> u64 {
    let across = jumped & INNER_FILES;
    ((from << 8) & jumped) << 8
        | ((from >> 8) & jumped) >> 8
        | ((from << 1) & across) << 1
        | ((from >> 1) & across) >> 1
}

/// The squares of `open` that any number of jumps over `friends` leads to from `from`, those included.
#[inline]
pub(super) const fn flood(from: u64, friends: u64, open: u64) -> u64 {
    let mut reached = from;
    loop {
        let more = reached | jumps(reached, friends) & open;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// The pieces of `jumped` that stand between two opposite squares of `ends`.
#[inline]
pub(super) const fn between(ends: u64, jumped: u64) -> u64 {
    jumped & ((ends << 8) & (ends >> 8) | (ends << 1) & (ends >> 1) & INNER_FILES)
}

/// The pieces of `own` that can jump over some piece of `occupied` to a square of `empty`.
#[inline]
pub(super) const fn jumpers(own: u64, occupied: u64, empty: u64) -> u64 {
    own & jumps(empty, occupied)
}

/// The squares with an orthogonal neighbour in `set`, by how many they have: the bits of that number, lowest first.
#[inline]
pub(super) const fn neighbour_counts(set: u64) -> [u64; 3] {
    let (north, south) = (set >> 8, set << 8);
    let (east, west) = ((set & !FILE_A) >> 1, (set & !FILE_H) << 1);
    let (one_along, both_along) = (north ^ south, north & south);
    let (one_across, both_across) = (east ^ west, east & west);
    [
        one_along ^ one_across,
        (both_along ^ both_across) | (one_along & one_across),
        both_along & both_across,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::bits::Squares;

    #[test]
    fn jumps_of_sets_are_those_of_their_squares() {
        for from in (0..SQUARES).map(Square::new) {
            assert_eq!(jumps(from.bit(), u64::MAX), LANDINGS[from.index()]);
            for to in Squares(LANDINGS[from.index()]) {
                assert_eq!(jumps(from.bit(), over(from, to).bit()), to.bit());
                assert_eq!(between(from.bit() | to.bit(), u64::MAX), over(from, to).bit());
            }
        }
    }

    #[test]
    fn neighbours_are_counted_in_bits() {
        for set in [0, u64::MAX, 0x8100_0000_0000_0081, 0x0123_4567_89ab_cdef] {
            let [ones, twos, fours] = neighbour_counts(set);
            for square in 0..SQUARES {
                let bits =
                    (ones >> square & 1) + 2 * (twos >> square & 1) + 4 * (fours >> square & 1);
                assert_eq!(bits, u64::from((NEIGHBOURS[square] & set).count_ones()));
            }
        }
    }
}
