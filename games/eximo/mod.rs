//! Eximo: 8x8 squares, sixteen men a side, no kings. A man that reaches the last row comes back as two (SPEC 12).

#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "eval")]
mod playable;
mod rules;

pub use rules::*;
