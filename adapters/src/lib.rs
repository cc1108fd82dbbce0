//! Programs around UGI engines. Nothing here knows a rule of any game: everything is asked of the engine, through the
//! protocol alone.
//!
//! - [`client`] runs an engine and talks to it; start here to write a program of your own.
//! - [`records`], [`stats`] and [`tournament::events`] are what a match leaves behind: games, strength, events.
//! - The other modules are the subcommands of `leap`: each has its arguments and a function `run`. [`cli`] is `leap` itself.

#![cfg_attr(
    not(all(feature = "gogui", feature = "play", feature = "web", feature = "xboard")),
    allow(dead_code, unused_imports, reason = "what only programs that are left out use")
)]

pub mod arguments;
pub mod check;
pub mod cli;
pub mod client;
pub mod compare;
mod files;
pub mod game;
#[cfg(feature = "gogui")]
pub mod gogui;
mod notation;
mod pairs;
#[cfg(feature = "play")]
pub mod play;
pub mod record;
pub mod records;
pub mod replay;
pub mod report;
pub mod sprt;
pub mod stats;
pub mod terminal;
pub mod tournament;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "xboard")]
pub mod xboard;
