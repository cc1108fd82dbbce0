//! Which games there are.

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

/// A game. Its text is its id on the wire (SPEC 1.5), read without regard to case.
///
/// ```
/// use leapd::games::GameId;
///
/// assert_eq!("Sapos".parse(), Ok(GameId::Sapos));
/// assert_eq!(GameId::Sapos.to_string(), "sapos");
/// assert!("chess".parse::<GameId>().is_err());
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum GameId {
    /// Alquerque (SPEC 11).
    #[default]
    Alquerque,
    /// Eximo (SPEC 12).
    Eximo,
    /// Sapos (SPEC 13).
    Sapos,
    /// Froglet (SPEC 14).
    Froglet,
    /// Táctica "S" (SPEC 15).
    Tactica,
}

impl GameId {
    /// All games, in the order in which they are announced; the first is in play when a session begins.
    pub const ALL: &[GameId] = <GameId as VariantArray>::VARIANTS;
    /// Their ids, in the same order.
    pub const NAMES: &[&str] = <GameId as VariantNames>::VARIANTS;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::alquerque::Alquerque;
    use crate::rules::eximo::Eximo;
    use crate::rules::froglet::Froglet;
    use crate::rules::sapos::Sapos;
    use crate::rules::tactica::Tactica;

    #[test]
    fn the_rules_have_the_same_ids() {
        let ids = [Alquerque::ID, Eximo::ID, Sapos::ID, Froglet::ID, Tactica::ID];
        assert_eq!(GameId::NAMES, ids);
    }
}
