//! Tests of UGI engines, of any game. They know no rules and ask the engines instead.
//!
//! Each module is a subcommand of `leap`, with its arguments and a function `run`; [`runner`] plays transcripts for them.

pub mod check;
pub mod compare;
mod output;
pub mod record;
pub mod replay;
pub mod runner;
