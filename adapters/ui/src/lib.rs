//! Programs to play with UGI engines. They know no rules and ask the engine instead.
//!
//! Each module is a subcommand of `leap`, with its arguments and a function `run`.

pub mod gogui;
pub mod play;
pub mod web;
pub mod xboard;
