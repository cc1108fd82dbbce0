//! The registry entry of the rules: options and texts for people.

use include_dir::{Dir, include_dir};
use strum::VariantNames as _;

use super::{Pairs, Tactica};
use crate::{GameId, Kind, OptionSpec, RulesRow, choose, store};

impl RulesRow for Tactica {
    const ID: GameId = GameId::Tactica;

    const GUIDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/tactica/guide");

    const OPTIONS: &'static [OptionSpec<Self>] = &[
        OptionSpec {
            name: "TacticaPairs",
            kind: Kind::Combo(Pairs::VARIANTS),
            help: "which pairs around the moved piece are captured",
            get: |rules| rules.pairs.to_string(),
            set: |rules, value| choose(&mut rules.pairs, value),
        },
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
}
