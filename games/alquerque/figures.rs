//! The figures of the game for `leapd bench`, `openings` and `problems`.

use super::Alquerque;
use crate::{BenchPosition, Evaluators, Row};

impl Row for Alquerque {
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator> {
        read.alquerque.as_ref()
    }

    /// The evaluation is good: a longer search would solve nearly all problems.
    const PROBLEM_NODES: u64 = 20;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(17),
        BenchPosition::fen("mm1mM/2m1m/mM3/2MMM/mM1MM 2 - 5 29", 14),
        BenchPosition::fen("5/2m2/5/1m3/2M1M 1 - 0 52", 22),
    ];
}
