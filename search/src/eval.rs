//! Static evaluation: what a position is worth without searching. Each game brings its own.
//!
//! Games that implement [`Learned`] have weights fitted to games of the engine against itself. Other evaluations are
//! made by hand, or none: [`Playouts`].

mod lanes;
mod learned;
pub mod network;
pub mod patterns;
mod playouts;
pub mod weights;

use std::fmt::Debug;

use leap_core::Rules;

pub use learned::{Learned, LearnedEvaluator};
pub use playouts::Playouts;
use weights::WeightsError;

/// The static evaluation of a game, with its weights. The default has the weights that are part of the program.
///
/// All values are in centipawns from the view of the side to move. A man, or a point in Froglet, is 100.
pub trait Evaluator<R: Rules>: Clone + Debug + Default + Send + Sync + 'static {
    /// Reads an evaluation with the weights of a file.
    ///
    /// # Errors
    /// The evaluation is made by hand, the weights do not fit, or the file is damaged.
    fn read(_file: &[u8]) -> Result<Self, WeightsError> {
        Err(WeightsError::ByHand)
    }

    /// The parts of the evaluation.
    fn terms(&self, rules: &R, position: &R::Position) -> Terms;

    /// The evaluation, within [`MAX_EVALUATION`].
    fn evaluate(&self, rules: &R, position: &R::Position) -> i32 {
        total(&self.terms(rules, position)).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The evaluation without the banked score ([`Searchable::banked`](crate::Searchable::banked)).
    fn unrealised(&self, rules: &R, position: &R::Position) -> i32 {
        self.evaluate(rules, position)
    }
}

/// The parts of an evaluation: names, and centipawns from the view of the side to move.
pub type Terms = arrayvec::ArrayVec<(&'static str, i32), MAX_TERMS>;

/// The most terms of an evaluation.
pub const MAX_TERMS: usize = 8;

/// The sum of the terms.
#[inline]
#[must_use]
pub fn total(terms: &Terms) -> i32 {
    terms.iter().map(|(_, value)| value).sum()
}

/// The largest evaluation, in centipawns. It is below every score of a won game.
pub const MAX_EVALUATION: i32 = 29_000;
