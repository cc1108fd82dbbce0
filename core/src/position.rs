//! The state of a game between two moves.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Key, Side, keys};

/// The side to move, and the two counters of every position (SPEC 9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The side to move.
    pub side: Side,
    /// Moves made since the last capture.
    pub quiet: u32,
    /// Moves made since the game began.
    pub ply: u32,
}

impl Counters {
    /// The counters of a start position.
    pub const START: Self = Self { side: Side::One, quiet: 0, ply: 0 };

    /// The counters stop at this number (SPEC 9.15).
    pub const MAX: u32 = 1_000_000;

    /// Counts one move: `ply` goes up, and `quiet` goes up or back to 0. The side to move stays.
    #[inline]
    pub fn advance(&mut self, captured: bool) {
        let next = |count: u32| (count + 1).min(Self::MAX);
        self.ply = next(self.ply);
        self.quiet = if captured { 0 } else { next(self.quiet) };
    }

    /// Counts one move as [`Counters::advance`] does, and passes the turn to the other side.
    #[inline]
    pub fn pass_turn(&mut self, captured: bool) {
        self.advance(captured);
        self.side = self.side.other();
    }
}

/// The state of a game between two moves.
pub trait Position: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Side to move, quiet moves and ply.
    fn counters(&self) -> Counters;

    /// The 64-bit key of board and extra field, kept incrementally.
    fn board_key(&self) -> Key;

    /// The key of [`Position::board_key`], computed from scratch.
    fn fresh_board_key(&self) -> Key;

    /// Whether board and extra field are equal.
    fn same_board(&self, other: &Self) -> bool;

    /// The 64-bit key of board, extra field and side to move.
    #[inline]
    fn key(&self) -> Key {
        self.board_key() ^ keys::side(self.side())
    }

    /// The key that [`Position::key`] must equal, computed from scratch.
    fn fresh_key(&self) -> Key {
        self.fresh_board_key() ^ keys::side(self.side())
    }

    /// Whether board, extra field and side to move are equal, as repetition compares them (SPEC 10.10).
    ///
    /// Keys are not compared. A key collision, even a constructed one, cannot end a game.
    fn repeats(&self, other: &Self) -> bool {
        self.side() == other.side() && self.same_board(other)
    }

    /// The side to move.
    #[inline]
    fn side(&self) -> Side {
        self.counters().side
    }
}
