//! Slides of whole sets of pieces at once, by the Kogge-Stone fill ("Kogge-Stone Algorithm", Chess Programming Wiki).
//!
//! Pieces block each other, so in any one direction a square is reached from at most one of them: the fill of a set has
//! as many squares as the set has slides that way.

use crate::rules::{Board, Game, SquareSet};

use super::Tactica;

const BOARD: Board = Tactica::BOARD;

/// One of the eight directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction {
    /// The distance of one step in square numbers.
    delta: i32,
    /// The squares that one step can lead to: all but those where a rotation comes back over an edge.
    landings: SquareSet,
}

/// Right, left, up, down: opposite directions follow each other.
pub(crate) const ORTHOGONAL: [Direction; 4] =
    [Direction::new(1, 0), Direction::new(-1, 0), Direction::new(0, 1), Direction::new(0, -1)];

/// Up right, down left, up left, down right: opposite directions follow each other.
pub(crate) const DIAGONAL: [Direction; 4] =
    [Direction::new(1, 1), Direction::new(-1, -1), Direction::new(-1, 1), Direction::new(1, -1)];

impl Direction {
    const fn new(files: i32, ranks: i32) -> Self {
        let delta = files + ranks * BOARD.files as i32;
        Self { delta, landings: BOARD.origins(-files, -ranks) }
    }

    /// The squares one step away from a set.
    #[inline]
    pub(crate) fn step(self, from: SquareSet) -> SquareSet {
        from.rotate(self.delta) & self.landings
    }

    /// The squares of `through` that pieces on `from` reach, however far. The two sets have no square in common.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Square;

    /// Square by square, off the board ends the walk.
    fn walked(from: Square, files: i32, ranks: i32, through: SquareSet) -> SquareSet {
        let mut reached = SquareSet::EMPTY;
        let mut at = from;
        while let Some(next) = BOARD.offset(at, files, ranks).filter(|s| through.contains(*s)) {
            reached = reached.with(next);
            at = next;
        }
        reached
    }

    #[test]
    fn slides_end_at_edges_and_at_pieces() {
        let offsets = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];
        let directions = ORTHOGONAL.into_iter().chain(DIAGONAL);
        let sets = [u64::MAX, 0x7e3f_ddb6_fbe7_5fed, 0].map(SquareSet);
        for ((files, ranks), direction) in offsets.into_iter().zip(directions) {
            for from in (0..BOARD.squares()).map(Square::new) {
                let origin = SquareSet::of(from);
                for through in sets.map(|set| set.without(from)) {
                    let expected = walked(from, files, ranks, through);
                    assert_eq!(direction.slide(origin, through), expected, "{from:?}");
                }
                let neighbour = BOARD.offset(from, files, ranks).into_iter().collect();
                assert_eq!(direction.step(origin), neighbour, "{from:?}");
            }
        }
    }
}
