//! The rules of five board games: Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! Each game is a module with a ruleset ([`eximo::Eximo`]), a position and a move. All games share the traits
//! [`Rules`](leap_core::Rules) and [`Notation`] of leap-core:
//!
//! ```
//! use leap_core::Game;
//! use leap_core::notation::Notation;
//! use leap_games::eximo::Eximo;
//!
//! // Parse: a position, or a move of a game.
//! let rules = Eximo::default();
//! let position = rules.parse_position("8/2M4m/8/8/8/8/8/8 1 - 2 40")?;
//! let mut game = Game::new(rules, position);
//! let mv = game.parse_move("c7c8@b1@d2").unwrap();
//!
//! // Apply: an illegal move would be an error.
//! game.play(mv)?;
//!
//! // Print.
//! assert_eq!(game.rules().print_position(game.current()), "8/7m/8/8/8/8/3M4/1M6 2 - 3 41");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One program for all games
//!
//! [`GameId`] names a game at run time. [`for_each_game!`] writes code for each game:
//!
//! ```
//! use leap_core::{StopFlag, Rules, perft::perft};
//! use leap_games::for_each_game;
//!
//! let mut counts = Vec::new();
//! macro_rules! count {
//!     ($($id:ident $rules:ident $title:literal;)*) => {$(
//!         let game = leap_games::$id::$rules::default();
//!         counts.push(($title, perft(&game, &game.start(), 1, &StopFlag::default())));
//!     )*};
//! }
//! for_each_game!(count);
//! assert_eq!(counts[0], ("Alquerque", 4));
//! ```
//!
//! # With and without an engine
//!
//! Without its feature `eval` this crate is a rules library: it has no evaluation, no weights and no search. With the
//! feature, each game also implements `Searchable` of leap-search.
//!
//! # The registry
//!
//! The macro is the list of games. Each game describes itself by the trait [`RulesRow`], and by [`Row`] with the
//! feature `eval`. Both are implemented in the folder of the game. Option lists, engines, `leapd bench` and the tests
//! of all games iterate over the registry.

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

pub mod alquerque;
pub mod eximo;
#[cfg(feature = "eval")]
mod figures;
pub mod froglet;
pub mod guide;
mod option;
pub mod sapos;
pub mod tactica;
#[cfg(test)]
mod tests;

use include_dir::Dir;
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use leap_core::notation::{Notation, Reason};

use alquerque::Alquerque;
use eximo::Eximo;
use froglet::Froglet;
use sapos::Sapos;
use tactica::Tactica;

#[cfg(feature = "eval")]
pub use figures::{BenchPosition, Evaluators, Row};
pub use option::{Kind, MAX_PLIES, OptionRefusal, OptionSpec, OptionValue, choose, flag, store};

/// Calls a macro with the registry: the id, the rules and the title of each game.
///
/// ```
/// macro_rules! titles {
///     ($($id:ident $rules:ident $title:literal;)*) => { [$(($title, leap_games::GameId::$rules)),*] };
/// }
/// assert_eq!(leap_games::for_each_game!(titles)[1].1.to_string(), "eximo");
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

/// Calls a macro with the games whose evaluation is learned.
///
/// The macro gets the tokens after its name, then the id and the rules of each game.
#[cfg(feature = "eval")]
#[macro_export]
macro_rules! for_each_learned_game {
    ($macro:ident $(, $($argument:tt)*)?) => {
        $macro! {
            ($($($argument)*)?)
            alquerque Alquerque;
            eximo Eximo;
            tactica Tactica;
        }
    };
}

/// The registry entry of a game's rules.
pub trait RulesRow: Notation + Default + for<'a> From<&'a Rulesets> {
    /// The game.
    const ID: GameId;
    /// The texts for people: a file for each language, named by its tag ([`guide`]).
    const GUIDE: Dir<'static>;
    /// The options of the game's rules, in the order of their announcement.
    ///
    /// Every game also has [`Rulesets::max_plies`].
    const OPTIONS: &'static [OptionSpec<Self>];

    /// The reasons for illegal moves that only this game has (SPEC 6.8).
    const REASONS: &'static [Reason] = &[];

    /// The rules with the start position that a number picks, in games with several start positions.
    #[must_use]
    fn seeded(self, _seed: u64) -> Self {
        self
    }

    /// The default rules, then the variants that differ from the defaults in one value of one option. For tests.
    ///
    /// Only options with few choices are varied.
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

macro_rules! registry {
    ($($id:ident $rules:ident $title:literal;)*) => {
        /// A game. Its text is its id on the wire (SPEC 1.5), which is read without regard to case.
        ///
        /// ```
        /// use leap_games::GameId;
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

            /// The texts for people, a file for each language.
            const fn guide(self) -> Dir<'static> {
                match self {
                    $(Self::$rules => <$rules as RulesRow>::GUIDE,)*
                }
            }
        }

        /// The rules of every game as the options have set them.
        #[derive(Clone, Debug)]
        pub struct Rulesets {
            /// Option `MaxPlies`: the ply at which every game ends. 0 means never.
            pub max_plies: u32,
            $($id: $rules,)*
        }

        impl Default for Rulesets {
            fn default() -> Self {
                Self { max_plies: DEFAULT_MAX_PLIES, $($id: <$rules>::default(),)* }
            }
        }

        $(impl From<&Rulesets> for $rules {
            fn from(rules: &Rulesets) -> Self {
                let mut game = rules.$id.clone();
                game.max_plies = rules.max_plies;
                game
            }
        }

        impl AsRef<$rules> for Rulesets {
            fn as_ref(&self) -> &$rules {
                &self.$id
            }
        }

        impl AsMut<$rules> for Rulesets {
            fn as_mut(&mut self) -> &mut $rules {
                &mut self.$id
            }
        })*
    };
}

for_each_game!(registry);

/// The reasons for illegal moves: first those that all games share, then those of single games (SPEC 6.8).
pub fn reasons() -> impl Iterator<Item = Reason> {
    macro_rules! own {
        ($($id:ident $rules:ident $title:literal;)*) => { [$(<$id::$rules as RulesRow>::REASONS),*] };
    }
    Reason::ALL.iter().chain(for_each_game!(own).into_iter().flatten()).copied()
}

/// The default of `MaxPlies` (SPEC 10.14).
const DEFAULT_MAX_PLIES: u32 = 400;

impl GameId {
    /// All games, in the order of their announcement.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;
    /// The ids of the games, in the same order.
    pub const NAMES: &[&str] = <Self as VariantNames>::VARIANTS;
}

impl Default for GameId {
    /// The first game, which is in play when a session begins (SPEC 1.6).
    fn default() -> Self {
        Self::ALL[0]
    }
}
