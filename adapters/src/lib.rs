//! Programs around UGI engines. Nothing here knows a rule of any game: everything is asked of the engine, through the
//! protocol alone.

#![cfg_attr(
    not(all(feature = "gogui", feature = "play", feature = "web", feature = "xboard")),
    allow(dead_code, unused_imports, reason = "what only programs that are left out use")
)]

pub mod check;
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
pub mod stats;
pub mod terminal;
pub mod tournament;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "xboard")]
pub mod xboard;
