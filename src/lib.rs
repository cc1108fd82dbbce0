//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! The modules in reading order; each uses only those before it (ARCHITECTURE.md):
//! [`rules`] what the games are, [`eval`] what positions are worth, [`search`] what to play, [`players`] others who
//! play, [`options`] what can be set, [`engine`] a game as text, [`session`] the order of things, [`io`] threads and
//! pipes, [`mod@bench`] a checksum.

pub mod bench;
pub mod engine;
pub mod eval;
pub mod games;
pub mod io;
pub mod options;
pub mod players;
pub mod rules;
pub mod search;
pub mod session;
