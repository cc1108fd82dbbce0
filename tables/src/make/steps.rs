//! Steps of positions without counters, by the rules of the game.

use arrayvec::ArrayVec;
use leap_games::alquerque::Alquerque;

use crate::moves::steps;
use crate::{Men, number};

/// The most steps of a side: one for each line of the board (SPEC 11.2).
const MOST_STEPS: usize = 56;

/// Numbers of positions, each once.
pub(super) type Numbers = ArrayVec<u64, MOST_STEPS>;

/// Whether the side to move may make a step: it can, and it need not capture.
fn may_step(rules: &Alquerque, men: Men) -> bool {
    rules.may_step(&men.position())
}

/// The numbers of the positions after the steps of the side to move, each once.
pub(super) fn after_steps(rules: &Alquerque, men: Men) -> Numbers {
    let mut numbers = Numbers::new();
    if may_step(rules, men) {
        steps(men.own, men.free(), |own| {
            add(&mut numbers, number(Men { own: men.enemy, enemy: own }));
        });
    }
    numbers
}

/// The numbers of the positions from which a step of the other side leads to `men`, each once.
pub(super) fn before_steps(rules: &Alquerque, men: Men) -> Numbers {
    let mut numbers = Numbers::new();
    steps(men.enemy, men.free(), |own| {
        let before = Men { own, enemy: men.own };
        if may_step(rules, before) {
            add(&mut numbers, number(before));
        }
    });
    numbers
}

fn add(numbers: &mut Numbers, number: u64) {
    if !numbers.contains(&number) {
        numbers.push(number);
    }
}
