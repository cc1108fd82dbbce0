//! The registry: one row for each game, from which everything that iterates over games is generated.
//!
//! The list is the macro [`for_each_game!`](crate::for_each_game); the contents of a row are the trait [`Row`],
//! implemented in a file for each game. Option lists, the engine of a game, `bench` and the tests of all games come
//! from them.

mod alquerque;
mod eximo;
mod froglet;
pub mod guide;
mod option;
mod sapos;
mod tactica;

use std::ops::RangeInclusive;

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

pub use option::{Kind, MAX_PLIES, OptionSpec, OptionValue, Refusal};
pub(crate) use option::{choose, flag, store};

use crate::eval::Evaluate;
use crate::rules::notation::Notation;

/// Calls a macro with the registry: for each game its id, its rules and its title.
///
/// ```
/// macro_rules! titles {
///     ($($id:ident $rules:ident $title:literal;)*) => { [$(($title, leapd::games::GameId::$rules)),*] };
/// }
/// assert_eq!(leapd::for_each_game!(titles)[1].1.to_string(), "eximo");
/// ```
#[macro_export]
macro_rules! for_each_game {
    ($macro:ident) => {
        $macro! {
            alquerque Alquerque "Alquerque";
            eximo Eximo "Eximo";
            sapos Sapos "Sapos";
            froglet Froglet "Froglet";
            tactica Tactica "Táctica “S”";
        }
    };
}

/// What the registry knows of a game beyond its rules and its evaluation.
pub trait Row: Notation + Evaluate + Default + for<'a> From<&'a Rules> {
    /// Which game it is.
    const ID: GameId;
    /// The options of its rules, in the order in which they are announced. [`Rules::max_plies`] is every game's.
    const OPTIONS: &'static [OptionSpec<Self>];
    /// What `leapd bench` searches.
    const BENCH: &'static [BenchPosition];
    /// How many random moves make openings that differ, yet leave the game open.
    const OPENING_PLIES: RangeInclusive<u32> = 6..=10;
    /// The most that a player may be ahead in an opening, in centipawns.
    const OPENING_MARGIN: u32 = 150;
    /// Plies before the end of a problem: as many as can be solved.
    const PROBLEM_PLIES: u32 = 7;
    /// Nodes of a search that must not solve a problem: few enough to leave some.
    const PROBLEM_NODES: u64 = 1_000;

    /// The rules with the start position that a number picks, where they have more than one.
    #[must_use]
    fn seeded(self, _seed: u64) -> Self {
        self
    }

    /// The default rules, then for each value of an option with few choices the rules that differ in it alone: for
    /// tests.
    #[must_use]
    fn variants() -> Vec<Self> {
        let mut variants = vec![Self::default()];
        for option in Self::OPTIONS {
            for value in option.kind.words().iter().copied().map(OptionValue::from) {
                let mut rules = Self::default();
                let changed = (option.set)(&mut rules, value).is_ok();
                if changed && (option.get)(&rules) != (option.get)(&variants[0]) {
                    variants.push(rules);
                }
            }
        }
        variants
    }
}

/// A position that `leapd bench` searches.
#[derive(Clone, Copy, Debug)]
pub struct BenchPosition {
    /// Its text; the start position if `None`.
    pub text: Option<&'static str>,
    /// How deep, in plies.
    pub depth: u32,
}

impl BenchPosition {
    const fn start(depth: u32) -> Self {
        Self { text: None, depth }
    }

    const fn fen(text: &'static str, depth: u32) -> Self {
        Self { text: Some(text), depth }
    }
}

macro_rules! registry {
    ($($id:ident $rules:ident $title:literal;)*) => {
        $(use crate::rules::$id::$rules;)*

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
            Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr,
            VariantArray, VariantNames,
        )]
        #[strum(serialize_all = "lowercase", ascii_case_insensitive)]
        pub enum GameId {
            $(#[doc = $title] $rules,)*
        }

        impl GameId {
            /// The name for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$rules => $title,)*
                }
            }

            /// What `leapd bench` searches of this game.
            #[must_use]
            pub const fn bench(self) -> &'static [BenchPosition] {
                match self {
                    $(Self::$rules => <$rules as Row>::BENCH,)*
                }
            }

            /// The file of problems that `leapd bench --suite` searches (docs/strength.md).
            #[must_use]
            pub const fn problems(self) -> &'static str {
                match self {
                    $(Self::$rules => include_str!(concat!(
                        "../benches/strength/problems/", stringify!($id), ".txt"
                    )),)*
                }
            }

            /// The most that a player may be ahead in an opening of this game, in centipawns.
            #[must_use]
            pub const fn opening_margin(self) -> u32 {
                match self {
                    $(Self::$rules => <$rules as Row>::OPENING_MARGIN,)*
                }
            }

            /// How many random moves lead to an opening of this game.
            #[must_use]
            pub const fn opening_plies(self) -> RangeInclusive<u32> {
                match self {
                    $(Self::$rules => <$rules as Row>::OPENING_PLIES,)*
                }
            }
        }

        /// The rules of every game as the options have set them.
        #[derive(Clone, Debug)]
        pub struct Rules {
            /// Option `MaxPlies`: the ply at which every game ends; 0 = never.
            pub max_plies: u32,
            $($id: $rules,)*
        }

        impl Default for Rules {
            fn default() -> Self {
                Self { max_plies: DEFAULT_MAX_PLIES, $($id: <$rules>::default(),)* }
            }
        }

        $(impl From<&Rules> for $rules {
            fn from(rules: &Rules) -> Self {
                let mut game = rules.$id.clone();
                game.max_plies = rules.max_plies;
                game
            }
        }

        impl AsRef<$rules> for Rules {
            fn as_ref(&self) -> &$rules {
                &self.$id
            }
        }

        impl AsMut<$rules> for Rules {
            fn as_mut(&mut self) -> &mut $rules {
                &mut self.$id
            }
        })*
    };
}

for_each_game!(registry);

/// The default of `MaxPlies` (SPEC 10.14).
const DEFAULT_MAX_PLIES: u32 = 400;

impl GameId {
    /// All games, in the order in which they are announced.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;
    /// Their ids, in the same order.
    pub const NAMES: &[&str] = <Self as VariantNames>::VARIANTS;
}

impl Default for GameId {
    /// The first: it is in play when a session begins (SPEC 1.6).
    fn default() -> Self {
        Self::ALL[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_are_named_as_the_ids() {
        macro_rules! modules {
            ($($id:ident $rules:ident $title:literal;)*) => { [$(stringify!($id)),*] };
        }
        assert_eq!(GameId::NAMES, for_each_game!(modules));
    }
}
