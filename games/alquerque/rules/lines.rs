//! The lines of the board (SPEC 11.2).
//!
//! Every point has lines to its orthogonal neighbours. Points with an even sum of file and rank also have diagonal
//! lines. There are 56 lines.

use leap_core::{Geometry, Rules, Square, SquareSet};

use super::Alquerque;

const GEOMETRY: Geometry = Alquerque::GEOMETRY;
const POINTS: usize = GEOMETRY.squares();

/// The step of each direction, in files and in ranks.
const OFFSETS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The distance of one step in point numbers, for each direction.
pub(super) const DIRECTIONS: [i32; 8] = {
    let mut deltas = [0; 8];
    let mut d = 0;
    while d < 8 {
        deltas[d] = OFFSETS[d].0 + OFFSETS[d].1 * GEOMETRY.files as i32;
        d += 1;
    }
    deltas
};

/// The directions that lead to higher points: the distance of a step, and the points from which a line leads there.
///
/// Every line between neighbours belongs to one of these axes, and is kept at its lower point.
pub(super) const AXES: [(i32, SquareSet); 4] = {
    let origins = origins(1);
    let mut axes = [(0, SquareSet::EMPTY); 4];
    let (mut d, mut found) = (0, 0);
    while d < 8 {
        if DIRECTIONS[d] > 0 {
            axes[found] = (DIRECTIONS[d], origins[d]);
            found += 1;
        }
        d += 1;
    }
    axes
};
/// For each direction, the points from which a line leads two steps straight in that direction.
pub(super) const HOP_ORIGINS: [SquareSet; 8] = origins(2);
/// For each point, the points one step away along a line.
pub(super) const STEPS: [SquareSet; POINTS] = destinations(1);
/// For each point, the points two steps straight along a line.
pub(super) const HOP_LANDINGS: [SquareSet; POINTS] = destinations(2);

/// The lines between neighbours. Each line appears once, from its lower point (SPEC 11.2).
pub(super) const LINES: [(Square, Square); 56] = {
    let mut lines = [(Square::new(0), Square::new(0)); 56];
    let mut found = 0;
    let mut i = 0;
    while i < POINTS * POINTS {
        let (from, to) = (Square::new(i / POINTS), Square::new(i % POINTS));
        if from.index() < to.index() && STEPS[from.index()].contains(to) {
            lines[found] = (from, to);
            found += 1;
        }
        i += 1;
    }
    assert!(found == lines.len(), "the board has 56 lines");
    lines
};

/// The points straight behind the neighbours of `from` that are in `set`.
///
/// Hops over these neighbours land there, if the board has a line.
#[inline]
pub(super) const fn beyond(from: Square, set: SquareSet) -> SquareSet {
    uncentred(BEYOND[packed(from, set)], from)
}

/// The points where a man on `from` can land by one hop over a man of `enemy`.
#[inline]
pub(super) fn hop_landings(from: Square, enemy: SquareSet, empty: SquareSet) -> SquareSet {
    beyond(from, enemy) & HOP_LANDINGS[from.index()] & empty
}

const CENTRE: usize = 12;

/// The neighbours of a point that are in `set`, as an index of [`BEYOND`].
#[inline]
const fn packed(point: Square, set: SquareSet) -> usize {
    // Shifting the point to the centre puts its eight neighbours within 13 bits. The upper ones are moved down, so
    // that 9 bits are the index.
    let around = (set.0 << CENTRE >> point.index()) >> (CENTRE - 6);
    ((around & 0b10_0111) | (around >> 4 & 0b1_1100_1000)) as usize
}

/// Moves a set from around the centre to around a point.
#[inline]
const fn uncentred(set: u32, point: Square) -> SquareSet {
    SquareSet((set as u64) << point.index() >> CENTRE)
}

/// For each packed set of neighbours of the centre, the points behind these neighbours.
const BEYOND: [u32; 512] = {
    // The packed bit of the neighbour in each direction.
    let bits = [3, 5, 7, 1, 8, 6, 2, 0];
    let mut sets = [0; 512];
    let mut i = 0;
    while i < 512 * 8 {
        let (set, d) = (i / 8, i % 8);
        if set >> bits[d] & 1 != 0 {
            sets[set] |= 1 << (CENTRE as i32 + 2 * DIRECTIONS[d]);
        }
        i += 1;
    }
    sets
};

/// The point `steps` along a line in direction `d`, if the line is that long.
///
/// A diagonal line begins only on a point with an even number, such as a1, and all its points have even numbers.
const fn along(from: Square, d: usize, steps: i32) -> Option<Square> {
    let (files, ranks) = OFFSETS[d];
    let is_diagonal = files != 0 && ranks != 0;
    if is_diagonal && !from.index().is_multiple_of(2) {
        return None;
    }
    GEOMETRY.offset(from, files * steps, ranks * steps)
}

const fn origins(steps: i32) -> [SquareSet; 8] {
    let mut sets = [SquareSet::EMPTY; 8];
    let mut i = 0;
    while i < POINTS * 8 {
        let from = Square::new(i / 8);
        if along(from, i % 8, steps).is_some() {
            sets[i % 8] = sets[i % 8].with(from);
        }
        i += 1;
    }
    sets
}

const fn destinations(steps: i32) -> [SquareSet; POINTS] {
    let mut sets = [SquareSet::EMPTY; POINTS];
    let mut i = 0;
    while i < POINTS * 8 {
        if let Some(to) = along(Square::new(i / 8), i % 8, steps) {
            sets[i / 8] = sets[i / 8].with(to);
        }
        i += 1;
    }
    sets
}
