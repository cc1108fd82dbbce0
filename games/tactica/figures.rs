//! The figures of the game for `leapd bench`, `openings` and `problems`.

use super::Tactica;
use crate::{BenchPosition, Evaluators, Row};

impl Row for Tactica {
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator> {
        read.tactica.as_ref()
    }

    /// Problems of seven plies have too many moves to be solved.
    const PROBLEM_PLIES: u32 = 5;
    const PROBLEM_NODES: u64 = 100;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(8),
        BenchPosition::fen("c1s3c1/3h4/C2Cc2h/8/2S5/c3S3/4C3/1H3s~HC 1 - 13 24", 9),
        BenchPosition::fen("1h4c1/2s~2S~S~1/8/2c~5/8/c2C4/Hc~h~CC2H/1C3s~2 2 - 4 55", 11),
    ];
}
