//! What the engine and its tools know of the game: name, options, texts for people, and figures.

use super::Eximo;
use leap_search::{BenchPosition, Playable};

impl Playable for Eximo {
    const ID: &'static str = "eximo";
    const TITLE: &'static str = "Eximo";

    fn max_plies(&mut self) -> Option<&mut u32> {
        Some(&mut self.max_plies)
    }

    const GUIDE: &'static [(&'static str, &'static str)] =
        &[("en", include_str!("guide/en.txt")), ("es", include_str!("guide/es.txt"))];

    const PROBLEMS: &'static str = include_str!("problems.txt");

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(12),
        BenchPosition::fen("1m1m1m2/2m2m2/1m1mm3/1m4M1/m4MM1/6MM/1MM5/1M3M2 2 - 2 41", 12),
        BenchPosition::fen("3m4/m6M/m7/1m6/1m6/1M1M2M1/1M2MM2/2MM4 2 - 2 63", 12),
    ];
}
