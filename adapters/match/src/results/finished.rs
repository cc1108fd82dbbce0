//! A game that counts.

use serde::{Deserialize, Serialize};

use crate::events::{End, Outcome, Reason};

/// A game that has ended for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The players of p1 and p2.
    pub players: [usize; 2],
    /// `Void` if all attempts ended void.
    pub(crate) outcome: Outcome,
    pub(crate) reason: Reason,
    /// The guilty side, 1 or 2.
    pub(crate) guilty: Option<u8>,
    /// The game has not begun.
    pub(crate) unstarted: bool,
    pub(crate) plies: u64,
}

impl Finished {
    /// Creates a finished game of these players from its end.
    pub fn new(players: [usize; 2], end: &End) -> Self {
        let &End { result: outcome, reason, guilty, unstarted, plies, .. } = end;
        Self { players, outcome, reason, guilty, unstarted, plies }
    }
}
