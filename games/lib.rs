//! The rules of five board games: Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! Each game is a module with a ruleset ([`eximo::Eximo`]), a position and a move. All games share the traits
//! [`Rules`](leap_core::Rules) and [`Notation`](leap_core::notation::Notation) of leap-core:
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
//! # With and without an engine
//!
//! Without its feature `eval` this crate is a rules library: it has no evaluation, no weights and no search. With the
//! feature, each game also implements `Searchable` and `Playable` of leap-search. `Playable` has the name of the game,
//! its options, its guide, and the figures of tools such as `leapd bench`.
//!
//! A program makes its own list of games. leap-engine makes a value of each, and [`games!`] has all five:
//!
//! ```text
//! let games = [leap_engine::game::<Alquerque>(), leap_engine::game::<Eximo>()];
//! let all = leap_games::games!(leap_engine::game());
//! ```

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

/// The search of a game, compiled here once rather than in each crate that searches.
///
/// No unit test of this crate searches, and the search takes long to compile.
#[cfg(feature = "eval")]
macro_rules! compiled_search {
    () => {
        #[cfg(not(test))]
        fn search(
            request: leap_search::Request<'_, Self>,
            report: &mut dyn FnMut(leap_search::Report<Self::Move>),
        ) -> leap_search::SearchResult<Self::Move> {
            leap_search::alpha_beta(request, report)
        }
    };
}

pub mod alquerque;
pub mod eximo;
pub mod froglet;
pub mod sapos;
pub mod tactica;

/// What a generic function makes of each game, as an array in the order of their announcement.
///
/// This is the one list of the games.
///
/// ```
/// use leap_core::Rules;
///
/// fn squares<R: Rules>() -> usize {
///     R::GEOMETRY.squares()
/// }
///
/// assert_eq!(leap_games::games!(squares()), [25, 64, 64, 144, 64]);
/// ```
#[macro_export]
macro_rules! games {
    ($($function:ident)::+ ($($argument:expr),*)) => {
        [
            $($function)::+::<$crate::alquerque::Alquerque>($($argument),*),
            $($function)::+::<$crate::eximo::Eximo>($($argument),*),
            $($function)::+::<$crate::sapos::Sapos>($($argument),*),
            $($function)::+::<$crate::froglet::Froglet>($($argument),*),
            $($function)::+::<$crate::tactica::Tactica>($($argument),*),
        ]
    };
}

#[cfg(feature = "eval")]
const fn id<R: leap_search::Playable>() -> &'static str {
    R::ID
}

#[cfg(feature = "eval")]
const fn title<R: leap_search::Playable>() -> &'static str {
    R::TITLE
}

/// The ids of the games.
#[cfg(feature = "eval")]
pub const IDS: [&str; 5] = games!(id());

/// The names of the games for people, in the order of [`IDS`].
#[cfg(feature = "eval")]
pub const TITLES: [&str; 5] = games!(title());
