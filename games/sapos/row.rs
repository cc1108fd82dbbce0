//! The registry entry of the rules: options and texts for people.

use include_dir::{Dir, include_dir};
use strum::VariantNames as _;

use super::{Placement, Sapos};
use crate::{GameId, Kind, OptionSpec, RulesRow, choose, flag};

impl RulesRow for Sapos {
    const ID: GameId = GameId::Sapos;

    const GUIDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/sapos/guide");

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
}
