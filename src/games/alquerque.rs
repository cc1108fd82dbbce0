use strum::VariantNames as _;

use super::{BenchPosition, GameId, Kind, MAX_PLIES, OptionSpec, Row, choose, store};
use crate::rules::alquerque::{Alquerque, Capture};

impl Row for Alquerque {
    const ID: GameId = GameId::Alquerque;

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        OptionSpec {
            name: "AlquerqueCapture",
            kind: Kind::Combo(Capture::VARIANTS),
            help: "whether a capture may be left alone",
            get: |rules| rules.capture.to_string(),
            set: |rules, value| choose(&mut rules.capture, value),
        },
        OptionSpec {
            name: "AlquerqueQuietLimit",
            kind: Kind::Spin(0, MAX_PLIES),
            help: "plies without a capture after which the men are counted; 0 = never",
            get: |rules| rules.quiet_limit.to_string(),
            set: |rules, value| store(&mut rules.quiet_limit, value),
        },
    ];

    /// The evaluation is so good that a longer search solves nearly all.
    const PROBLEM_NODES: u64 = 20;

    const BENCH: &'static [BenchPosition] = &[
        BenchPosition::start(13),
        BenchPosition::fen("mm1mM/2m1m/mM3/2MMM/mM1MM 2 - 5 29", 9),
        BenchPosition::fen("5/2m2/5/1m3/2M1M 1 - 0 52", 12),
    ];
}
