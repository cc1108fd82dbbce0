//! Exact values: who wins with perfect play.

use std::fmt::Debug;

use super::record::Record;
use super::{EndReason, Game, GameResult, Position, Side};

/// Who wins with perfect play, seen by the side to move. A loss is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// A result, seen by `side`.
    #[must_use]
    pub fn of(result: GameResult, side: Side) -> Self {
        match result {
            GameResult::Draw => Self::Draw,
            GameResult::Win(winner) if winner == side => Self::Win,
            GameResult::Win(_) => Self::Loss,
        }
    }

    /// The result that this value is, seen by `side`.
    #[must_use]
    pub const fn result(self, side: Side) -> GameResult {
        match self {
            Self::Loss => GameResult::Win(side.other()),
            Self::Draw => GameResult::Draw,
            Self::Win => GameResult::Win(side),
        }
    }

    /// The value that the other side sees.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The exact value of a position, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Who wins.
    pub outcome: Wdl,
    /// The plies until a capture or the end of the game, if a side can force that the game is not decided by endless
    /// play. That side wants few plies, the other side many. `None`: endless play is best for both, and
    /// [`Game::count`] decides.
    pub plies: Option<u32>,
}

impl Exact {
    /// How much the side to move prefers a move with this value, within a position that the count values
    /// [`by_count`]. The larger value of two moves is the better one.
    ///
    /// A side that gains by it makes progress, so few plies are better. A side that loses by it wants many plies.
    #[must_use]
    pub fn preference(self, by_count: Wdl) -> (Wdl, i32) {
        let plies = self.plies.map_or(0, |plies| plies.min(1_000_000) as i32);
        (self.outcome, if self.outcome > by_count { -plies } else { plies })
    }
}

/// A source of exact values, for example tables of endings.
///
/// A value holds for a position that has not occurred before.
pub trait Tablebase<G: Game>: Debug + Send + Sync {
    /// The most pieces on the board with which every position is known; 0 if there are none.
    fn reach(&self) -> u32;

    /// Whether a position may be known. Must be cheap on every position.
    fn covers(&self, position: &G::Position) -> bool;

    /// The value of a position under the rules in force. `None` if it is unknown, or if a limit of the rules may end
    /// the game before.
    fn probe(&self, game: &G, position: &G::Position) -> Option<Exact>;
}

/// What the count gives the side to move: [`Game::count`].
pub fn by_count<G: Game>(game: &G, position: &G::Position) -> Wdl {
    Wdl::of(game.count(position), position.side())
}

/// The exact value of a legal move, seen by the side that makes it. `None` if the position after it is unknown.
///
/// The plies begin with this move. A repetition or a limit that gives what the count gives before is endless play.
pub fn value_of_move<G: Game>(
    record: &Record<G>,
    tables: &dyn Tablebase<G>,
    mv: G::Move,
) -> Option<Exact> {
    let (game, position) = (record.game(), record.current());
    let (side, child) = (position.side(), game.after(position, mv));
    if let Some(outcome) = record.outcome_after(&child) {
        let value = Wdl::of(outcome.result, side);
        let gains_nothing =
            outcome.reason != EndReason::NoMoves && value == by_count(game, position);
        return Some(Exact { outcome: value, plies: (!gains_nothing).then_some(1) });
    }
    let exact = tables.probe(game, &child)?;
    let outcome = if child.side() == side { exact.outcome } else { exact.outcome.flipped() };
    let plies = if game.is_capture(position, mv) {
        // What follows a capture has a distance of its own.
        (outcome != by_count(game, position)).then_some(1)
    } else {
        exact.plies.map(|plies| plies + 1)
    };
    Some(Exact { outcome, plies })
}
