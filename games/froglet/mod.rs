//! Froglet: 144 frogs on 12x12 squares. Hops over frogs of any colour score points (SPEC 14).

#[cfg(feature = "eval")]
mod eval;
#[cfg(feature = "eval")]
mod playable;
mod rules;

#[cfg(feature = "eval")]
pub use eval::FrogletEvaluator;
pub use rules::*;
