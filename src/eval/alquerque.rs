//! Alquerque: men decide, room to move comes second.

use super::{Evaluate, Term, Terms};
use crate::rules::BySide;
use crate::rules::alquerque::{Alquerque, AlquerqueMove, AlquerquePosition};

/// A man.
const MAN: i32 = 100;
/// A step that could be made: men that stand free are harder to shut in and attack more lines.
const STEP: i32 = 3;

impl Evaluate for Alquerque {
    type Endings = ();

    fn terms(&self, position: &AlquerquePosition) -> Terms {
        let men = BySide::from_fn(|side| MAN * position.men(side).len() as i32);
        let mobility = BySide::from_fn(|side| STEP * position.steps(side) as i32);
        Terms::from_iter([
            Term { name: "men", values: men },
            Term { name: "mobility", values: mobility },
        ])
    }

    fn gain(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> i32 {
        MAN * mv.captured().len() as i32
    }
}
