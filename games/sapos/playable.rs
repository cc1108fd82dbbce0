//! What the engine and its tools know of the game: name, options, texts for people, and figures.

use std::ops::RangeInclusive;

use strum::VariantNames as _;

use super::{Placement, Sapos};
use leap_search::option::{Kind, OptionSpec};
use leap_search::{BenchPosition, Playable, field_option};

impl Playable for Sapos {
    const ID: &'static str = "sapos";
    const TITLE: &'static str = "Sapos";

    fn max_plies(&mut self) -> Option<&mut u32> {
        Some(&mut self.max_plies)
    }

    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("en", include_str!("guide/en.txt")), ("es", include_str!("guide/es.txt"))];

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        field_option!("SaposPlacement": Kind::one_of(Placement::VARIANTS) => choose(placement),
            "whether a turn without a capture that cannot place is illegal or just places nothing"),
        field_option!("SaposRevisit": Kind::Check => choose(revisit),
            "whether a piece may come back to a square of its route"),
    ];

    const PROBLEMS: &'static str = include_str!("problems.txt");

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
