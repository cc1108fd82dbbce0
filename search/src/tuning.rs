//! The order in which a search tries moves, and what it may leave out, for each game.
//!
//! Matches have chosen the weights, margins and counts (docs/strength.md).

#[cfg(feature = "tune")]
mod parameters;

use std::marker::PhantomData;
use std::ops::Deref;

#[cfg(feature = "tune")]
pub use parameters::{PARAMETERS, Parameter};

use crate::{Limits, Searchable};

/// A margin that grows with the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The deepest node that uses the margin, in plies. 0 for none.
    pub depth: i32,
    /// The margin for each ply, in centipawns.
    pub per_ply: i32,
}

/// The number of moves of a node that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMoves {
    /// The deepest node that leaves moves out, in plies. 0 for none.
    pub depth: i32,
    /// The number of moves at any depth.
    pub base: i32,
    /// The number of further moves for the square of the depth, in percent.
    pub per_square: i32,
}

impl LateMoves {
    /// How many moves are looked at. A side whose evaluation does not improve gets half of them.
    #[must_use]
    pub fn count(self, depth: i32, is_improving: bool) -> usize {
        let count = self.base + self.per_square * depth * depth / 100;
        (if is_improving { count } else { count / 2 }).max(1) as usize
    }
}

/// Multi-ProbCut: a shallow search tells whether a deep one would leave the window (M. Buro, ProbCut, 1995, and
/// Experiments with Multi-ProbCut, 1997).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCut {
    /// The least depth of a node that is searched shallowly first, in plies. 0 for none.
    pub depth: i32,
    /// The depth of the shallow search, in percent of the node's depth.
    pub share: i32,
    /// How much the shallow score must exceed the window, in percent of the error ([`Searchable::probcut_error`]).
    pub confidence: i32,
}

impl ProbCut {
    /// No shallow searches.
    pub const NONE: Self = Self { depth: 0, share: 50, confidence: 0 };

    /// The depth of the shallow search. An even number of plies lies between both, so the same side moves last.
    #[must_use]
    pub const fn shallow(self, depth: i32) -> i32 {
        let plies = depth * self.share / 100;
        plies - (depth - plies) % 2
    }
}

/// Late move reductions: `base + ln(depth) * ln(index) / divisor` plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reductions {
    /// The part of every reduction, in plies.
    pub base: f32,
    /// The divisor of the product of the logarithms.
    pub divisor: f32,
    /// The history that changes a reduction by one ply.
    pub history: i32,
}

/// How much a cutoff changes the histories of moves: `per_square` times the square of the depth, at most `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryBonus {
    /// The change for the square of the depth.
    pub per_square: i32,
    /// The largest change. The best history is 16,384.
    pub most: i32,
}

impl HistoryBonus {
    /// The change after a cutoff at this depth.
    pub(crate) fn at(self, depth: i32) -> i32 {
        (self.per_square * depth * depth).min(self.most)
    }
}

/// How far quiescence search plays captures out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captures {
    /// The most plies.
    ///
    /// Captures that flip men back and forth would never end. On a crowded board each capture leads to many others.
    pub plies: i32,
    /// The futility margin beyond the gain of a capture, in centipawns.
    pub margin: i32,
}

