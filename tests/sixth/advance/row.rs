//! What the registry knows of the rules: options and texts for people.

use include_dir::{Dir, include_dir};

use super::Advance;
use crate::{GameId, OptionSpec, RulesRow};

impl RulesRow for Advance {
    const ID: GameId = GameId::Advance;
    const GUIDE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/advance/guide");
    const OPTIONS: &'static [OptionSpec<Self>] = &[];
}
