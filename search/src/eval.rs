//! Static evaluation: what a position is worth without searching. Each game brings its own.
//!
//! Where [`Learned`] is implemented, the weights were fitted to games of the engine against itself. The others are made
//! by hand.

mod lanes;
mod learned;
pub mod model;
pub mod network;
pub mod patterns;
mod regions;
mod tuning;

use std::fmt::Debug;

use leap_core::{BySide, Game, Key, Position, Side};

pub use learned::{Fitted, Learned, Weights};
pub use tuning::{LateMoves, Margin, Reductions, Tuning};

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

/// The static evaluation of a game.
pub trait Evaluate: Game {
    /// Whether captures at the end of a search line must be played out before the position is evaluated. `false` for
    /// games in which every move captures.
    const QUIESCENCE: bool = true;

    /// What the search may leave out.
    const TUNING: Tuning = Tuning::DEFAULT;
    /// Whether the game is played for points, of which the larger sum wins: the search then looks for the largest margin.
    const BY_MARGIN: bool = false;

    /// How far ahead a side is by what it has won for good, in centipawns: a part of the evaluation. 0 where the game is
    /// not played for points.
    fn settled(&self, _position: &Self::Position, _side: Side) -> i32 {
        0
    }

    /// The rest of the evaluation from a side's view, in centipawns: what is still to be won.
    fn future(&self, weights: &Self::Weights, position: &Self::Position, side: Side) -> i32 {
        self.evaluate(weights, position, side)
    }

    /// The key of all that decides what is still to be won, side to move included.
    fn future_key(&self, position: &Self::Position) -> Key {
        position.key()
    }

    /// What the game's solver of endings remembers; `()` if it has none.
    type Endings: Default + Debug;

    /// Whether a position may be an ending that can be solved.
    fn is_ending(&self, _position: &Self::Position) -> bool {
        false
    }

    /// What is still to be won in an ending from the view of the side to move, in centipawns, if that is found out
    /// exactly at little cost.
    fn probe(&self, _endings: &mut Self::Endings, _position: &Self::Position) -> Option<i32> {
        None
    }

    /// What it has learned: [`Fitted`], or `()` where everything is made by hand.
    type Weights: Weights;

    /// How many moves the side to move is expected to have until the game is decided, at least 2: the time on its clock is
    /// for these.
    fn moves_left(&self, _position: &Self::Position) -> u32 {
        25
    }

    /// The parts of the evaluation, at most [`MAX_TERMS`].
    fn terms(&self, weights: &Self::Weights, position: &Self::Position) -> Terms;

    /// The value in centipawns of what a legal move wins at once. Move ordering tries larger gains first.
    fn gain(&self, position: &Self::Position, mv: Self::Move) -> i32;

    /// The evaluation in centipawns from a side's view, within [`MAX_EVALUATION`].
    fn evaluate(&self, weights: &Self::Weights, position: &Self::Position, side: Side) -> i32 {
        let value = balance(&self.terms(weights, position), side);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The terms of one evaluation.
pub type Terms = arrayvec::ArrayVec<Term, MAX_TERMS>;

/// The most terms an evaluation has.
pub const MAX_TERMS: usize = 10;

/// Evaluations stay below every score of a decided game.
pub const MAX_EVALUATION: i32 = 29_000;
