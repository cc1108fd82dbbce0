//! What a position of Breakthrough is worth.

use leap_core::{BySide, Position as _, Side, Square};
use leap_search::eval::{Evaluator, Terms};

use super::rules::{Breakthrough, Men};

/// The value of a man, in centipawns.
pub const MAN: i32 = 100;
/// The value of a row that a man has gone.
const ROW: i32 = 5;

/// Men, and how far they have come.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Breakthrough> for Evaluation {
    fn terms(&self, _: &Breakthrough, position: &Men) -> Terms {
        let side = position.side();
        let men = BySide::from_fn(|side| MAN * position.men(side).len() as i32);
        let rows = |side: Side, square: Square| {
            let row = (square.index() / 8) as i32;
            if side == Side::One { row } else { 7 - row }
        };
        let gone = BySide::from_fn(|side| {
            position.men(side).into_iter().map(|square| ROW * rows(side, square)).sum()
        });
        Terms::from_iter([("men", men.balance(side)), ("rows", gone.balance(side))])
    }
}
