//! Táctica "S": pieces that can move decide, room to move comes second.

use super::{Evaluate, Term, Terms};
use crate::rules::Side;
use crate::rules::tactica::{Tactica, TacticaMove, TacticaPosition};

const ORTHOGONAL: i32 = 300;
const DIAGONAL: i32 = 200;

/// What the pieces of a set are worth as movers: a star is worth a cross and a horse.
fn worth(position: &TacticaPosition, set: u64) -> i32 {
    let orthogonal = (set & position.orthogonal()).count_ones() as i32;
    let diagonal = (set & position.diagonal()).count_ones() as i32;
    ORTHOGONAL * orthogonal + DIAGONAL * diagonal
}

impl Evaluate for Tactica {
    fn terms(&self, position: &TacticaPosition) -> Terms {
        let values = Side::BOTH.map(|side| worth(position, position.movers(side)));
        Terms::from_iter([Term { name: "movers", values }])
    }

    fn gain(&self, position: &TacticaPosition, mv: TacticaMove) -> i32 {
        worth(position, self.flips(position, mv))
    }
}
