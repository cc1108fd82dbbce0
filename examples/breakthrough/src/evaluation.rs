//! What a position of Breakthrough is worth.

use leap_core::{BySide, Position as _, Side, SquareSet};
use leap_search::eval::{Evaluator, Terms};

use super::rules::{Breakthrough, Men};

/// The value of a man, in centipawns.
pub const MAN: i32 = 100;
/// The value of a row that a man has gone.
const ROW: i32 = 5;

/// For each bit of a row's number, the squares of the rows that have it.
const ROW_BITS: [SquareSet; 3] =
    [SquareSet(0xff00_ff00_ff00_ff00), SquareSet(0xffff_0000_ffff_0000), SquareSet(u64::MAX << 32)];

/// The sum of the rows that a side's men have gone.
fn rows(men: SquareSet, side: Side) -> u32 {
    let bit = |rows: SquareSet| if side == Side::One { men & rows } else { men & !rows };
    ROW_BITS.into_iter().rev().fold(0, |sum, rows| 2 * sum + bit(rows).len())
}

/// Men, and how far they have come.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Breakthrough> for Evaluation {
    fn terms(&self, _: &Breakthrough, position: &Men) -> Terms {
        let side = position.side();
        let men = BySide::from_fn(|side| MAN * position.men(side).len() as i32);
        let gone = BySide::from_fn(|side| ROW * rows(position.men(side), side) as i32);
        Terms::from_iter([("men", men.balance(side)), ("rows", gone.balance(side))])
    }
}
