//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! The modules in reading order; each uses only those before it (ARCHITECTURE.md):
//!
//! - [`rules`]: the games
//! - [`eval`]: static evaluation
//! - [`search`]: the search
//! - [`players`]: sparring players
//! - [`games`]: the registry of games
//! - [`options`]: options and settings
//! - [`engine`]: a game as text
//! - [`session`]: the protocol's state machine
//! - [`io`]: threads and pipes
//! - [`candidates`]: positions of which a few are kept
//! - [`openings`]: openings for matches
//! - [`problems`]: positions with a known answer
//! - [`mod@bench`]: the signature of the search, and how many problems it solves

pub mod bench;
pub mod candidates;
pub mod engine;
pub mod eval;
pub mod games;
pub mod io;
pub mod openings;
pub mod options;
pub mod players;
pub mod problems;
pub mod rules;
pub mod search;
pub mod session;
