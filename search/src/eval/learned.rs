//! Evaluations that are learned, and the weights that they use.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use super::model::{Model, ModelError};
use super::patterns::{Design, View};
use super::{MAX_EVALUATION, Terms, balance};
use leap_core::{Game, Position, Side};

/// The weights of an evaluation; by default those that are part of the program.
pub trait Weights: Clone + Debug + Default + Send + Sync + 'static {
    /// Those of a file.
    ///
    /// # Errors
    /// They do not fit the evaluation, or the file is damaged.
    fn read(file: &[u8]) -> Result<Self, ModelError>;
}

/// An evaluation that is made by hand has none.
impl Weights for () {
    fn read(_file: &[u8]) -> Result<Self, ModelError> {
        Err(ModelError::ByHand)
    }
}

/// The weights of a game whose evaluation is learned.
#[derive(Clone, Debug)]
pub struct Fitted<G> {
    model: Arc<Model>,
    game: PhantomData<fn() -> G>,
}

impl<G: Learned> Default for Fitted<G> {
    fn default() -> Self {
        Self { model: G::built_in(), game: PhantomData }
    }
}

impl<G: Learned> Weights for Fitted<G> {
    fn read(file: &[u8]) -> Result<Self, ModelError> {
        let model = Arc::new(Model::read(&G::design(), file)?);
        Ok(Self { model, game: PhantomData })
    }
}

/// A game whose evaluation is learned.
pub trait Learned: Game {
    /// What the evaluation looks at.
    fn design() -> Design;

    /// The weights that are part of the program.
    fn built_in() -> Arc<Model>;

    /// A position as the evaluation sees it.
    fn view(position: &Self::Position) -> View;

    /// The parts that are made by hand; what is learned is added to them.
    #[inline]
    fn by_hand(_position: &Self::Position) -> Terms {
        Terms::new()
    }
}

impl<G: Learned> Fitted<G> {
    /// The evaluation from a side's view, in centipawns.
    #[inline]
    pub fn value(&self, position: &G::Position, side: Side) -> i32 {
        let mover = position.side();
        let value = balance(&G::by_hand(position), mover) + self.model.value(&G::view(position));
        let value = value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if side == mover { value } else { -value }
    }

    /// The evaluation in parts.
    #[must_use]
    pub fn terms(&self, position: &G::Position) -> Terms {
        let mut terms = G::by_hand(position);
        terms.extend(self.model.terms(&G::view(position), position.side()));
        terms
    }
}
