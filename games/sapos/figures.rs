//! The figures of the game for `leapd bench`, `openings` and `problems`.

use std::ops::RangeInclusive;

use super::Sapos;
use crate::{BenchPosition, Evaluators, Row};

impl Row for Sapos {
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator> {
        read.sapos.as_ref()
    }

    /// After fewer moves, hardly any opening gives both sides a chance (docs/games/sapos.md).
    const OPENING_PLIES: RangeInclusive<u32> = 12..=20;
    /// The tempo counts 300 by itself.
    const OPENING_MARGIN: u32 = 500;
    /// Problems of seven plies have too many moves to be solved.
    const PROBLEM_PLIES: u32 = 5;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(8),
        BenchPosition::fen("3m4/1mmm1mmm/2mmmm2/4mmM1/6MM/3MM1MM/3MMM2/4M1M1 1 1 17 17", 7),
        BenchPosition::fen("m1m1mmmm/mM4M1/mm1m2MM/m1mm1MM1/3m1MMM/5M2/2m3MM/3M1M1M 1 1 3 51", 12),
    ];
}
