//! Froglet: points, and what the side to move can score at once. The players take the best moves in turn, so that the
//! side to move comes out ahead by about half of the best one. In games at fixed depth this does much better than
//! points alone, and as well as three quarters of the best move.

mod endings;

use endings::Endings;

use leap_search::eval::{Evaluate, LateMoves, Margin, Term, Terms, Tuning};
use super::{Froglet, FrogletMove, FrogletPosition};
use leap_core::{BySide, Game, Key, Position, Side, keys};

const POINT: i32 = 100;

/// So few frogs are mostly solved within a second, and so many of a side's moves may still take time then.
const SOLVED_FROGS: u32 = 30;
const LAST_MOVES: u32 = 4;
/// Frogs for each further move that is planned for; a move of both sides takes somewhat fewer (docs/strength.md).
const FROGS_PER_MOVE: u32 = 4;

/// With more single hops, or more frogs, an ending is seldom small enough to be solved at a node.
const MAX_HOPS: u64 = 5;
const MAX_FROGS: u32 = 40;

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

    fn future(&self, (): &(), position: &FrogletPosition, side: Side) -> i32 {
        let next = Self::next(position);
        if side == position.side() { next } else { -next }
    }

    fn future_key(&self, position: &FrogletPosition) -> Key {
        position.frogs_key() ^ keys::side(position.side())
    }

    fn moves_left(&self, position: &FrogletPosition) -> u32 {
        LAST_MOVES + position.frogs().saturating_sub(SOLVED_FROGS) / FROGS_PER_MOVE
    }

    type Endings = Endings;
    type Weights = ();

    fn is_ending(&self, position: &FrogletPosition) -> bool {
        let frogs = position.frogs();
        // Every move takes a frog away, so that a limit of the rules further off is not reached.
        let is_unlimited = self.horizon(position).is_none_or(|horizon| horizon.plies >= frogs);
        frogs <= MAX_FROGS && position.hops() <= MAX_HOPS && is_unlimited
    }

    fn probe(&self, endings: &mut Endings, position: &FrogletPosition) -> Option<i32> {
        Some(POINT * endings.margin(position)?)
    }

    fn terms(&self, (): &(), position: &FrogletPosition) -> Terms {
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
