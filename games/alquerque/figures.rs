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
        BenchPosition::start(15),
        BenchPosition::fen("mm1mM/2m1m/mM3/2MMM/mM1MM 2 - 5 29", 12),
        BenchPosition::fen("m2m1/2m2/1m1M1/M3M/1M1M1 1 - 0 60", 14),
    ];
}
