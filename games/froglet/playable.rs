//! What the engine and its tools know of the game: name, options, texts for people, and figures.

use super::Froglet;
use super::rules::{MUST_REMOVE, NOT_GREEN};
use leap_core::notation::Reason;

use leap_search::option::{Kind, OptionSpec};
use leap_search::{BenchPosition, Playable, field_option};

impl Playable for Froglet {
    const ID: &'static str = "froglet";
    const TITLE: &'static str = "Froglet";

    fn max_plies(&mut self) -> Option<&mut u32> {
        Some(&mut self.max_plies)
    }

    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("en", include_str!("guide/en.txt")), ("es", include_str!("guide/es.txt"))];

    const REASONS: &'static [Reason] = &[NOT_GREEN, MUST_REMOVE];

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        OptionSpec {
            name: "FrogletSeed",
            kind: Kind::Text,
            help: "the start position's seed, an unsigned 64-bit number; used when the start position is next set up",
            get: |rules| rules.seed.to_string(),
            set: |rules, value| {
                let expected = "a number from 0 to 18446744073709551615";
                rules.seed = value.text.parse().map_err(|_| expected)?;
                Ok(())
            },
        },
        field_option!("FrogletFirstFrogScores": Kind::Check => choose(first_frog_scores),
            "whether the green frog that is removed first scores its point"),
    ];

    fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    const PROBLEMS: &'static str = include_str!("problems.txt");

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
