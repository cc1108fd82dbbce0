//! Sapos: 8x8 squares, pieces jump friends and enemies and multiply. The last to move wins (SPEC 13).

#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "eval")]
mod playable;
mod rules;

#[cfg(feature = "eval")]
pub use eval::SaposEvaluator;
pub use rules::*;
