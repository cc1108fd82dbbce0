//! `leap match`: automated matches of any engines in any game, with a referee.

pub mod config;
pub mod event;
pub mod limit;
