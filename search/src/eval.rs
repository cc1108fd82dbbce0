//! Static evaluation: what a position is worth without searching. Each game brings its own.
//!
//! Where [`Learned`] is implemented, the weights were fitted to games of the engine against itself. The others are made
//! by hand.

mod lanes;
mod learned;
pub mod network;
pub mod patterns;
mod regions;
pub mod weights;

use std::fmt::Debug;

use leap_core::{BySide, Game, Side};

pub use learned::{Learned, LearnedEvaluator};
use weights::WeightsError;

/// A part of an evaluation for each player, in centipawns (1 man, or 1 point in Froglet, is 100).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// What it is worth.
    pub values: BySide<i32>,
}

impl Term {
    /// How much more it is worth to a side than to the other.
    #[must_use]
    pub fn balance(&self, side: Side) -> i32 {
        self.values[side] - self.values[side.other()]
    }
}

/// How much more the parts of an evaluation are worth to a side than to the other.
#[inline]
#[must_use]
pub fn balance(terms: &[Term], side: Side) -> i32 {
    terms.iter().map(|term| term.balance(side)).sum()
}

/// The static evaluation of a game: a value that holds its weights, by default those that are part of the program.
pub trait Evaluator<G: Game>: Clone + Debug + Default + Send + Sync + 'static {
    /// The evaluation with the weights of a file.
    ///
    /// # Errors
    /// The evaluation has no weights, they do not fit it, or the file is damaged.
    fn read(_file: &[u8]) -> Result<Self, WeightsError> {
        Err(WeightsError::ByHand)
    }

    /// The parts of the evaluation, at most [`MAX_TERMS`].
    fn terms(&self, game: &G, position: &G::Position) -> Terms;

    /// The evaluation in centipawns from a side's view, within [`MAX_EVALUATION`].
    fn evaluate(&self, game: &G, position: &G::Position, side: Side) -> i32 {
        let value = balance(&self.terms(game, position), side);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The evaluation without [`Searchable::banked`](crate::Searchable::banked): what is still to be won.
    fn unrealised(&self, game: &G, position: &G::Position, side: Side) -> i32 {
        self.evaluate(game, position, side)
    }
}

/// The terms of one evaluation.
pub type Terms = arrayvec::ArrayVec<Term, MAX_TERMS>;

/// The most terms an evaluation has.
pub const MAX_TERMS: usize = 10;

/// Evaluations stay below every score of a decided game.
pub const MAX_EVALUATION: i32 = 29_000;
