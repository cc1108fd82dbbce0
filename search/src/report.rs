//! What a search tells: reports while it runs, and its answer.

use std::time::Duration;

use crate::{Bound, Score, Value};
use leap_core::Side;

/// Progress of a search: what is known about one line of play. `M` is the game's move type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The depth of the longest line searched, in plies.
    pub seldepth: u32,
    /// The rank of the line, 1 for the best.
    pub multipv: usize,
    /// The score of the line, for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether the score holds at any depth, because the game was searched to its end.
    pub is_solved: bool,
    /// Nodes visited.
    pub nodes: u64,
    /// The positions that tables of exact values have answered for.
    pub tbhits: u64,
    /// The time since the search was asked for.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// The line itself: legal moves from the root, at least one.
    pub pv: Vec<M>,
}

/// The result of a search. `M` is the game's move type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The move to play. `None` only if the game is over.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The score of the position, for the side to move.
    pub score: Score,
    /// The depth of the last finished iteration, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The number of threads of the search that panicked. The answer is the best of the other threads.
    pub faults: usize,
}

impl<M> SearchResult<M> {
    /// The winner, if the search has seen the end. `side` is the side to move.
    #[must_use]
    pub fn winner(&self, side: Side) -> Option<Side> {
        match self.score.value() {
            // Before the first iteration is finished, a score means nothing.
            Value::Mate(moves) if self.depth > 0 => {
                Some(if moves > 0 { side } else { side.other() })
            }
            _ => None,
        }
    }
}
