//! Jumps on sets of squares (SPEC 13.8).
//!
//! A jump goes two squares along a file or rank, so a jumping piece keeps the parity of both. It lands on the 16
//! vertices of a 4x4 lattice. The piece that it jumps stands on the middle of one of the lattice's 24 edges.
//!
//! Middles of edges, and other squares next to a vertex, are never vertices of the same lattice. Squares that a turn
//! empties are therefore never landed on, except its origin. They never change what can be jumped.

use leap_core::{Geometry, Rules, Square, SquareSet};

use super::Sapos;

const GEOMETRY: Geometry = Sapos::GEOMETRY;
const SQUARES: usize = GEOMETRY.squares();

/// The squares with a square to their left, and those with a square to their right.
const NOT_FILE_A: SquareSet = GEOMETRY.origins(-1, 0);
const NOT_FILE_H: SquareSet = GEOMETRY.origins(1, 0);

/// The files that a piece jumped along a rank can stand on.
const INNER_FILES: SquareSet = SquareSet(NOT_FILE_A.0 & NOT_FILE_H.0);

/// For each square, the squares two steps away along its file and rank.
pub(super) const LANDINGS: [SquareSet; SQUARES] = around(2);

/// For each square, the orthogonally adjacent squares.
pub(super) const NEIGHBOURS: [SquareSet; SQUARES] = around(1);

const fn around(distance: i32) -> [SquareSet; SQUARES] {
    let offsets = [(0, -distance), (-distance, 0), (distance, 0), (0, distance)];
    let mut sets = [SquareSet::EMPTY; SQUARES];
    let mut i = 0;
    while i < SQUARES * 4 {
        let (files, ranks) = offsets[i % 4];
        if let Some(to) = GEOMETRY.offset(Square::new(i / 4), files, ranks) {
            sets[i / 4] = sets[i / 4].with(to);
        }
        i += 1;
    }
    sets
}

/// The squares to which one jump over a piece of `jumped` leads from `from`, whatever stands there.
#[inline]
pub(super) fn jumps(from: SquareSet, jumped: SquareSet) -> SquareSet {
    let [up, down, right, left] = jumps_each_way(from, jumped);
    up | down | right | left
}

/// The result of [`jumps`] for each direction.
#[inline]
fn jumps_each_way(from: SquareSet, jumped: SquareSet) -> [SquareSet; 4] {
    let across = jumped & INNER_FILES;
    [
        (from.shift(8) & jumped).shift(8),
        (from.shift(-8) & jumped).shift(-8),
        (from.shift(1) & across).shift(1),
        (from.shift(-1) & across).shift(-1),
    ]
}

/// The squares of `open` to which any number of jumps over `friends` leads from `from`, and `from` itself.
#[inline]
pub(super) fn flood(from: SquareSet, friends: SquareSet, open: SquareSet) -> SquareSet {
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
pub(super) fn between(ends: SquareSet, jumped: SquareSet) -> SquareSet {
    let along = ends.shift(8) & ends.shift(-8);
    let across = ends.shift(1) & ends.shift(-1) & INNER_FILES;
    jumped & (along | across)
}

/// The pieces of `own` that can jump over some piece to a square of `empty`.
#[inline]
pub(super) fn jumpers(own: SquareSet, empty: SquareSet) -> SquareSet {
    own & jumps(empty, !empty)
}

/// The number of single jumps from `own` over a piece of `own` to `empty`.
#[inline]
pub(super) fn friendly_jumps(own: SquareSet, empty: SquareSet) -> u32 {
    jumps_each_way(empty, own).into_iter().map(|origins| (own & origins).len()).sum()
}

/// The number of orthogonal neighbours in `set`, for all squares. The sets are the bits of that number, lowest first.
#[inline]
pub(super) fn neighbour_counts(set: SquareSet) -> [SquareSet; 3] {
    let (north, south) = (set.shift(-8), set.shift(8));
    let (east, west) = ((set & NOT_FILE_A).shift(-1), (set & NOT_FILE_H).shift(1));
    let (one_along, both_along) = (north ^ south, north & south);
    let (one_across, both_across) = (east ^ west, east & west);
    [
        one_along ^ one_across,
        (both_along ^ both_across) | (one_along & one_across),
        both_along & both_across,
    ]
}
