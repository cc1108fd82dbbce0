//! `leap match`: automated matches of any engines in any game, with a referee.
//!
//! A match uses five modules:
//!
//! - `command` is the command itself, from its arguments to its exit status.
//! - [`plan`] decides what is played.
//! - `run` has workers, each of which plays one game at a time.
//! - [`events`] record in a file what happens.
//! - `results` are derived from the events alone.
//!
//! [`embedding`] is for programs that play matches of their own.

mod command;
mod conclusion;
pub mod embedding;
pub mod events;
mod expect;
mod grow;
mod lease;
pub mod merge;
pub mod plan;
mod prepare;
pub mod rate;
pub mod results;
mod run;
pub mod sprt;
pub mod stats;

pub use command::run;
pub use plan::args::MatchArgs;
pub use prepare::make_dir;
pub use run::watch_for_stop;
