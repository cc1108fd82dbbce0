//! The figures of the game for `leapd bench`, `openings` and `problems`.

use super::Froglet;
use crate::{BenchPosition, Evaluators, Row};

impl Row for Froglet {
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator> {
        read.froglet.as_ref()
    }

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(19),
        BenchPosition::fen(
            "YYG1Y2GGRGG/R1G7GY/B5GB3Y/3Y7G/10GG/GYGG2GG3Y/YYY4R1YGG/RRRG3Y2GG/RYRGRBGGY2G/GYYYGGYRYYGY/YYGGGGBYYGGY/GYGGGGRGGYGG 1 45-58 0 38",
            18,
        ),
        BenchPosition::fen(
            "GRYGGGGRRGYG/GGR4YYYGY/YYG1Y3G2Y/YYRG3G2BR/RGG9/GGG1YY2Y3/YRRGGG3B2/RGR1GG6/YY3BG2G2/YYYY1G5Y/GGYY3Y3R/YGYGRGGR1G2 1 48-61 0 46",
            17,
        ),
    ];
}
