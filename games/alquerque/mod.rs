//! Alquerque: 5x5 points joined by lines, twelve men a side (SPEC 11).

#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "eval")]
mod playable;
mod rules;

pub use rules::*;
