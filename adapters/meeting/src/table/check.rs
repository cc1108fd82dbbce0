//! The check of a game that is read from a file: anybody may have written the file.

use leap_protocol::payload::GameResult;

use super::{MOST_MOVES, Made, Table};
use crate::check_characters;

/// The longest move, in bytes.
const LONGEST_MOVE: usize = 1024;
/// The longest reason for the end of a game, in bytes.
const LONGEST_REASON: usize = 256;
/// The most questions that are declined in a position: each of the three by each person.
const MOST_DECLINED: usize = 6;

/// Whether a text can be a move: one word of plain characters.
pub(crate) fn is_move(text: &str) -> bool {
    (1..=LONGEST_MOVE).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl Table {
    /// Whether this is a state that a game can lead to, as far as form goes. The referee judges the moves.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let is_made = |made: &Made| is_move(&made.mv);
        let expected = [
            (self.round > 0, "expected rounds from 1"),
            (self.moves.len() <= MOST_MOVES, "expected fewer moves"),
            (self.moves.iter().all(is_made), "expected moves of plain characters"),
            (self.clock.as_ref().is_none_or(|clock| clock.is_sane()), "expected sensible clocks"),
            (self.declined.len() <= MOST_DECLINED, "expected fewer declined questions"),
        ];
        if let Some((_, text)) = expected.into_iter().find(|(is_so, _)| !is_so) {
            return Err(text);
        }
        let Some(ending) = &self.ending else { return Ok(()) };
        let results = [GameResult::P1Win, GameResult::P2Win, GameResult::Draw];
        if !results.iter().any(|result| result.as_str() == ending.result) {
            return Err("expected a result of a game that is over");
        }
        if ending.reason.len() > LONGEST_REASON || check_characters(&ending.reason).is_err() {
            return Err("expected a short reason for the end of the game");
        }
        Ok(())
    }
}
