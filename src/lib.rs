//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! The games, the search and the protocol are crates of their own (ARCHITECTURE.md). This crate makes a program of
//! them. Its modules in reading order, each of which uses only those before it:
//!
//! - [`io`]: threads and pipes
//! - [`usage`]: mistakes on a command line
//! - [`candidates`]: candidates for openings and problems
//! - [`openings`]: openings for matches
//! - [`genfens`]: quick openings for OpenBench
//! - [`problems`]: positions with a known answer
//! - [`mod@bench`]: node counts, the signature of the search, and the share of problems that it solves
//! - [`tools`]: what these modules do for a game
//! - [`games`]: the list of games
//! - [`cli`]: the command line
//!
//! A program with other games is a crate of its own that hands its list to [`main`]:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     leapd::main(&[leapd::game::<leap_games::eximo::Eximo>()])
//! }
//! ```

pub mod bench;
pub mod candidates;
pub mod cli;
// Unit tests need no list of games, and the code of its games takes long to compile.
#[cfg(not(test))]
pub mod games;
pub mod genfens;
pub mod io;
pub mod openings;
pub mod problems;
pub mod tools;
pub mod usage;

pub use cli::main;
#[cfg(not(test))]
pub use games::GAMES;
pub use tools::{GameTools, game};
