//! What a program that offers several games asks of each, besides its rules and its search.

use std::ops::RangeInclusive;

use leap_core::notation::{Notation, Reason};

use crate::Searchable;
use crate::option::{OptionSpec, OptionValue};

/// A game that an engine can offer: its name, its options, and the figures of its tools.
///
/// Two members are required. The others have defaults that suit the first version of a game.
pub trait Playable: Notation + Searchable + Default {
    /// The id on the wire: one word in lower case (SPEC 1.5).
    const ID: &'static str;
    /// The name for people.
    const TITLE: &'static str;

    /// The ply at which the game ends, 0 for never: what option `MaxPlies` sets (SPEC 10.14). `None` without the option.
    fn max_plies(&mut self) -> Option<&mut u32> {
        None
    }

    /// The other options of the rules, in the order of their announcement.
    const OPTIONS: &'static [OptionSpec<Self>] = &[];
    /// The reasons for illegal moves that only this game has (SPEC 6.8).
    const REASONS: &'static [Reason] = &[];
    /// The rules for people, by the tag of the language. The lines of a text are those of `query rules` (SPEC 4.35).
    const GUIDE: &'static [(&'static str, &'static str)] = &[];

    /// The positions that `leapd bench` searches.
    const BENCH: &'static [BenchPosition] = &[BenchPosition::start(6)];
    /// The problems that `leapd bench --suite` searches, a line each (docs/strength.md).
    const PROBLEMS: &'static str = "";
    /// The number of random moves that lead to an opening. Such openings differ, yet leave the game open.
    const OPENING_PLIES: RangeInclusive<u32> = 6..=10;
    /// The most that a player may be ahead in an opening, in centipawns.
    const OPENING_MARGIN: u32 = 150;
    /// A problem begins this many plies before the end of its game. More plies could not be solved.
    const PROBLEM_PLIES: u32 = 7;
    /// The nodes of a search that must not solve a problem. They are few enough to leave some problems.
    const PROBLEM_NODES: u64 = 1_000;

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

/// A position that `leapd bench` searches.
#[derive(Clone, Copy, Debug)]
pub struct BenchPosition {
    /// The position text, or `None` for the start position.
    pub text: Option<&'static str>,
    /// The depth of the search, in plies.
    pub depth: u32,
}

impl BenchPosition {
    /// The start position, searched to this depth.
    #[must_use]
    pub const fn start(depth: u32) -> Self {
        Self { text: None, depth }
    }

    /// The position of this text, searched to this depth.
    #[must_use]
    pub const fn fen(text: &'static str, depth: u32) -> Self {
        Self { text: Some(text), depth }
    }
}
