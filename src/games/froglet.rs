use super::{BenchPosition, GameId, Kind, OptionSpec, Row, flag};
use crate::rules::froglet::Froglet;

impl Row for Froglet {
    const ID: GameId = GameId::Froglet;

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
        OptionSpec {
            name: "FrogletFirstFrogScores",
            kind: Kind::Check,
            help: "whether the green frog that is removed first scores its point",
            get: |rules| rules.first_frog_scores.to_string(),
            set: |rules, value| flag(&mut rules.first_frog_scores, value),
        },
    ];

    fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(5),
        BenchPosition::fen(
            "YYG1Y2GGRGG/R1G7GY/B5GB3Y/3Y7G/10GG/GYGG2GG3Y/YYY4R1YGG/RRRG3Y2GG/RYRGRBGGY2G/GYYYGGYRYYGY/YYGGGGBYYGGY/GYGGGGRGGYGG 1 45-58 0 38",
            5,
        ),
        BenchPosition::fen(
            "GRYGGGGRRGYG/GGR4YYYGY/YYG1Y3G2Y/YYRG3G2BR/RGG9/GGG1YY2Y3/YRRGGG3B2/RGR1GG6/YY3BG2G2/YYYY1G5Y/GGYY3Y3R/YGYGRGGR1G2 1 48-61 0 46",
            5,
        ),
    ];
}
