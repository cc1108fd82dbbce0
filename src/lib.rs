//! leapd: a headless engine daemon for Alquerque, Eximo, Sapos, Froglet and Táctica "S".
//!
//! The games, the search and the protocol are crates of their own (ARCHITECTURE.md). Here is what makes a program of them. The
//! modules in reading order; each uses only those before it:
//!
//! - [`io`]: threads and pipes
//! - [`usage`]: mistakes on a command line
//! - [`candidates`]: positions of which a few are kept
//! - [`openings`]: openings for matches
//! - [`problems`]: positions with a known answer
//! - [`mod@bench`]: the signature of the search, and how many problems it solves
//! - [`cli`]: the command line

pub mod bench;
pub mod candidates;
pub mod cli;
pub mod io;
pub mod openings;
pub mod problems;
pub mod usage;
