//! Advance: 4x4 squares, men step ahead and capture diagonally; who cannot move loses. A toy.

#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "eval")]
mod figures;
mod row;
mod rules;

#[cfg(feature = "eval")]
pub use eval::AdvanceEvaluator;
pub use rules::*;
