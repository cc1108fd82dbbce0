//! The rules of board games: positions, moves, endings, and their text. The crate names no game.
//!
//! A [`Rules`] value is a *ruleset in force*: a game together with its rule options. A [`Position`] is a small `Copy`
//! state that the rules act on. A [`Game`] is a game in play with its history, which repetition needs.
//! The games themselves are in the crate leap-games.
//!
//! # Read a position and list its moves
//!
//! A position text begins as in chess: the board from the highest rank on, then the side to move. The field of the game,
//! the moves since a capture and the moves of the game follow.
//!
//! ```
//! use leap_core::RulesExt;
//! use leap_core::notation::Notation;
//! use leap_games::sapos::Sapos;
//!
//! let rules = Sapos::default();
//! let position = rules.parse_position("8/8/8/8/3m4/3M4/8/8 1 1 4 40")?;
//! let moves = rules.legal_moves(&position);
//! assert_eq!(moves.len(), 1);
//! assert!(rules.play(&position, moves[0]).is_ok());
//! # Ok::<(), leap_core::notation::PositionError>(())
//! ```
//!
//! # Make a move
//!
//! ```
//! # use leap_core::notation::{Notation, PositionError};
//! # use leap_games::sapos::Sapos;
//! use leap_core::Game;
//! use leap_core::notation::Reason;
//!
//! # let rules = Sapos::default();
//! # let position = rules.parse_position("8/8/8/8/3m4/3M4/8/8 1 1 4 40")?;
//! let mut game = Game::new(rules, position);
//! game.push(game.parse_move("d3d5").unwrap());
//! assert_eq!(game.moves().len(), 1);
//!
//! // An illegal move says why, and on which square.
//! let mut other = Game::start(Sapos::default());
//! assert_eq!(other.parse_move("d2d3").unwrap_err().reason, Reason::NoSuchLine);
//! # Ok::<(), PositionError>(())
//! ```
//!
//! # Print a position and an outcome
//!
//! ```
//! # use leap_core::Game;
//! # use leap_core::notation::{Notation, PositionError};
//! # use leap_games::sapos::Sapos;
//! # let rules = Sapos::default();
//! # let position = rules.parse_position("8/8/8/8/3m4/3M4/8/8 1 1 4 40")?;
//! # let mut game = Game::new(rules, position);
//! # game.push(game.parse_move("d3d5").unwrap());
//! assert_eq!(game.rules().print_position(game.current()), "8/8/8/3M4/8/8/8/8 2 1 0 41");
//! assert_eq!(game.outcome().unwrap().to_string(), "1-0 (no-moves)");
//! # Ok::<(), PositionError>(())
//! ```
//!
//! # Add a game
//!
//! A game implements two traits: [`Rules`] for its rules and [`Notation`](notation::Notation) for its texts.
//! The five games of leap-games are examples of both.
//!
//! # Where to read on
//!
//! - [`Square`], [`SquareSet`], [`Geometry`]: squares, and sets of up to 64 of them
//! - [`RulesExt`]: legal moves and checked play, for every game
//! - [`notation`]: positions and moves as text, and [`PartialMove`](notation::PartialMove), a move entered step by step
//! - [`perft`]: counts of move sequences
//! - [`exact`]: who wins with perfect play, and tablebases that know it
//! - [`symmetry`]: turned and mirrored boards
//! - [`keys`], [`men`]: Zobrist keys, and men of one kind with their key
//! - [`mod@laws`]: laws that hold in every game, as tests for a game of your own
//! - [`SplitMix64`]: random numbers that are the same everywhere

pub mod exact;
mod game;
mod geometry;
pub mod keys;
pub mod laws;
pub mod men;
pub mod notation;
mod outcome;
pub mod perft;
mod position;
mod random;
mod rules;
mod side;
mod squares;
mod stop;
pub mod symmetry;

pub use game::Game;
pub use geometry::{Geometry, Square, SquareName};
pub use keys::Key;
pub use outcome::{EndReason, GameResult, Outcome};
pub use position::{Counters, Position};
pub use random::SplitMix64;
pub use rules::{PlayError, PlyLimit, Repetition, Rules, RulesExt};
pub use side::{BySide, Side};
pub use squares::SquareSet;
pub use stop::StopFlag;
