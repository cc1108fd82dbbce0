//! What a position of Ataxx is worth.

use leap_core::SquareSet;
use leap_search::eval::{Evaluator, Terms};

use super::rules::{Ataxx, Stones, around};

/// Stones, and the empty squares beside them.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Ataxx> for Evaluation {
    fn terms(&self, _: &Ataxx, position: &Stones) -> Terms {
        let count = |set: SquareSet| set.len() as i32;
        let (own, enemy, empty) = (position.own(), position.enemy(), position.empty());
        let room = |stones: SquareSet| count(around(stones) & empty);
        Terms::from_iter([
            ("stones", 100 * (count(own) - count(enemy))),
            ("room", 10 * (room(own) - room(enemy))),
        ])
    }
}
