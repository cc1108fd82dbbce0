//! The program `leap`: its subcommands, each of which is a module of the crates beneath.
//!
//! Programs of your own start with `leap_client`, which runs an engine and talks to it. What a match leaves behind is read by
//! `leap_match::events` and `leap_records`.

mod arguments;
pub mod cli;
