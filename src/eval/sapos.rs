//! Sapos: the last to move wins, so pieces that can jump and pieces left to place decide.

use super::{Evaluate, Term, Terms};
use crate::rules::Side;
use crate::rules::sapos::{Sapos, SaposMove, SaposPosition};

const PIECE: i32 = 100;

impl Evaluate for Sapos {
    fn terms(&self, position: &SaposPosition) -> Terms {
        let pieces = Side::BOTH.map(|side| PIECE * position.pieces(side).count_ones() as i32);
        Terms::from_iter([Term { name: "pieces", values: pieces }])
    }

    fn gain(&self, _: &SaposPosition, mv: SaposMove) -> i32 {
        PIECE * mv.captured().count_ones() as i32
    }
}
