//! What a match has come to, derived from its events alone.

pub(super) mod display;
pub(crate) mod ratings;
pub(super) mod standings;
pub(crate) mod tally;
