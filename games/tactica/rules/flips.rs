//! The pieces that a move flips (SPEC 15.8 to 15.14).

use super::slides::{DIAGONAL, Direction, ORTHOGONAL};
use super::{Pairs, TacticaMove, TacticaPosition};
use leap_core::{Square, SquareSet};

/// Makes the moves of a position with their flips. Whatever the moves share is computed once.
pub(super) struct Flips {
    own: SquareSet,
    enemy: SquareSet,
    pairs: Pairs,
    squares: SquareSet,
}

impl Flips {
    #[inline]
    pub(super) fn new(position: &TacticaPosition, pairs: Pairs) -> Self {
        let (own, enemy) = (position.own(), position.enemy());
        let mut squares = ends_of_runs(own, enemy) | between(enemy, &ORTHOGONAL);
        if pairs == Pairs::All {
            squares |= between(enemy, &DIAGONAL);
        }
        Self { own, enemy, pairs, squares }
    }

    /// The squares where a piece may flip something. On any other square it flips nothing.
    #[inline]
    pub(super) const fn squares(&self) -> SquareSet {
        self.squares
    }

    /// The move of a piece from one square to another, to which it can slide.
    #[inline]
    pub(super) fn slide(&self, from: Square, to: Square) -> TacticaMove {
        TacticaMove { flips: self.of(from, to), from, to }
    }

    /// The pieces that a legal move flips. All are seen on the board right after the slide.
    #[inline]
    fn of(&self, from: Square, to: Square) -> SquareSet {
        if !self.squares.contains(to) {
            return SquareSet::EMPTY;
        }
        let (to, own) = (SquareSet::of(to), self.own.without(from));
        let flips = surrounded(to, own, self.enemy) | pairs(to, self.enemy, &ORTHOGONAL);
        match self.pairs {
            Pairs::Orthogonal => flips,
            Pairs::All => flips | pairs(to, self.enemy, &DIAGONAL),
        }
    }
}

/// The squares behind the runs of enemy pieces that begin at an own piece.
///
/// Only there can a piece surround a run. The own piece may be the one that moves.
#[inline]
fn ends_of_runs(own: SquareSet, enemy: SquareSet) -> SquareSet {
    ORTHOGONAL.iter().fold(SquareSet::EMPTY, |ends, direction| {
        ends | direction.step(direction.slide(own, enemy))
    })
}

/// The squares between two enemy pieces.
#[inline]
fn between(enemy: SquareSet, directions: &[Direction; 4]) -> SquareSet {
    let axes = directions.chunks_exact(2).map(|axis| axis[0].step(enemy) & axis[1].step(enemy));
    axes.fold(SquareSet::EMPTY, |all, squares| all | squares)
}

/// SPEC 15.8: the unbroken runs of enemy pieces between the moved piece and another own piece.
#[inline]
fn surrounded(to: SquareSet, own: SquareSet, enemy: SquareSet) -> SquareSet {
    ORTHOGONAL.iter().fold(SquareSet::EMPTY, |flips, direction| {
        let run = direction.slide(to, enemy);
        if direction.step(run).intersects(own) { flips | run } else { flips }
    })
}

/// SPEC 15.9: the pairs of enemy pieces next to the moved piece, on opposite sides.
#[inline]
fn pairs(to: SquareSet, enemy: SquareSet, directions: &[Direction; 4]) -> SquareSet {
    let pairs = directions.chunks_exact(2).map(|axis| axis[0].step(to) | axis[1].step(to));
    pairs.fold(
        SquareSet::EMPTY,
        |flips, pair| {
            if (pair & enemy).len() == 2 { flips | pair } else { flips }
        },
    )
}
