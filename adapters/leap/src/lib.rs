//! The program `leap`: each subcommand is a module of the crates beneath.
//!
//! Programs of your own start with `leap_client`, which runs an engine and talks to it. `leap_match::events` and
//! `leap_records` read what a match leaves behind.

mod arguments;
pub mod cli;
