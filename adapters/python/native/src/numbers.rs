//! Games as rows of numbers.

use leap_core::{GameResult, Outcome, Side};

/// 1 or -1 if player 1 has won or lost, and otherwise 0.
pub(crate) fn result(outcome: Option<Outcome>) -> i32 {
    match outcome.map(|outcome| outcome.result) {
        Some(GameResult::Win(Side::One)) => 1,
        Some(GameResult::Win(Side::Two)) => -1,
        Some(GameResult::Draw) | None => 0,
    }
}

/// Several games as numbers: a row for each, one after the other.
#[derive(Default)]
pub(crate) struct Rows {
    /// 1 for each legal action.
    pub(crate) masks: Vec<u8>,
    /// The number of the piece on each square, with the entered part of the move made.
    pub(crate) pieces: Vec<u8>,
    /// For each square 1 if the entered part of the move names it, 2 if it is the last of them.
    pub(crate) route: Vec<u8>,
    /// The player to move, whether the game is over, its result, drops, turns, quiet, repetitions and ply, then the
    /// pairs of `query status`. In the bytes of the machine, four for a number.
    pub(crate) numbers: Vec<u8>,
}

impl Rows {
    /// Adds so many zeros, and returns them.
    pub(crate) fn added(bytes: &mut Vec<u8>, count: usize) -> &mut [u8] {
        let first = bytes.len();
        bytes.resize(first + count, 0);
        &mut bytes[first..]
    }

    pub(crate) fn add_number(&mut self, number: i32) {
        self.numbers.extend_from_slice(&number.to_ne_bytes());
    }

    pub(crate) fn add_count(&mut self, count: u32) {
        self.add_number(i32::try_from(count).unwrap_or(i32::MAX));
    }
}
