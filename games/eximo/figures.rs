//! The figures of the game for `leapd bench`, `openings` and `problems`.

use super::Eximo;
use crate::{BenchPosition, Evaluators, Row};

impl Row for Eximo {
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator> {
        read.eximo.as_ref()
    }

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(12),
        BenchPosition::fen("1m1m1m2/2m2m2/1m1mm3/1m4M1/m4MM1/6MM/1MM5/1M3M2 2 - 2 41", 12),
        BenchPosition::fen("3m4/m6M/m7/1m6/1m6/1M1M2M1/1M2MM2/2MM4 2 - 2 63", 12),
    ];
}
