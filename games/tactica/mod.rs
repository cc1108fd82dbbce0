//! Táctica "S": sliding pieces that flip what they surround (SPEC 15).

#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "eval")]
mod playable;
mod rules;

pub use rules::*;
