//! What a move flips (SPEC 15.8 to 15.14).

use super::slides::{DIAGONAL, Direction, ORTHOGONAL};
use super::{Pairs, TacticaMove, TacticaPosition};
use crate::rules::SquareSet;

/// The pieces that a legal move flips, all seen on the board right after the slide.
#[inline]
pub(super) fn flips(position: &TacticaPosition, mv: TacticaMove, pairs: Pairs) -> SquareSet {
    let to = SquareSet::of(mv.to);
    let (own, enemy) = (position.own().without(mv.from), position.enemy());
    if !neighbours(to, pairs).intersects(enemy) {
        return SquareSet::EMPTY;
    }
    let flips = surrounded(to, own, enemy) | between(to, enemy, &ORTHOGONAL);
    match pairs {
        Pairs::Orthogonal => flips,
        Pairs::All => flips | between(to, enemy, &DIAGONAL),
    }
}

/// Every flip takes an enemy piece next to the moved one.
#[inline]
fn neighbours(to: SquareSet, pairs: Pairs) -> SquareSet {
    let orthogonal = ORTHOGONAL.iter().fold(SquareSet::EMPTY, |all, d| all | d.step(to));
    match pairs {
        Pairs::Orthogonal => orthogonal,
        Pairs::All => DIAGONAL.iter().fold(orthogonal, |all, d| all | d.step(to)),
    }
}

/// SPEC 15.8: the unbroken runs of enemy pieces between the moved piece and another own one.
#[inline]
fn surrounded(to: SquareSet, own: SquareSet, enemy: SquareSet) -> SquareSet {
    ORTHOGONAL.iter().fold(SquareSet::EMPTY, |flips, direction| {
        let run = direction.slide(to, enemy);
        if direction.step(run).intersects(own) { flips | run } else { flips }
    })
}

/// SPEC 15.9: two enemy pieces next to the moved one, on opposite sides.
#[inline]
fn between(to: SquareSet, enemy: SquareSet, directions: &[Direction; 4]) -> SquareSet {
    let pairs = directions.chunks_exact(2).map(|axis| axis[0].step(to) | axis[1].step(to));
    pairs.fold(
        SquareSet::EMPTY,
        |flips, pair| {
            if (pair & enemy).len() == 2 { flips | pair } else { flips }
        },
    )
}
