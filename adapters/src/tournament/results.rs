//! The results of a match, derived from its events alone.

pub(super) mod display;
pub(crate) mod ratings;
pub(super) mod standings;
pub(crate) mod tally;
