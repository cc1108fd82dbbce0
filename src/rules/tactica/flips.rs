//! What a move flips (SPEC 15.8 to 15.14).

use super::slides::{DIAGONAL, Direction, ORTHOGONAL};
use super::{Pairs, TacticaMove, TacticaPosition};

/// The pieces that a legal move flips, all seen on the board right after the slide.
#[inline]
pub(super) fn flips(position: &TacticaPosition, mv: TacticaMove, pairs: Pairs) -> u64 {
    let to = mv.to.bit();
    let own = position.own() ^ mv.from.bit();
    let enemy = position.enemy();
    if neighbours(to, pairs) & enemy == 0 {
        return 0;
    }
    let mut flips = surrounded(to, own, enemy) | between(to, enemy, &ORTHOGONAL);
    if pairs == Pairs::All {
        flips |= between(to, enemy, &DIAGONAL);
    }
    flips
}

/// Every flip takes an enemy piece next to the moved one.
#[inline]
fn neighbours(to: u64, pairs: Pairs) -> u64 {
    let orthogonal = ORTHOGONAL.iter().fold(0, |set, direction| set | direction.step(to));
    match pairs {
        Pairs::Orthogonal => orthogonal,
        Pairs::All => DIAGONAL.iter().fold(orthogonal, |set, direction| set | direction.step(to)),
    }
}

/// SPEC 15.8: the unbroken runs of enemy pieces between the moved piece and another own one.
#[inline]
fn surrounded(to: u64, own: u64, enemy: u64) -> u64 {
    ORTHOGONAL.iter().fold(0, |flips, direction| {
        let run = direction.slide(to, enemy);
        if direction.step(run) & own != 0 { flips | run } else { flips }
    })
}

/// SPEC 15.9: two enemy pieces next to the moved one, on opposite sides.
#[inline]
fn between(to: u64, enemy: u64, directions: &[Direction; 4]) -> u64 {
    let pairs = directions.chunks_exact(2).map(|axis| axis[0].step(to) | axis[1].step(to));
    pairs.fold(0, |flips, pair| {
        let both = (pair & enemy).count_ones() == 2;
        if both { flips | pair } else { flips }
    })
}
