//! The directions in which men go, for each side. Player 2 sees the board from its other end (SPEC 12.5).

use super::Eximo;
use leap_core::{BySide, Geometry, Rules, Side, Square, SquareSet};

const GEOMETRY: Geometry = Eximo::GEOMETRY;

/// A direction, and the squares from which men can go that way.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    /// The distance of one step in square numbers.
    pub(super) delta: i32,
    /// The squares from which one step this way stays on the board.
    pub(super) step_origins: SquareSet,
    /// The squares from which two steps this way stay on the board.
    ///
    /// No origin is on the last row: a chain ends there even if a sideways capture is possible (SPEC 12.9).
    pub(super) hop_origins: SquareSet,
}

/// The number of directions of a capture (SPEC 12.8).
pub(super) const ALL: usize = 5;

/// The index of the first forward direction. Left and right come before it.
///
/// Steps and jumps over friends go only forward (SPEC 12.6, 12.7).
pub(super) const FORWARD: usize = 2;

/// For each side, left and right, then its three forward directions.
pub(super) const DIRECTIONS: BySide<[Direction; ALL]> =
    BySide::new(directions(Side::One), directions(Side::Two));

/// For each side, the row where its men leave the board (SPEC 12.9).
pub(super) const LAST_ROW: BySide<SquareSet> = BySide::new(SquareSet(0xff << 56), SquareSet(0xff));

/// For each side and square, the squares one forward step away.
pub(super) const STEPS: BySide<[SquareSet; 64]> = BySide::new(steps(Side::One), steps(Side::Two));

/// Whether two directions are opposite: left and right are, and forward directions have no opposite.
pub(super) const fn are_opposite(d: usize, e: usize) -> bool {
    d < FORWARD && e < FORWARD && d != e
}

const fn directions(side: Side) -> [Direction; ALL] {
    let up = if matches!(side, Side::One) { 1 } else { -1 };
    [
        direction(side, -1, 0),
        direction(side, 1, 0),
        direction(side, -1, up),
        direction(side, 0, up),
        direction(side, 1, up),
    ]
}

const fn direction(side: Side, files: i32, ranks: i32) -> Direction {
    Direction {
        delta: files + ranks * GEOMETRY.files as i32,
        step_origins: GEOMETRY.origins(files, ranks),
        hop_origins: SquareSet(GEOMETRY.origins(2 * files, 2 * ranks).0 & !LAST_ROW.get(side).0),
    }
}

const fn steps(side: Side) -> [SquareSet; 64] {
    let mut sets = [SquareSet::EMPTY; 64];
    let mut i = 0;
    while i < 64 * ALL {
        let (from, d) = (Square::new(i / ALL), i % ALL);
        let direction = DIRECTIONS.get(side)[d];
        if d >= FORWARD && direction.step_origins.contains(from) {
            let step = SquareSet::of(from).rotate(direction.delta);
            sets[i / ALL] = SquareSet(sets[i / ALL].0 | step.0);
        }
        i += 1;
    }
    sets
}
