//! Scores and windows.

use derive_more::Neg;

use crate::MAX_PLY;
use crate::eval::MAX_EVALUATION;
use leap_core::exact::Wdl;
use leap_core::{GameResult, Side};

/// The value of a position for its side to move. It fits 16 bits.
///
/// A score is one of these:
///
/// - an evaluation in centipawns, within ±[`MAX_EVALUATION`];
/// - a game that tables of exact values decide ([`Score::of_exact`]);
/// - a game that repetition decides ([`Score::of_cycle`]);
/// - a forced end of the game, encoded by its distance from the root in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Neg)]
pub struct Score(i32);

/// A score in the units of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Centipawns.
    Cp(i32),
    /// The side to move wins (positive) or loses (negative) in this many moves. Never 0.
    Mate(i32),
}

/// The value of a game that is won at the root.
const WIN: i32 = 32_000;
/// The largest distance of a win, in plies. No line is as long, and longer wins could look like cycles.
const MAX_DISTANCE: i32 = 2_000;
/// The least value of a won game.
const MIN_WIN: i32 = WIN - MAX_DISTANCE;
/// The value of a game that a repeated cycle wins.
const CYCLE_WIN: i32 = 29_500;
/// The value of a game that tables know to be won, at the root.
const TABLE_WIN: i32 = 29_400;
/// The least value of such a game in a line.
const MIN_TABLE_WIN: i32 = TABLE_WIN - MAX_PLY as i32;
const _: () = assert!(MAX_EVALUATION < MIN_TABLE_WIN && TABLE_WIN < CYCLE_WIN);
const _: () = assert!(CYCLE_WIN < MIN_WIN && WIN < Score::INFINITY.0);
const _: () = assert!(Score::INFINITY.0 <= i16::MAX as i32);

impl Score {
    /// The score of an even position.
    pub const DRAW: Self = Self(0);
    /// The least score of a won game.
    pub(super) const LEAST_WIN: Self = Self(MIN_TABLE_WIN);
    /// Above every score.
    pub const INFINITY: Self = Self(32_001);

    /// An evaluation in centipawns, kept within ±[`MAX_EVALUATION`].
    #[must_use]
    pub const fn evaluation(centipawns: i32) -> Self {
        if centipawns > MAX_EVALUATION {
            return Self(MAX_EVALUATION);
        }
        if centipawns < -MAX_EVALUATION {
            return Self(-MAX_EVALUATION);
        }
        Self(centipawns)
    }

    /// The score of a game that the side to move has won `plies` after the root.
    #[must_use]
    pub const fn win_at(plies: usize) -> Self {
        debug_assert!(plies as i32 <= MAX_DISTANCE);
        Self(WIN - plies as i32)
    }

    /// The score, for `side`, of a game that is over `plies` after the root.
    #[must_use]
    pub fn of_result(result: GameResult, side: Side, plies: usize) -> Self {
        Self::of_outcome(Wdl::of(result, side), Self::win_at(plies).0)
    }

    /// The score, for `side`, of a cycle that ends with this result when it has repeated often enough.
    ///
    /// A win by a cycle has no distance: the loser can leave the cycle for a longer line at any time.
    #[must_use]
    pub fn of_cycle(result: GameResult, side: Side) -> Self {
        Self::of_outcome(Wdl::of(result, side), CYCLE_WIN)
    }

    /// The score of a node `ply` plies from the root with this exact value.
    ///
    /// A win is worth more the sooner tables know it. Its distance from there does not count: it ends at a capture.
    #[must_use]
    pub const fn of_exact(outcome: Wdl, ply: usize) -> Self {
        Self::of_outcome(outcome, TABLE_WIN - ply as i32)
    }

    const fn of_outcome(outcome: Wdl, win: i32) -> Self {
        Self((outcome as i32 - Wdl::Draw as i32) * win)
    }

