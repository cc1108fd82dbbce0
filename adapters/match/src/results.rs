//! The results of a match, derived from its events alone.

pub(super) mod display;
pub mod ranking;
pub mod ratings;
pub(super) mod standings;
pub mod tally;
