//! A search for any game of leap-core. It needs no text and no protocol, and of the operating system only threads.
//!
//! A game that can be searched implements [`Searchable`]: its evaluation, and the constants of its search.
//! The compiler makes a separate search for each game. [`search_quietly()`] is for a single answer, [`search()`] for
//! reports, tablebases and weights of your own.
//!
//! # Find a move, and read its score
//!
//! ```
//! use leap_core::Game;
//! use leap_core::notation::Notation;
//! use leap_games::tactica::Tactica;
//! use leap_search::{Limits, TranspositionTable, Value, search_quietly};
//!
//! let rules = Tactica::default();
//! let position = rules.parse_position("8/3c4/2c1c3/3c4/8/S7/8/8 1 - 0 20")?;
//! let game = Game::new(rules, position);
//! let answer = search_quietly(&game, &Limits::depth(3), &TranspositionTable::new(1)?);
//!
//! // The star captures all enemies.
//! assert_eq!(game.rules().print_move(&position, answer.best.unwrap()), "a3d6");
//! assert_eq!(answer.score.value(), Value::Mate(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Follow a search, and stop it
//!
//! ```
//! use leap_core::Game;
//! use leap_games::alquerque::Alquerque;
//! use leap_search::{Control, Limits, Request, TranspositionTable, search};
//!
//! let control = Control::new();
//! let request = Request {
//!     game: &Game::start(Alquerque::default()),
//!     evaluator: &Default::default(),
//!     limits: &Limits::default(),
//!     table: &TranspositionTable::new(1)?,
//!     tablebase: None,
//!     control: &control,
//! };
//! // Each iteration reports what it has found. Another thread could raise the flag as well.
//! let answer = search(request, &mut |report| {
//!     if report.depth == 4 {
//!         control.stop.raise();
//!     }
//! });
//! assert!(answer.best.is_some());
//! # Ok::<(), leap_search::TranspositionTableError>(())
//! ```
//!
//! # Where to read on
//!
//! - [`Limits`]: when a search ends. [`Control`]: how another thread ends it.
//! - [`Score`]: evaluations and announced wins. [`Report`] and [`SearchResult`]: what a search tells.
//! - [`eval`]: the trait of evaluations, and evaluations learned from self-play
//! - [`players`]: sparring players with the same interface
//! - [`strength`]: how a search is weakened
//! - [`Playable`]: what an engine with several games asks of each; [`option`]: the options of its rules
//! - [`contempt`]: how a search plays on where a draw or a repetition is at hand
//!
//! The search itself is `search.rs` with `quiescence.rs`, which read from top to bottom. `root.rs` has iterative
//! deepening, and `alpha_beta.rs` the threads.

mod alpha_beta;
mod busy;
mod chances;
pub mod clock;
pub mod contempt;
mod control;
mod dice;
mod ending;
pub mod eval;
mod evaluations;
mod exact;
mod helpers;
mod lag;
pub mod laws;
pub mod limits;
mod moves;
mod node;
pub mod option;
mod order;
mod path;
mod playable;
pub mod players;
mod playout;
mod pruning;
mod pv;
mod quiescence;
mod report;
mod request;
mod root;
pub mod score;
mod search;
mod searchable;
pub mod strength;
pub mod table;
mod time;
mod transposition;
mod tuning;
mod worker;

pub use alpha_beta::alpha_beta;
pub use chances::Chances;
pub use control::Control;
#[cfg(not(target_family = "wasm"))]
pub use helpers::HELPER_NAME;
pub use lag::Lag;
pub use limits::{Clock, Limits};
pub use playable::{BenchPosition, Playable};
pub use report::{Report, SearchResult};
pub use request::{Request, search, search_quietly};
pub use score::{Score, Value};
pub use searchable::{EndgameSolver, Searchable, TimePlan};
pub use table::{Bound, TranspositionTable, TranspositionTableError};
pub use tuning::{Captures, HistoryBonus, LateMoves, Margin, ProbCut, Reductions, SearchTuning};
#[cfg(feature = "tune")]
pub use tuning::{PARAMETERS, Parameter};

use control::{Shared, Stopped};
use dice::Dice;
use root::{expected_reply, root_moves};
use time::TimeManager;
use tuning::Tuning;

/// The largest depth of an iteration, in plies.
pub const MAX_DEPTH: u32 = 100;

/// The most plies of a line.
const MAX_PLY: usize = 128;

/// The stack that a searching thread needs: enough for the longest line of the game with the largest positions.
pub const STACK_BYTES: usize = 8 << 20;
