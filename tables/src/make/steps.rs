//! Steps of positions without counters, by the rules of the game.

use arrayvec::ArrayVec;
use leap_core::SquareSet;
use leap_games::alquerque::{Alquerque, neighbours};

use crate::{Men, number};

/// The most steps of a side: one for each line of the board (SPEC 11.2).
const MOST_STEPS: usize = 56;

/// Numbers of positions, each once.
pub(super) type Numbers = ArrayVec<u64, MOST_STEPS>;

/// Whether the side to move may make a step: it can, and it need not capture.
fn may_step(rules: &Alquerque, men: Men) -> bool {
    rules.may_step(&men.position())
}

/// Visits the men of the side `own` after each step of one of them.
fn steps(own: u32, free: u32, mut visit: impl FnMut(u32)) {
    for from in SquareSet(u64::from(own)) {
        let without = own & !(1 << from.index());
        for to in neighbours(from) {
            if free >> to.index() & 1 != 0 {
                visit(without | 1 << to.index());
            }
        }
    }
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