/// The constants of a game's search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTuning {
    /// The weight of an immediately gained centipawn in move ordering, where the best history is 16,384.
    ///
    /// It is 0 in games in which most captures are bad.
    pub gain_weight: i32,
    /// Whether captures are tried before all other moves. The other moves are not ranked if a capture is enough.
    ///
    /// It has no effect in games where a position has only captures or none.
    pub captures_first: bool,
    /// Up to this depth of a node, its killers are tried before the other quiet moves, which are not ranked if a killer
    /// is enough.
    ///
    /// Most nodes are so shallow. Deeper ones are searched better if each move is ranked.
    pub killer_depth: i32,
    /// Whether evaluations are kept for positions that come back. This pays where an evaluation takes long.
    pub evaluation_cache: bool,
    /// Whether captures are played out (quiescence search) before a position is evaluated.
    ///
    /// `false` for games in which every move captures, or in which playing captures out gains nothing.
    pub quiescence: bool,
    /// Whether quiescence search uses the table for positions with captures.
    pub quiescence_table: bool,
    /// Reverse futility pruning. A node this far above its window is not searched.
    pub reverse_futility: Margin,
    /// Late move pruning. No capture may follow a quiet move: captures come first, or they are compulsory.
    pub late_moves: LateMoves,
    /// Multi-ProbCut. A node is left if a shallow search finds it far outside its window.
    pub probcut: ProbCut,
    /// Late move reductions.
    pub reductions: Reductions,
    /// The weights of the last two moves that caused a cutoff at the same ply, in move ordering.
    pub killers: [i32; 2],
    /// What a cutoff changes in move ordering.
    pub history: HistoryBonus,
    /// How far captures are played out, if they are.
    pub captures: Captures,
    /// Half the width of the first window around the score of the iteration before, in centipawns.
    pub aspiration: i32,
    /// The share of a move's time in percent, by the number of iterations that have kept the best move.
    pub time_shares: [i32; 5],
}

impl SearchTuning {
    /// A man weighs more than the best history. Late moves are reduced, and nothing is left out.
    pub const DEFAULT: Self = Self {
        gain_weight: 512,
        captures_first: false,
        killer_depth: 0,
        evaluation_cache: false,
        quiescence: true,
        quiescence_table: false,
        reverse_futility: Margin { depth: 0, per_ply: 0 },
        late_moves: LateMoves { depth: 0, base: 0, per_square: 0 },
        probcut: ProbCut::NONE,
        reductions: Reductions { base: 0.5, divisor: 2.0, history: 8_192 },
        killers: [24_000, 23_000],
        history: HistoryBonus { per_square: 16, most: 1_600 },
        captures: Captures { plies: 12, margin: 150 },
        aspiration: 30,
        time_shares: [150, 120, 100, 85, 75],
    };
}

/// The constants of one search: those of its game, or with the feature `tune` those of its limits.
///
/// Without the feature this type is empty, and the constants are known when the search is compiled.
#[derive(Debug)]
pub(crate) struct Tuning<R> {
    #[cfg(feature = "tune")]
    values: SearchTuning,
    rules: PhantomData<fn() -> R>,
}

impl<R: Searchable> Tuning<R> {
    #[cfg_attr(
        not(feature = "tune"),
        expect(unused_variables, reason = "only tuning sets constants")
    )]
    pub(crate) fn new(limits: &Limits<R::Move>) -> Self {
        Self {
            #[cfg(feature = "tune")]
            values: limits.tuning.unwrap_or(R::TUNING),
            rules: PhantomData,
        }
    }
}

impl<R> Clone for Tuning<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Tuning<R> {}

impl<R: Searchable> Deref for Tuning<R> {
    type Target = SearchTuning;

    #[cfg(feature = "tune")]
    fn deref(&self) -> &SearchTuning {
        &self.values
    }

    #[cfg(not(feature = "tune"))]
    #[inline(always)]
    fn deref(&self) -> &SearchTuning {
        &R::TUNING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_side_moves_last_in_a_shallow_search() {
        let probcut = ProbCut { depth: 5, share: 50, confidence: 130 };
        assert_eq!([5, 6, 7, 8, 9, 12].map(|depth| probcut.shallow(depth)), [1, 2, 3, 4, 3, 6]);
        assert!((1..40).all(|depth| (depth - probcut.shallow(depth)) % 2 == 0));
    }

    #[test]
    fn more_late_moves_are_looked_at_deeper_and_where_the_evaluation_improves() {
        let late_moves = LateMoves { depth: 8, base: 4, per_square: 50 };
        let counts = |is_improving| [1, 2, 4, 8].map(|depth| late_moves.count(depth, is_improving));
        assert_eq!(counts(true), [4, 6, 12, 36]);
        assert_eq!(counts(false), [2, 3, 6, 18]);
        let none = LateMoves { depth: 8, base: 0, per_square: 0 };
        assert_eq!(none.count(8, false), 1, "one move is always looked at");
    }
}
