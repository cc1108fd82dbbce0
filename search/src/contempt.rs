//! Contempt: how a search plays on where a draw or a repetition is at hand.
//!
//! Scores that take the opponent for perfect give a drawn position away, and win by a repetition what could be won on
//! the board. With a contempt of n above 0, these scores differ for the side that searches:
//!
//! - A draw is worth n centipawns less than an even position. Below 0 it is worth more.
//! - A repetition that it wins by the count is worth half a man. It then plays on while it stands better than that, and
//!   takes the repetition otherwise.
//!
//! A loss by repetition stays a loss. Contempt above 0 never raises a score of the side that searches, so the wins that
//! it announces are wins.
//!
//! A score with contempt holds for the side that searches alone. The key of a contempt keeps both sides' scores apart.

use super::score::Score;
use crate::Limits;
use leap_core::{GameResult, Key, Side, SplitMix64};

/// The worth of a win by repetition in centipawns, for a side that would rather win on the board.
const REPEATED_WIN: i32 = 50;

/// The contempt of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contempt {
    /// The side that searches.
    side: Side,
    centipawns: i32,
}

impl Contempt {
    /// The contempt of a search for `side`. A search for a win in n moves and one without end, which is analysis, have
    /// none.
    pub(super) fn new<M>(limits: &Limits<M>, side: Side) -> Self {
        let has_none = limits.mate.is_some() || limits.infinite;
        Self { side, centipawns: if has_none { 0 } else { limits.contempt } }
    }

    /// The key that separates the scores of searches. 0 without contempt: the scores are then the same for both sides.
    pub(super) fn key(self) -> Key {
        let Self { side, centipawns } = self;
        if centipawns == 0 {
            return 0;
        }
        SplitMix64::new(KEY_SEED ^ (2 * i64::from(centipawns) + side as i64) as u64).draw()
    }

    /// The score of a drawn game for `side`.
    pub(super) fn of_draw(self, side: Side) -> Score {
        Score::evaluation(if side == self.side { -self.centipawns } else { self.centipawns })
    }

    /// The score for `side` of a game that is over `plies` after the root.
    pub(super) fn of_result(self, result: GameResult, side: Side, plies: usize) -> Score {
        match result {
            GameResult::Draw => self.of_draw(side),
            GameResult::Win(_) => Score::of_result(result, side, plies),
        }
    }

    /// The score for `side` of a repetition that ends, sooner or later, with this result.
    pub(super) fn of_repetition(self, result: GameResult, side: Side) -> Score {
        match result {
            GameResult::Draw => self.of_draw(side),
            GameResult::Win(winner) if winner == self.side && self.centipawns > 0 => {
                Score::evaluation(if side == winner { REPEATED_WIN } else { -REPEATED_WIN })
            }
            GameResult::Win(_) => Score::of_cycle(result, side),
        }
    }
}

/// Tells these keys from other keys.
const KEY_SEED: u64 = 0xc07e_a170_0000_0000;
