//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! The modules in reading order; each uses only those before it (ARCHITECTURE.md):
//!
//! - [`clock`]: the time
//! - [`rules`]: the games
//! - [`eval`]: static evaluation
//! - [`search`]: the search
//! - [`players`]: sparring players
//! - [`games`]: the registry of games
//! - [`options`]: options and settings
//! - [`engine`]: a game as text
//! - [`session`]: the protocol's state machine
//! - [`io`]: threads and pipes
//! - [`usage`]: mistakes on a command line
//! - [`candidates`]: positions of which a few are kept
//! - [`openings`]: openings for matches
//! - [`problems`]: positions with a known answer
//! - [`mod@bench`]: the signature of the search, and how many problems it solves
//! - [`cli`]: the command line
//!
//! The last seven belong to the program and are there with the feature `program`, which is on by default. Without it the
//! engine needs neither threads nor an operating system.

#[cfg(feature = "program")]
pub mod bench;
#[cfg(feature = "program")]
pub mod candidates;
#[cfg(feature = "program")]
pub mod cli;
pub mod clock;
pub mod engine;
pub mod eval;
pub mod games;
#[cfg(feature = "program")]
pub mod io;
#[cfg(feature = "program")]
pub mod openings;
pub mod options;
pub mod players;
#[cfg(feature = "program")]
pub mod problems;
pub mod rules;
pub mod search;
pub mod session;
#[cfg(feature = "program")]
pub mod usage;
