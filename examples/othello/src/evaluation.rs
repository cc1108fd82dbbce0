//! What a position of Othello is worth.

use leap_core::SquareSet;
use leap_search::eval::{Evaluator, Terms};

use super::rules::{Discs, Othello, legal};

const CORNERS: SquareSet = SquareSet(0x8100_0000_0000_0081);
/// The squares diagonally next to a corner.
const X_SQUARES: SquareSet = SquareSet(0x0042_0000_0000_4200);

/// Corners, and moves to choose from. Discs count only at the end.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Othello> for Evaluation {
    fn terms(&self, _: &Othello, position: &Discs) -> Terms {
        let (own, enemy) = (position.own(), position.enemy());
        let count = |set: SquareSet| set.len() as i32;
        let empty = position.empty();
        let next_to_empty_corners = |discs: SquareSet| {
            let exposed = CORNERS.into_iter().zip(X_SQUARES);
            exposed.filter(|(corner, x)| empty.contains(*corner) && discs.contains(*x)).count()
                as i32
        };
        Terms::from_iter([
            ("corners", 300 * (count(own & CORNERS) - count(enemy & CORNERS))),
            ("x-squares", 120 * (next_to_empty_corners(enemy) - next_to_empty_corners(own))),
            ("mobility", 20 * (count(legal(own, enemy)) - count(legal(enemy, own)))),
        ])
    }
}
