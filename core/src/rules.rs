//! The rules of a game.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use thiserror::Error;

use super::{EndReason, GameResult, Geometry, Outcome, Position, StopFlag};

/// What a repeated position does (SPEC 10.12, 10.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Positions cannot repeat, or repetition does not matter.
    Ignored,
    /// The game is over when a position has occurred this many times. [`Rules::count`] decides it.
    Ends(u32),
    /// A move may not make a position occur this many times (Táctica "S").
    Forbids(u32),
}

/// How many plies remain until a limit of the rules ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyLimit {
    /// The plies that may still be made; 0 when the limit is reached.
    pub plies: u32,
    /// The limit that is reached first.
    pub reason: EndReason,
}

impl PlyLimit {
    /// The limit that the option `MaxPlies` sets at `ply`. A `max_plies` of 0 means no limit (SPEC 10.14).
    #[must_use]
    pub const fn max_plies(max_plies: u32, ply: u32) -> Option<Self> {
        if max_plies == 0 {
            return None;
        }
        Some(Self { plies: max_plies.saturating_sub(ply), reason: EndReason::MaxPlies })
    }

    /// The nearer of two limits. If both are equally near, it is `first`.
    #[must_use]
    pub fn nearest(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        first.into_iter().chain(second).min_by_key(|ply_limit| ply_limit.plies)
    }
}

/// The rules of a game, with its options set.
///
/// A move is a whole turn, and its value is its *identity*: origin, destination, captured pieces and drops. Two routes
/// with the same identity are one move (SPEC 9.23). Methods that take a move expect one that is legal in the position,
/// except [`RulesExt::play`].
///
/// [`RulesExt`] has what follows from these methods.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// The state between moves.
    type Position: Position;
    /// A whole turn.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The size of the board.
    const GEOMETRY: Geometry;
    /// Whether the players may agree on a draw.
    const DRAW_BY_AGREEMENT: bool = false;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Visits each move that the pieces can make, once and in listing order (SPEC 9.27), until `visit` breaks.
    ///
    /// Limits of the rules and repetition are left to [`Game`](super::Game) and [`perft`](super::perft). A position
    /// of Froglet may have more moves than can be counted: pass a `visit` that breaks.
    fn visit_moves<V>(&self, position: &Self::Position, visit: V) -> ControlFlow<()>
    where
        V: FnMut(Self::Move) -> ControlFlow<()>;

    /// Visits the moves that capture, in listing order, until `visit` breaks.
    fn visit_captures<V>(&self, position: &Self::Position, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(Self::Move) -> ControlFlow<()>,
    {
        self.visit_moves(position, |mv| {
            if self.is_capture(position, mv) { visit(mv) } else { ControlFlow::Continue(()) }
        })
    }

    /// Whether the side to move has any move. Must be cheap on every position.
    fn has_move(&self, position: &Self::Position) -> bool {
        self.visit_moves(position, |_| ControlFlow::Break(())).is_break()
    }

    /// The number of moves, counted without making them. Meaningless once `stop` is raised.
    fn count_moves(&self, position: &Self::Position, stop: &StopFlag) -> u64 {
        let mut count: u64 = 0;
        let _ = self.visit_moves(position, |_| {
            count += 1;
            if count.is_multiple_of(4096) && stop.is_raised() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether the move captures anything. In Táctica "S": whether it flips anything.
    ///
    /// A capture sets `quiet` to 0 (SPEC 9.13), and quiescence search plays captures out. A game in which most moves flip
    /// pieces says `false`, as Othello does.
    fn is_capture(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// Makes a move, which must be legal. [`RulesExt::play`] checks it.
    fn play_unchecked(&self, position: &mut Self::Position, mv: Self::Move);

    /// The outcome when the side to move has no move. In most games that side loses.
    fn no_moves(&self, position: &Self::Position) -> Outcome {
        Outcome { result: GameResult::Win(position.side().other()), reason: EndReason::NoMoves }
    }

    /// The side that is ahead by the game's count, which decides at limits and repetitions. Without a count, a draw.
    fn count(&self, _position: &Self::Position) -> GameResult {
        GameResult::Draw
    }

    /// The nearest limit of the rules, if there is one.
    fn ply_limit(&self, _position: &Self::Position) -> Option<PlyLimit> {
        None
    }

    /// What a repeated position does. In most games its third occurrence ends the game (SPEC 10.12).
    fn repetition(&self) -> Repetition {
        Repetition::Ends(3)
    }
}

/// A move that is not legal in its position. `M` is the game's move type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("illegal move: {0:?}")]
pub struct PlayError<M: Debug>(pub M);

/// What follows from the methods of [`Rules`]. Every game has these methods.
pub trait RulesExt: Rules {
    /// The moves that the pieces can make, in listing order (SPEC 9.27).
    ///
    /// Limits of the rules and repetition are left to [`Game::legal_moves`](super::Game::legal_moves). In Froglet
    /// the moves may be too many for the memory: see [`Rules::visit_moves`].
    #[must_use]
    fn legal_moves(&self, position: &Self::Position) -> Vec<Self::Move> {
        self.first_moves(position, usize::MAX)
    }

    /// The first `limit` moves in listing order.
    #[must_use]
    fn first_moves(&self, position: &Self::Position, limit: usize) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        if limit > 0 {
            let _ = self.visit_moves(position, |mv| {
                moves.push(mv);
                if moves.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        moves
    }

    /// The position after a move.
    ///
    /// # Errors
    /// The pieces cannot make this move.
    fn play(
        &self,
        position: &Self::Position,
        mv: Self::Move,
    ) -> Result<Self::Position, PlayError<Self::Move>> {
        let is_it =
            |other| if other == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match self.visit_moves(position, is_it) {
            ControlFlow::Break(()) => Ok(self.after(position, mv)),
            ControlFlow::Continue(()) => Err(PlayError(mv)),
        }
    }

    /// The position after a move, which must be legal.
    #[inline]
    #[must_use]
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut after = *position;
        self.play_unchecked(&mut after, mv);
        after
    }

    /// The outcome that the position itself shows: first by no move, then by the limits of the rules (SPEC 10.7).
    #[must_use]
    fn outcome(&self, position: &Self::Position) -> Option<Outcome> {
        if !self.has_move(position) {
            return Some(self.no_moves(position));
        }
        self.limit_outcome(position)
    }

    /// The outcome by a limit of the rules, whether or not a move exists.
    #[must_use]
    fn limit_outcome(&self, position: &Self::Position) -> Option<Outcome> {
        let ply_limit = self.ply_limit(position).filter(|ply_limit| ply_limit.plies == 0)?;
        Some(Outcome { result: self.count(position), reason: ply_limit.reason })
    }

    /// Whether a limit of the rules ends the game here.
    #[must_use]
    fn at_limit(&self, position: &Self::Position) -> bool {
        self.ply_limit(position).is_some_and(|ply_limit| ply_limit.plies == 0)
    }
}

impl<R: Rules> RulesExt for R {}
