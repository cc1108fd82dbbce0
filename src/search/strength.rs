//! Playing below full strength.

/// The strength at which nothing is held back.
pub const FULL: u32 = 100;
