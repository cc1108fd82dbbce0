//! Static evaluation: what a position is worth without searching. Each game brings its own.
//!
//! Games that implement [`Learned`] have weights fitted to games of the engine against itself. Other evaluations are
//! made by hand.

mod lanes;
mod learned;
pub mod network;
pub mod patterns;
mod regions;
pub mod weights;

use std::fmt::Debug;

use leap_core::{BySide, Rules, Side};

pub use learned::{Learned, LearnedEvaluator};
use weights::WeightsError;

/// A part of an evaluation for each player, in centipawns (1 man, or 1 point in Froglet, is 100).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name of the part.
    pub name: &'static str,
    /// The value for each player.
    pub values: BySide<i32>,
}

impl Term {
    /// The value for a side minus the value for the other side.
    #[must_use]
    pub fn balance(&self, side: Side) -> i32 {
        self.values[side] - self.values[side.other()]
    }
}

/// The value of all parts of an evaluation for a side, minus their value for the other side.
#[inline]
#[must_use]
pub fn balance(terms: &[Term], side: Side) -> i32 {
    terms.iter().map(|term| term.balance(side)).sum()
}

/// The static evaluation of a game, with its weights. The default has the weights that are part of the program.
pub trait Evaluator<R: Rules>: Clone + Debug + Default + Send + Sync + 'static {
    /// Reads an evaluation with the weights of a file.
    ///
    /// # Errors
    /// The evaluation is made by hand, the weights do not fit, or the file is damaged.
    fn read(_file: &[u8]) -> Result<Self, WeightsError> {
        Err(WeightsError::ByHand)
    }

    /// The parts of the evaluation, at most [`MAX_TERMS`].
    fn terms(&self, rules: &R, position: &R::Position) -> Terms;

    /// The evaluation in centipawns from a side's view, within [`MAX_EVALUATION`].
    fn evaluate(&self, rules: &R, position: &R::Position, side: Side) -> i32 {
        let value = balance(&self.terms(rules, position), side);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The evaluation without the banked score ([`Searchable::banked`](crate::Searchable::banked)).
    fn unrealised(&self, rules: &R, position: &R::Position, side: Side) -> i32 {
        self.evaluate(rules, position, side)
    }
}

/// The terms of one evaluation.
pub type Terms = arrayvec::ArrayVec<Term, MAX_TERMS>;

/// The most terms of an evaluation.
pub const MAX_TERMS: usize = 10;

/// The largest evaluation, in centipawns. It is below every score of a won game.
pub const MAX_EVALUATION: i32 = 29_000;
