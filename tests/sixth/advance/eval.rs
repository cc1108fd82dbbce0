//! Advance: men.

use leap_core::{BySide, Square};
use leap_search::Searchable;
use leap_search::eval::{Evaluator, Term, Terms};

use super::{Advance, AdvanceMove, AdvancePosition};

const MAN: i32 = 100;

impl Searchable for Advance {
    type Evaluator = AdvanceEvaluator;
    type EndgameSolver = ();

    fn from_to(mv: AdvanceMove) -> (Square, Square) {
        mv
    }

    fn gain(&self, position: &AdvancePosition, (_, to): AdvanceMove) -> i32 {
        MAN * i32::from(position.enemy().contains(to))
    }
}

/// The evaluation of Advance; made by hand.
#[derive(Clone, Debug, Default)]
pub struct AdvanceEvaluator;

impl Evaluator<Advance> for AdvanceEvaluator {
    fn terms(&self, _: &Advance, position: &AdvancePosition) -> Terms {
        let values = BySide::from_fn(|side| MAN * position.men(side).len() as i32);
        Terms::from_iter([Term { name: "men", values }])
    }
}
