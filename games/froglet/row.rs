//! The registry entry of the rules: options and texts for people.

use include_dir::{Dir, include_dir};

use super::Froglet;
use super::rules::{MUST_REMOVE, NOT_GREEN};
use leap_core::notation::Reason;

use crate::{GameId, Kind, OptionSpec, RulesRow, flag};

impl RulesRow for Froglet {
    const ID: GameId = GameId::Froglet;

    const GUIDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/froglet/guide");

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
}
