//! Froglet: points, and what the side to move can score at once. The players take the best moves in turn, so that the
//! side to move comes out ahead by about half of the best one. In games at fixed depth this does much better than
//! points alone, and as well as three quarters of the best move.

use super::{Evaluate, LateMoves, Margin, Term, Terms, Tuning};
use crate::rules::froglet::{Froglet, FrogletMove, FrogletPosition};
use crate::rules::{BySide, Key, Position, Side, keys};

const POINT: i32 = 100;

impl Evaluate for Froglet {
    /// Every move but the first captures, so no position is quiet.
    const QUIESCENCE: bool = false;
    const BY_MARGIN: bool = true;
    const TUNING: Tuning = Tuning {
        reverse_futility: Margin { depth: 6, per_ply: 60 },
        late_moves: LateMoves { depth: 12, base: 5, per_square: 50 },
        ..Tuning::DEFAULT
    };

    fn settled(&self, position: &FrogletPosition, side: Side) -> i32 {
        let points = position.points();
        POINT * (points[side] as i32 - points[side.other()] as i32)
    }

    fn future(&self, position: &FrogletPosition, side: Side) -> i32 {
        let next = Self::next(position);
        if side == position.side() { next } else { -next }
    }

    fn future_key(&self, position: &FrogletPosition) -> Key {
        position.frogs_key() ^ keys::side(position.side())
    }

    fn terms(&self, position: &FrogletPosition) -> Terms {
        let points = position.points().map(|points| POINT * points as i32);
        let next = Self::next(position);
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

impl Froglet {
    /// What the side to move comes out ahead by, from here on.
    fn next(position: &FrogletPosition) -> i32 {
        POINT * position.best_gain() as i32 / 2
    }
}
