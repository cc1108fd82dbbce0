//! What the search asks of a game beyond its rules.

use std::fmt::Debug;

use leap_core::{Game, Key, Position, Side};

use crate::SearchTuning;
use crate::eval::Evaluator;

/// A game that the search can play.
pub trait Searchable: Game {
    /// What positions are worth.
    type Evaluator: Evaluator<Self>;
    /// What solves endings exactly; `()` where nothing does.
    type EndgameSolver: EndgameSolver<Self>;

    /// What the search may leave out.
    const TUNING: SearchTuning = SearchTuning::DEFAULT;
    /// Whether the game is played for points, of which the larger sum wins: the search then looks for the largest margin.
    const BY_MARGIN: bool = false;

    /// The value in centipawns of what a legal move wins immediately. Move ordering tries larger gains first.
    fn gain(&self, position: &Self::Position, mv: Self::Move) -> i32;

    /// How far ahead a side is by points that it cannot lose again, in centipawns: a part of every evaluation. 0 where
    /// the game is not played for points.
    fn banked(&self, _position: &Self::Position, _side: Side) -> i32 {
        0
    }

    /// The key of everything that decides what is still to be won, side to move included.
    fn unrealised_key(&self, position: &Self::Position) -> Key {
        position.key()
    }

    /// What the clock has to last for.
    fn time_plan(&self, _position: &Self::Position) -> TimePlan {
        TimePlan::default()
    }
}

/// What a player's clock has to last for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// How many moves the side to move is expected to have until the game is decided, at least 2.
    pub moves_left: u32,
}

impl Default for TimePlan {
    fn default() -> Self {
        Self { moves_left: 25 }
    }
}

/// Solves endings exactly, and remembers what it has found out.
pub trait EndgameSolver<G: Game>: Default + Debug {
    /// Whether a position may be an ending that can be solved. Cheap on every position.
    fn covers(_game: &G, _position: &G::Position) -> bool {
        false
    }

    /// What is still to be won from the view of the side to move, in centipawns; `None` if finding out takes long.
    fn solve(&mut self, _position: &G::Position) -> Option<i32> {
        None
    }
}

/// Solves nothing.
impl<G: Game> EndgameSolver<G> for () {}
