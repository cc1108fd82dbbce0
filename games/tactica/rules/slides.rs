//! Slides, by two algorithms of the Chess Programming Wiki.
//!
//! - A whole set of pieces slides together, by the Kogge-Stone fill ("Kogge-Stone Algorithm").
//! - One piece slides along a line, by the difference that obstructions make ("Obstruction Difference").
//!
//! Pieces block each other, so at most one piece reaches a square from a given direction. The fill of a set therefore
//! has one square for each slide of the set in that direction.

use leap_core::{Geometry, Rules, Square, SquareSet};

use super::Tactica;

const GEOMETRY: Geometry = Tactica::GEOMETRY;

/// One of the eight directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction {
    /// The distance of one step in square numbers.
    delta: i32,
    /// The squares to which one step can lead. A rotation that crosses an edge ends on none of them.
    landings: SquareSet,
}

/// Right, left, up, down. Opposite directions are neighbours.
pub(crate) const ORTHOGONAL: [Direction; 4] =
    [Direction::new(1, 0), Direction::new(-1, 0), Direction::new(0, 1), Direction::new(0, -1)];

/// Up right, down left, up left, down right. Opposite directions are neighbours.
pub(crate) const DIAGONAL: [Direction; 4] =
    [Direction::new(1, 1), Direction::new(-1, -1), Direction::new(-1, 1), Direction::new(1, -1)];

impl Direction {
    const fn new(files: i32, ranks: i32) -> Self {
        let delta = files + ranks * GEOMETRY.files as i32;
        Self { delta, landings: GEOMETRY.origins(-files, -ranks) }
    }

    /// The squares one step away from a set.
    #[inline]
    pub(crate) fn step(self, from: SquareSet) -> SquareSet {
        from.rotate(self.delta) & self.landings
    }

    /// The squares of `through` that pieces on `from` reach, at any distance. The two sets have no square in common.
    #[inline]
    pub(crate) fn slide(self, from: SquareSet, through: SquareSet) -> SquareSet {
        let Self { delta, landings } = self;
        let mut open = through & landings;
        let mut reached = from;
        reached |= open & reached.rotate(delta);
        open &= open.rotate(delta);
        reached |= open & reached.rotate(2 * delta);
        open &= open.rotate(2 * delta);
        reached |= open & reached.rotate(4 * delta);
        reached & !from
    }
}

/// The squares of a line on both sides of one of its squares.
#[derive(Clone, Copy)]
struct Line {
    below: SquareSet,
    above: SquareSet,
}

impl Line {
    /// The line of a square in a direction towards higher square numbers.
    const fn through(square: Square, files: i32, ranks: i32) -> Self {
        Self { below: ray(square, -files, -ranks), above: ray(square, files, ranks) }
    }

    /// The squares up to the nearest occupied one on each side, and that square itself.
    #[inline]
    fn reach(self, occupied: SquareSet) -> SquareSet {
        let SquareSet(below) = self.below & occupied;
        let SquareSet(above) = self.above & occupied;
        // All squares from the nearest one below. Adding twice the nearest one above clears the squares beyond.
        let from_below = u64::MAX << (below | 1).ilog2();
        let nearest_above = above & above.wrapping_neg();
        let reached = from_below.wrapping_add(nearest_above << 1);
        SquareSet(reached) & (self.below | self.above)
    }
}

/// The squares in a direction from a square to the edge of the board.
const fn ray(mut from: Square, files: i32, ranks: i32) -> SquareSet {
    let mut ray = SquareSet::EMPTY;
    while let Some(next) = GEOMETRY.offset(from, files, ranks) {
        ray = ray.with(next);
        from = next;
    }
    ray
}

/// For each square, its rank and its file, then its two diagonals.
static LINES: [[[Line; 2]; 2]; 64] = {
    let mut lines = [[[Line { below: SquareSet::EMPTY, above: SquareSet::EMPTY }; 2]; 2]; 64];
    let mut i = 0;
    while i < lines.len() {
        let at = Square::new(i);
        lines[i] = [
            [Line::through(at, 1, 0), Line::through(at, 0, 1)],
            [Line::through(at, 1, 1), Line::through(at, -1, 1)],
        ];
        i += 1;
    }
    lines
};

/// The empty squares that a piece reaches. `ways` says whether it slides orthogonally and diagonally.
#[inline]
pub(super) fn destinations(from: Square, ways: [bool; 2], empty: SquareSet) -> SquareSet {
    let mut reached = SquareSet::EMPTY;
    for (lines, has_way) in LINES[from.index()].iter().zip(ways) {
        if has_way {
            reached |= lines[0].reach(!empty) | lines[1].reach(!empty);
        }
    }
    reached & empty
}
