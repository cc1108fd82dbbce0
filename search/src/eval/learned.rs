//! Evaluations with learned weights.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use super::patterns::{Design, Perspective};
use super::weights::{Weights, WeightsError};
use super::{Evaluator, MAX_EVALUATION, Terms, balance};
use leap_core::{Game, Position, Side};

/// A game whose evaluation is learned.
pub trait Learned: Game {
    /// The patterns and counts of the evaluation.
    fn design() -> Design;

    /// The weights that are part of the program.
    fn built_in() -> Arc<Weights>;

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
pub struct LearnedEvaluator<G> {
    weights: Arc<Weights>,
    game: PhantomData<fn() -> G>,
}

impl<G: Learned> Default for LearnedEvaluator<G> {
    fn default() -> Self {
        Self { weights: G::built_in(), game: PhantomData }
    }
}

impl<G: Learned> Evaluator<G> for LearnedEvaluator<G> {
    fn read(file: &[u8]) -> Result<Self, WeightsError> {
        let weights = Arc::new(Weights::read(&G::design(), file)?);
        Ok(Self { weights, game: PhantomData })
    }

    fn terms(&self, _game: &G, position: &G::Position) -> Terms {
        let mut terms = G::by_hand(position);
        terms.extend(self.weights.terms(&G::perspective(position), position.side()));
        terms
    }

    #[inline]
    fn evaluate(&self, _game: &G, position: &G::Position, side: Side) -> i32 {
        let mover = position.side();
        let value =
            balance(&G::by_hand(position), mover) + self.weights.value(&G::perspective(position));
        let value = value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if side == mover { value } else { -value }
    }
}
