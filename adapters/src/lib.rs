//! Programs around UGI engines. Nothing here knows a rule of any game: everything is asked of the engine, through the
//! protocol alone.

pub mod check;
pub mod client;
pub mod compare;
mod files;
pub mod game;
pub mod gogui;
mod notation;
mod pairs;
pub mod play;
pub mod record;
pub mod records;
pub mod replay;
pub mod report;
pub mod stats;
pub mod terminal;
pub mod tournament;
pub mod web;
pub mod xboard;
