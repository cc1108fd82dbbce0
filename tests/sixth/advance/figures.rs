//! What `leapd bench`, `openings` and `problems` use of the game.

use super::Advance;
use crate::{BenchPosition, Evaluators, Row};

impl Row for Advance {
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator> {
        read.advance.as_ref()
    }

    const BENCH: &'static [BenchPosition] =
        &[BenchPosition::start(6), BenchPosition::fen("4/1m2/1M2/2M1 1 - 0 9", 4)];
}
