//! The directions in which men go, for each side: player 2 sees the board from above (SPEC 12.5).

use super::Eximo;
use crate::rules::{Board, Game, Side, Square};

const BOARD: Board = Eximo::BOARD;

/// One way to go, with the squares from which it can be gone.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    /// The distance of one step in square numbers.
    pub(super) delta: i32,
    /// The squares from which one step this way stays on the board.
    pub(super) step_origins: u64,
    /// The squares from which two steps this way stay on the board. None on the last row: a chain ends there
    /// (SPEC 12.9), also where there is somebody to be captured beside.
    pub(super) hop_origins: u64,
}

/// How many directions a capture may take (SPEC 12.8).
pub(super) const ALL: usize = 5;

/// Left and right come before the forward directions; steps and jumps over friends take the latter alone
/// (SPEC 12.6, 12.7).
pub(super) const FORWARD: usize = 2;

/// For each side, left and right, then the three forward directions.
pub(super) const DIRECTIONS: [[Direction; ALL]; 2] = [directions(Side::One), directions(Side::Two)];

/// For each side, the row where its men are taken off (SPEC 12.9).
pub(super) const LAST_ROW: [u64; 2] = [0xff << 56, 0xff];

/// For each side and square, the squares one forward step away.
pub(super) const STEPS: [[u64; 64]; 2] = [steps(Side::One), steps(Side::Two)];

/// Whether two directions lead opposite ways: left and right do, forward ones have no opposite.
pub(super) const fn are_opposite(d: usize, e: usize) -> bool {
    d < FORWARD && e < FORWARD && d != e
}

/// The square between the ends of a hop.
#[inline]
pub(super) const fn over(from: Square, to: Square) -> Square {
    Square::new((from.index() + to.index()) / 2)
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
        delta: files + ranks * BOARD.files as i32,
        step_origins: origins(files, ranks),
        hop_origins: origins(2 * files, 2 * ranks) & !LAST_ROW[side.index()],
    }
}

/// The squares from which the square this many files and ranks away is on the board.
const fn origins(files: i32, ranks: i32) -> u64 {
    let mut set = 0;
    let mut i = 0;
    while i < BOARD.squares() {
        let from = Square::new(i);
        if BOARD.offset(from, files, ranks).is_some() {
            set |= from.bit();
        }
        i += 1;
    }
    set
}

const fn steps(side: Side) -> [u64; 64] {
    let mut sets = [0; 64];
    let mut i = 0;
    while i < 64 * ALL {
        let (from, d) = (i / ALL, i % ALL);
        let direction = DIRECTIONS[side.index()][d];
        if d >= FORWARD && direction.step_origins >> from & 1 != 0 {
            sets[from] |= 1 << (from as i32 + direction.delta);
        }
        i += 1;
    }
    sets
}
