//! The registry entry of the rules: options and texts for people.

use include_dir::{Dir, include_dir};
use strum::VariantNames as _;

use super::{Alquerque, Capture};
use crate::{GameId, Kind, MAX_PLIES, OptionSpec, RulesRow, choose, store};

impl RulesRow for Alquerque {
    const ID: GameId = GameId::Alquerque;

    const GUIDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/alquerque/guide");

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
}
