//! Eximo: men decide.

use super::{Evaluate, Term, Terms};
use crate::rules::Side;
use crate::rules::eximo::{Eximo, EximoMove, EximoPosition};

const MAN: i32 = 100;

impl Evaluate for Eximo {
    fn terms(&self, position: &EximoPosition) -> Terms {
        let men = Side::BOTH.map(|side| MAN * position.men(side).count_ones() as i32);
        Terms::from_iter([Term { name: "men", values: men }])
    }

    fn gain(&self, _: &EximoPosition, mv: EximoMove) -> i32 {
        MAN * mv.captured().count_ones() as i32
    }
}
