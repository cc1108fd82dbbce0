//! The measured figures of each game, for bench, openings and problems. The rules do not need them.

use std::ops::RangeInclusive;

use leap_search::Searchable;
use leap_search::eval::Evaluator;
use leap_search::eval::weights::WeightsError;

use crate::{GameId, RulesRow, for_each_game};

/// The registry entry of a game, besides its rules and its evaluation.
pub trait Row: RulesRow + Searchable {
    /// The game's evaluator among those that were read, if there is one.
    fn evaluator(read: &Evaluators) -> Option<&Self::Evaluator>;

    /// The positions that `leapd bench` searches.
    const BENCH: &'static [BenchPosition];
    /// The number of random moves that lead to an opening. Such openings differ, yet leave the game open.
    const OPENING_PLIES: RangeInclusive<u32> = 6..=10;
    /// The most that a player may be ahead in an opening, in centipawns.
    const OPENING_MARGIN: u32 = 150;
    /// A problem begins this many plies before the end of its game. More plies could not be solved.
    const PROBLEM_PLIES: u32 = 7;
    /// The nodes of a search that must not solve a problem. They are few enough to leave some problems.
    const PROBLEM_NODES: u64 = 1_000;
}

/// A position that `leapd bench` searches.
#[derive(Clone, Copy, Debug)]
pub struct BenchPosition {
    /// The position text, or `None` for the start position.
    pub text: Option<&'static str>,
    /// The depth of the search, in plies.
    pub depth: u32,
}

impl BenchPosition {
    pub(crate) const fn start(depth: u32) -> Self {
        Self { text: None, depth }
    }

    pub(crate) const fn fen(text: &'static str, depth: u32) -> Self {
        Self { text: Some(text), depth }
    }
}

macro_rules! figures {
    ($($id:ident $rules:ident $title:literal;)*) => {
        /// Evaluators with weights from files, in place of those of the program.
        #[derive(Clone, Debug, Default)]
        pub struct Evaluators {
            $(pub(crate) $id: Option<<crate::$id::$rules as Searchable>::Evaluator>,)*
        }

        impl Evaluators {
            /// Reads the weights of a game from the contents of a file.
            ///
            /// # Errors
            /// The game's evaluation is made by hand, the weights do not fit it, or the file is damaged.
            pub fn read(&mut self, game: GameId, file: &[u8]) -> Result<(), WeightsError> {
                match game {
                    $(GameId::$rules => self.$id = Some(Evaluator::read(file)?),)*
                }
                Ok(())
            }
        }

        impl GameId {
            /// The positions that `leapd bench` searches for this game.
            #[must_use]
            pub const fn bench(self) -> &'static [BenchPosition] {
                match self {
                    $(Self::$rules => <crate::$id::$rules as Row>::BENCH,)*
                }
            }

            /// The file of problems that `leapd bench --suite` searches (docs/problems.md).
            #[must_use]
            pub const fn problems(self) -> &'static str {
                match self {
                    $(Self::$rules => include_str!(concat!(stringify!($id), "/problems.txt")),)*
                }
            }

            /// The most that a player may be ahead in an opening of this game, in centipawns.
            #[must_use]
            pub const fn opening_margin(self) -> u32 {
                match self {
                    $(Self::$rules => <crate::$id::$rules as Row>::OPENING_MARGIN,)*
                }
            }

            /// The number of random moves that lead to an opening of this game.
            #[must_use]
            pub const fn opening_plies(self) -> RangeInclusive<u32> {
                match self {
                    $(Self::$rules => <crate::$id::$rules as Row>::OPENING_PLIES,)*
                }
            }
        }
    };
}

for_each_game!(figures);
