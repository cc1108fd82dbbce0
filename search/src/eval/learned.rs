//! Evaluations with learned weights.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use super::patterns::{Design, Perspective};
use super::weights::{Weights, WeightsError};
use super::{Evaluator, MAX_EVALUATION, Terms, total};
use leap_core::Rules;

/// A game whose evaluation is learned.
pub trait Learned: Rules {
    /// The patterns and counts of the evaluation.
    fn design() -> Design;

    /// The weights that are part of the program. A game that was not trained yet has those before training.
    fn built_in() -> Arc<Weights> {
        Arc::new(Weights::untrained(&Self::design()))
    }

    /// A position as the evaluation sees it.
    fn perspective(position: &Self::Position) -> Perspective;

    /// The parts that are made by hand. The learned value is added to them.
    #[inline]
    fn by_hand(_position: &Self::Position) -> Terms {
        Terms::new()
    }
}

/// The learned evaluation of a game.
#[derive(Clone, Debug)]
pub struct LearnedEvaluator<R> {
    weights: Arc<Weights>,
    rules: PhantomData<fn() -> R>,
}

impl<R: Learned> Default for LearnedEvaluator<R> {
    fn default() -> Self {
        Self { weights: R::built_in(), rules: PhantomData }
    }
}

impl<R: Learned> Evaluator<R> for LearnedEvaluator<R> {
    fn read(file: &[u8]) -> Result<Self, WeightsError> {
        let weights = Arc::new(Weights::read(&R::design(), file)?);
        Ok(Self { weights, rules: PhantomData })
    }

    fn terms(&self, _game: &R, position: &R::Position) -> Terms {
        let mut terms = R::by_hand(position);
        terms.extend(self.weights.terms(&R::perspective(position)));
        terms
    }

    #[inline]
    fn evaluate(&self, _game: &R, position: &R::Position) -> i32 {
        let value = total(&R::by_hand(position)) + self.weights.value(&R::perspective(position));
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}
