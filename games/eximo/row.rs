//! The registry entry of the rules: options and texts for people.

use include_dir::{Dir, include_dir};

use super::Eximo;
use crate::{GameId, OptionSpec, RulesRow};

impl RulesRow for Eximo {
    const ID: GameId = GameId::Eximo;

    const GUIDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/eximo/guide");

    const OPTIONS: &'static [OptionSpec<Self>] = &[];
}
