//! What the search asks of a game besides its rules.

use std::fmt::Debug;
use std::ops::ControlFlow;

use leap_core::{Key, Position, Rules, Side, Square};

use crate::eval::Evaluator;
use crate::{Chances, Report, Request, SearchResult, SearchTuning};

/// A game that the search can play.
pub trait Searchable: Rules {
    /// The evaluation of positions.
    type Evaluator: Evaluator<Self>;
    /// The solver of endings, `()` where there is none.
    type EndgameSolver: EndgameSolver<Self>;

    /// The constants of the game's search.
    const TUNING: SearchTuning = SearchTuning::DEFAULT;
    /// What its evaluations are worth. They change no move.
    const CHANCES: Chances = Chances::DEFAULT;
    /// Whether the larger sum of points wins the game. The search then looks for the largest margin.
    const BY_MARGIN: bool = false;
    /// How much likelier the strengths -10 and -20 overlook a move, in permille ([`crate::strength`]).
    ///
    /// 0 leaves the chance of strength 0, and 1000 overlooks every move. The second value is the larger one.
    ///
    /// Matches against a greedy and a random player have chosen the values (docs/measured/README.md).
    const CARELESSNESS: [usize; 2] = [500, 900];

    /// Searches a position: what [`search`](fn@crate::search) calls.
    ///
    /// A game that repeats these lines has its search compiled once, in its own crate. Otherwise each crate that
    /// searches the game compiles the search again.
    fn search(
        request: Request<'_, Self>,
        report: &mut dyn FnMut(Report<Self::Move>),
    ) -> SearchResult<Self::Move> {
        crate::alpha_beta(request, report)
    }

    /// Appends the moves that a search looks at, and returns whether they are known to be all moves.
    ///
    /// Where a position has too many moves for a search, this is a bounded choice that is fair to all pieces. The
    /// choice is never empty where a move exists.
    fn candidates(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) -> bool {
        let _ = self.visit_moves(position, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        true
    }

    /// Whether some move captures nothing.
    ///
    /// Must be cheap in games whose captures are played out in quiescence search.
    fn has_quiet_move(&self, position: &Self::Position) -> bool {
        let visited = self.visit_moves(position, |mv| {
            if self.is_capture(position, mv) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        visited.is_break()
    }

    /// The squares where the move starts and where its piece ends. Both are equal for a mere removal.
    fn from_to(mv: Self::Move) -> (Square, Square);

    /// The value that a legal move gains immediately, in centipawns. Move ordering tries larger gains first.
    fn gain(&self, position: &Self::Position, mv: Self::Move) -> i32;

    /// Whether a side wins with its next move, if that move is its own. `false` where this is not known, and when the
    /// game is over.
    ///
    /// The search sees such a win without making the move, and looks further where the opponent must prevent one. Must
    /// be cheap on every position.
    fn wins_next(&self, _position: &Self::Position, _side: Side) -> bool {
        false
    }

    /// The banked score: how far a side is ahead by points that it cannot lose again, in centipawns.
    ///
    /// Every evaluation contains the banked score. The score is 0 in games that are not played for points.
    fn banked(&self, _position: &Self::Position, _side: Side) -> i32 {
        0
    }

    /// The key of everything that decides the unrealised score, side to move included.
    fn unrealised_key(&self, position: &Self::Position) -> Key {
        position.key()
    }

    /// How far the score of a deep search differs from that of a shallow one: the standard deviation, in centipawns.
    /// `None` where no shallow search may decide a node.
    ///
    /// `shallow` and `deep` are in plies. Only games that use [`SearchTuning::probcut`] need it.
    fn probcut_error(&self, _position: &Self::Position, _shallow: i32, _deep: i32) -> Option<i32> {
        None
    }

    /// The number of moves that the clock must last for.
    fn time_plan(&self, _position: &Self::Position) -> TimePlan {
        TimePlan::default()
    }
}

/// How long a player's clock must last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// The expected number of moves of the side to move until the game is decided, at least 2.
    pub moves_left: u32,
}

impl Default for TimePlan {
    fn default() -> Self {
        Self { moves_left: 25 }
    }
}

/// Solves endings exactly, and remembers the solutions.
pub trait EndgameSolver<R: Rules>: Default + Debug {
    /// Whether a position may be an ending that can be solved. Must be cheap on every position.
    fn covers(_game: &R, _position: &R::Position) -> bool {
        false
    }

    /// The unrealised score for the side to move, in centipawns. `None` if solving takes long.
    fn solve(&mut self, _position: &R::Position) -> Option<i32> {
        None
    }
}

/// A solver that solves nothing.
impl<R: Rules> EndgameSolver<R> for () {}
