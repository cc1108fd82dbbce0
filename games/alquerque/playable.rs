//! What the engine and its tools know of the game: name, options, texts for people, and figures.

use strum::VariantNames as _;

use super::{Alquerque, CaptureRule};
use leap_search::option::{Kind, OptionSpec};
use leap_search::{BenchPosition, Playable, field_option};

impl Playable for Alquerque {
    const ID: &'static str = "alquerque";
    const TITLE: &'static str = "Alquerque";

    fn max_plies(&mut self) -> Option<&mut u32> {
        Some(&mut self.max_plies)
    }

    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("en", include_str!("guide/en.txt")), ("es", include_str!("guide/es.txt"))];

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        field_option!("AlquerqueCapture": Kind::one_of(CaptureRule::VARIANTS) => choose(capture),
            "whether a capture may be left alone"),
        field_option!("AlquerqueQuietLimit": Kind::PLIES => store(quiet_limit),
            "plies without a capture after which the men are counted; 0 = never"),
    ];

    const PROBLEMS: &'static str = include_str!("problems.txt");

    /// The evaluation is good: a longer search would solve nearly all problems.
    const PROBLEM_NODES: u64 = 20;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(15),
        BenchPosition::fen("mm1mM/2m1m/mM3/2MMM/mM1MM 2 - 5 29", 12),
        BenchPosition::fen("m2m1/2m2/1m1M1/M3M/1M1M1 1 - 0 60", 14),
    ];
}
