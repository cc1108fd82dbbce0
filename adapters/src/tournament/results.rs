//! What a match has come to, derived from its events alone.

pub(crate) mod ratings;
pub(super) mod show;
pub(super) mod standings;
pub(crate) mod tally;
