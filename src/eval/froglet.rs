//! Froglet: points, and what the side to move can score at once. The players take the best moves in turn, so that the
//! side to move comes out ahead by about half of the best one. In games at fixed depth this does much better than
//! points alone, and as well as three quarters of the best move.

use super::{Evaluate, Term, Terms};
use crate::rules::froglet::{Froglet, FrogletMove, FrogletPosition};
use crate::rules::{BySide, Position};

const POINT: i32 = 100;

impl Evaluate for Froglet {
    /// Every move but the first captures, so no position is quiet.
    const QUIESCENCE: bool = false;

    fn terms(&self, position: &FrogletPosition) -> Terms {
        let points = position.points().map(|points| POINT * points as i32);
        let next = POINT * position.best_gain() as i32 / 2;
        let turn = BySide::from_fn(|side| if side == position.side() { next } else { 0 });
        Terms::from_iter([
            Term { name: "points", values: points },
            Term { name: "turn", values: turn },
        ])
    }

    fn gain(&self, position: &FrogletPosition, mv: FrogletMove) -> i32 {
        POINT * position.points_of_hops(mv) as i32
    }
}
