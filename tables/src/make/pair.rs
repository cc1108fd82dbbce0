//! Retrograde analysis of a slice and the slice with the other side to move.
//!
//! Steps stay in the pair, captures lead to smaller slices. Endless play is decided by the count of men.
//! A value differs from the count only where a side, the *attacker*, can force captures or an end that give it more.
//! These positions are its attractor. They are found in the order of their distance, one level a pass over the pair.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use arrayvec::ArrayVec;
use leap_games::alquerque::Alquerque;
use rayon::prelude::*;

use super::outcomes::Outcomes;
use crate::moves::steps;
use crate::value::{Class, Code};
use crate::{Men, Slice, Wdl, number};

/// A cell below this number is open: so many of its steps are not known to fail.
const RESOLVED: u8 = 64;
/// The cell of a position whose side to move escapes for certain.
const ESCAPES: u8 = 63;
/// The cells that a thread takes at a time.
const CHUNK: usize = 1 << 16;

/// The cells of a pair of slices, one byte for each number.
pub(super) struct Pair {
    /// The slice in which the side with more men moves.
    more: Slice,
    /// The cells of `more`, then of the flipped slice. With equal men there is only one slice.
    cells: [Vec<AtomicU8>; 2],
}

/// How far the work on a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// The number of the goal, from 0.
    pub(super) round: u32,
    /// The level whose positions are passed on next.
    pub(super) level: u32,
}

impl Pair {
    pub(super) fn new(more: Slice) -> Self {
        let cells = |slice: Slice| (0..slice.size()).map(|_| AtomicU8::new(0)).collect();
        let fewer = if more.own == more.enemy { Vec::new() } else { cells(more.flipped()) };
        Self { more, cells: [cells(more), fewer] }
    }

    /// The pair with these cells, those of `more` first. `None` if they are too few or too many.
    pub(super) fn resumed(more: Slice, mut cells: impl Iterator<Item = AtomicU8>) -> Option<Self> {
        let mut pair = Self::new(more);
        for part in &mut pair.cells {
            for cell in part {
                *cell = cells.next()?;
            }
        }
        cells.next().is_none().then_some(pair)
    }

    /// The slices with their cells.
    pub(super) fn slices(&self) -> impl Iterator<Item = (Slice, &[AtomicU8])> {
        let both = [self.more, self.more.flipped()].into_iter().zip(&self.cells);
        both.filter(|(_, cells)| !cells.is_empty()).map(|(slice, cells)| (slice, &cells[..]))
    }

    fn cells(&self, slice: Slice) -> &[AtomicU8] {
        &self.cells[usize::from(slice != self.more)]
    }

    /// The goals of the attacker, at least this outcome. With equal men each side attacks in turn, and a draw is what the
    /// count gives.
    pub(super) fn goals(&self) -> &'static [Wdl] {
        const GOALS: [Wdl; 2] = [Wdl::Win, Wdl::Draw];
        if self.more.own == self.more.enemy { &GOALS[..1] } else { &GOALS }
    }

    /// The class of a position that is resolved, by the goal and by who moves.
    fn class(&self, goal: Wdl, is_attacker: bool) -> Class {
        let is_even = self.more.own == self.more.enemy;
        match (is_even, goal) {
            (true, _) if is_attacker => Class::First,
            (false, Wdl::Win) => Class::First,
            _ => Class::Second,
        }
    }

    /// Looks at the captures of every open position: level 1, and level 0 where nobody can move.
    pub(super) fn begin(&self, rules: &Alquerque, goal: Wdl, outcomes: &Outcomes) {
        for (slice, cells) in self.slices() {
            // Whether the side to move can be the attacker, and whether it can be the defender.
            let (attacks, defends) = (slice.own <= slice.enemy, slice.own >= slice.enemy);
            for_each(
                slice,
                cells,
                |cell| cell < RESOLVED,
                |men, cell| {
                    let best = outcomes.best_capture(rules, men);
                    let value = if attacks && best >= Some(goal) {
                        Code::new(self.class(goal, true), 1).0
                    } else if !defends || best > Some(goal.flipped()) {
                        ESCAPES
                    } else {
                        match (after_steps(rules, men).len(), best) {
                            (0, None) => Code::new(self.class(goal, false), 0).0,
                            (0, Some(_)) => Code::new(self.class(goal, false), 1).0,
                            (steps, _) => steps as u8,
                        }
                    };
                    cell.store(value, Relaxed);
                },
            );
        }
    }

    /// Passes the positions of a level on to the positions before them. Returns whether there were any, or may be any
    /// at a higher level.
    pub(super) fn pass_on(&self, rules: &Alquerque, goal: Wdl, level: u32) -> bool {
        let highest = AtomicU32::new(0);
        for (slice, cells) in self.slices() {
            let is_even = slice.own == slice.enemy;
            let before = self.cells(slice.flipped());
            for_each(
                slice,
                cells,
                |cell| Code(cell).parts().is_some_and(|(_, plies)| plies >= level),
                |men, cell| {
                    let Some((class, plies)) = Code(cell.load(Relaxed)).parts() else { return };
                    highest.fetch_max(plies, Relaxed);
                    if plies != level {
                        return;
                    }
                    let attacker_moves =
                        if is_even { class == Class::First } else { slice.own < slice.enemy };
                    let found = Code::new(self.class(goal, !attacker_moves), level + 1).0;
                    for at in before_steps(rules, men) {
                        let cell = &before[at as usize];
                        let _ = cell.fetch_update(Relaxed, Relaxed, |open| match open {
                            RESOLVED.. => None,
                            _ if !attacker_moves => Some(found),
                            0 | ESCAPES => None,
                            1 => Some(found),
                            more => Some(more - 1),
                        });
                    }
                },
            );
        }
        highest.into_inner() >= level
    }

    /// Forgets how many steps are left to open positions.
    pub(super) fn end(&self) {
        for (_, cells) in self.slices() {
            cells.par_iter().for_each(|cell| {
                if cell.load(Relaxed) < RESOLVED {
                    cell.store(Code::BY_COUNT.0, Relaxed);
                }
            });
        }
    }
}

/// Calls `work` for each position whose cell passes the test, on all cores.
fn for_each(
    slice: Slice,
    cells: &[AtomicU8],
    test: impl Fn(u8) -> bool + Sync,
    work: impl Fn(Men, &AtomicU8) + Sync,
) {
    cells.par_chunks(CHUNK).enumerate().for_each(|(chunk, cells)| {
        for (offset, cell) in cells.iter().enumerate() {
            if test(cell.load(Relaxed)) {
                let at = (chunk * CHUNK + offset) as u64;
                let men = slice.men_at(at);
                if number(men) == at {
                    work(men, cell);
                }
            }
        }
    });
}

/// The most steps of a side: one for each line of the board (SPEC 11.2).
const MOST_STEPS: usize = 56;

/// Numbers of positions, each once.
type Numbers = ArrayVec<u64, MOST_STEPS>;

/// The numbers of the positions after the steps of the side to move, each once.
fn after_steps(rules: &Alquerque, men: Men) -> Numbers {
    let mut numbers = Numbers::new();
    if rules.may_step(&men.position()) {
        steps(men.own, men.free(), |own| {
            add(&mut numbers, number(Men { own: men.enemy, enemy: own }));
        });
    }
    numbers
}

/// The numbers of the positions from which a step of the other side leads to `men`, each once.
fn before_steps(rules: &Alquerque, men: Men) -> Numbers {
    let mut numbers = Numbers::new();
    steps(men.enemy, men.free(), |own| {
        let before = Men { own, enemy: men.own };
        if rules.may_step(&before.position()) {
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
