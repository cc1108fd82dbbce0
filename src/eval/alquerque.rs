//! Alquerque: men decide, room to move comes second.

use super::{Evaluate, Term, Terms};
use crate::rules::Side;
use crate::rules::alquerque::{Alquerque, AlquerqueMove, AlquerquePosition};

impl Evaluate for Alquerque {
    fn terms(&self, position: &AlquerquePosition) -> Terms {
        let men = Side::BOTH.map(|side| 100 * position.men(side).count_ones() as i32);
        Terms::from_iter([Term { name: "men", values: men }])
    }

    fn gain(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> i32 {
        100 * mv.captured().count_ones() as i32
    }
}