    /// Whether the game is won or lost by force.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= MIN_TABLE_WIN
    }

    /// The plies from the root to the end of a decided game. `None` where the end has no distance.
    #[must_use]
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.end_sign() != 0 { Some((WIN - self.0.abs()) as u32) } else { None }
    }

    /// 1 for a win at a known distance, -1 for a loss, else 0.
    const fn end_sign(self) -> i32 {
        if self.0.abs() >= MIN_WIN { self.0.signum() } else { 0 }
    }

    /// The score in the units of the protocol.
    ///
    /// A decided game gives the moves to its end: half the plies, rounded up, at least 1.
    #[must_use]
    pub fn value(self) -> Value {
        let Some(plies) = self.plies_to_end() else { return Value::Cp(self.0) };
        let moves = (plies as i32 + 1) / 2;
        Value::Mate(moves.max(1) * self.0.signum())
    }

    /// 1 for a win that lessens with each ply from the root, -1 for such a loss, else 0.
    const fn ply_sign(self) -> i32 {
        let is_of_tables = self.0.abs() >= MIN_TABLE_WIN && self.0.abs() <= TABLE_WIN;
        if is_of_tables { self.0.signum() } else { self.end_sign() }
    }

    /// The score for the table, with the plies to a win counted from the node instead of the root.
    pub(super) const fn to_table(self, ply: usize) -> i16 {
        (self.0 + ply as i32 * self.ply_sign()) as i16
    }

    /// The score that [`Score::to_table`] stored, for a node `ply` plies from the root.
    pub(super) const fn from_table(stored: i16, ply: usize) -> Self {
        let score = Self(stored as i32);
        Self(score.0 - ply as i32 * score.ply_sign())
    }

    /// The score plus a margin, for windows. It stays within ±[`Score::INFINITY`].
    pub(super) fn plus(self, centipawns: i32) -> Self {
        let infinity = Self::INFINITY.0;
        Self((self.0 + centipawns).clamp(-infinity, infinity))
    }

    /// The score plus a banked score. The score of a decided game does not change.
    pub(super) fn plus_banked(self, centipawns: i32) -> Self {
        if self.is_decided() { self } else { Self::evaluation(self.0 + centipawns) }
    }

    /// The number itself: centipawns, unless the game is decided.
    pub(super) const fn raw(self) -> i32 {
        self.0
    }
}

/// An alpha-beta window. Scores at or below `alpha`, and at or above `beta`, need only be bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: Score(-Score::INFINITY.0), beta: Score::INFINITY };

    /// The null window above `alpha`.
    pub(super) fn null(alpha: Score) -> Self {
        Self { alpha, beta: alpha.plus(1) }
    }

    /// Whether this is a null window.
    pub(super) const fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    /// The same window seen by the other side.
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The part of the window that a node `ply` plies from the root can reach. No game ends before that ply.
    pub(super) fn mate_distance_pruning(self, ply: usize) -> Self {
        let win = Score::win_at(ply);
        Self { alpha: self.alpha.max(-win), beta: self.beta.min(win) }
    }

    /// Whether no score lies inside the window.
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decided_score_is_given_in_moves_and_is_never_0() {
        let mate = |plies| Score::win_at(plies).value();
        assert_eq!([0, 1, 2, 3, 4, 5].map(mate), [1, 1, 1, 2, 2, 3].map(Value::Mate));
        assert_eq!((-Score::win_at(4)).value(), Value::Mate(-2));
        assert_eq!(Score::evaluation(-120).value(), Value::Cp(-120));
        assert_eq!(Score::evaluation(1_000_000).value(), Value::Cp(MAX_EVALUATION));
    }

    #[test]
    fn the_table_keeps_the_distance_from_the_node() {
        let cycle = Score::of_cycle(GameResult::Win(Side::Two), Side::One);
        for score in [Score::win_at(9), -Score::win_at(9), Score::evaluation(77), cycle] {
            assert_eq!(Score::from_table(score.to_table(4), 4), score);
        }
        assert_eq!(Score::from_table(cycle.to_table(4), 9), cycle, "has no distance");
        let stored = Score::win_at(9).to_table(4);
        assert_eq!(Score::from_table(stored, 0), Score::win_at(5));
        assert_eq!(Score::from_table(stored, 6), Score::win_at(11));
        assert_eq!(Score::from_table((-Score::win_at(9)).to_table(4), 6), -Score::win_at(11));
    }
}
