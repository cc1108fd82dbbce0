use std::ops::RangeInclusive;

use strum::VariantNames as _;

use super::{BenchPosition, GameId, Kind, OptionSpec, Row, choose, flag};
use crate::rules::sapos::{Placement, Sapos};

impl Row for Sapos {
    const ID: GameId = GameId::Sapos;

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        OptionSpec {
            name: "SaposPlacement",
            kind: Kind::Combo(Placement::VARIANTS),
            help: "whether a turn without a capture that cannot place is illegal or just places nothing",
            get: |rules| rules.placement.to_string(),
            set: |rules, value| choose(&mut rules.placement, value),
        },
        OptionSpec {
            name: "SaposRevisit",
            kind: Kind::Check,
            help: "whether a piece may come back to a square of its route",
            get: |rules| rules.revisit.to_string(),
            set: |rules, value| flag(&mut rules.revisit, value),
        },
    ];

    /// After fewer moves hardly any opening is open (docs/strength.md).
    const OPENING_PLIES: RangeInclusive<u32> = 12..=20;
    /// The tempo alone is 300.
    const OPENING_MARGIN: u32 = 500;
    /// There are too many moves for seven.
    const PROBLEM_PLIES: u32 = 5;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(5),
        BenchPosition::fen("3m4/1mmm1mmm/2mmmm2/4mmM1/6MM/3MM1MM/3MMM2/4M1M1 1 1 17 17", 5),
        BenchPosition::fen("m1m1mmmm/mM4M1/mm1m2MM/m1mm1MM1/3m1MMM/5M2/2m3MM/3M1M1M 1 1 3 51", 5),
    ];
}
