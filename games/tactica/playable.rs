//! What the engine and its tools know of the game: name, options, texts for people, and figures.

use strum::VariantNames as _;

use super::{Pairs, Tactica};
use leap_search::option::{Kind, OptionSpec, store};
use leap_search::{BenchPosition, Playable, field_option};

impl Playable for Tactica {
    const ID: &'static str = "tactica";
    const TITLE: &'static str = "Táctica “S”";

    fn max_plies(&mut self) -> Option<&mut u32> {
        Some(&mut self.max_plies)
    }

    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("en", include_str!("guide/en.txt")), ("es", include_str!("guide/es.txt"))];

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        field_option!("TacticaPairs": Kind::one_of(Pairs::VARIANTS) => choose(pairs),
            "which pairs around the moved piece are captured"),
        OptionSpec {
            name: "TacticaRepetition",
            kind: Kind::Spin(0, 1_000),
            help: "a move may not bring about a position for this many-th time; 0 = no such rule, 1 is refused",
            get: |rules| rules.repetition.to_string(),
            set: |rules, value| match value.number {
                1 => Err("0 or a number from 2 to 1000".into()),
                _ => store(&mut rules.repetition, value),
            },
        },
    ];

    const PROBLEMS: &'static str = include_str!("problems.txt");

    /// Problems of seven plies have too many moves to be solved.
    const PROBLEM_PLIES: u32 = 5;
    const PROBLEM_NODES: u64 = 100;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(8),
        BenchPosition::fen("c1s3c1/3h4/C2Cc2h/8/2S5/c3S3/4C3/1H3s~HC 1 - 13 24", 9),
        BenchPosition::fen("1h4c1/2s~2S~S~1/8/2c~5/8/c2C4/Hc~h~CC2H/1C3s~2 2 - 4 55", 11),
    ];
}
