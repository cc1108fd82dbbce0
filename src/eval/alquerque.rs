//! Alquerque: men decide, room to move comes second. Weights in centipawns, by feel and a few hundred games.

use super::{Evaluate, Term, Terms};
use crate::rules::Side;
use crate::rules::alquerque::{Alquerque, AlquerqueMove, AlquerquePosition};

const MAN: i32 = 100;

impl Evaluate for Alquerque {
    fn terms(&self, position: &AlquerquePosition) -> Terms {
        let men = Side::BOTH.map(|side| MAN * position.men(side).count_ones() as i32);
        Terms::from_iter([Term { name: "men", values: men }])
    }

    fn gain(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> i32 {
        MAN * mv.captured().count_ones() as i32
    }
}
