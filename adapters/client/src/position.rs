//! The `position` command.

use std::fmt;

/// A `position` command that moves can be appended to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    text: String,
    plies: u64,
}

impl PositionCommand {
    /// Starts from a position text, or from the start position if `fen` is `None`.
    pub fn new(fen: Option<&str>, moves: &[String]) -> Self {
        let start = match fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        let mut position = Self { text: start, plies: 0 };
        moves.iter().for_each(|mv| position.push(mv));
        position
    }

    /// Appends a move.
    pub fn push(&mut self, mv: &str) {
        self.text.push_str(if self.plies == 0 { " moves " } else { " " });
        self.text.push_str(mv);
        self.plies += 1;
    }

    /// A copy with a move appended.
    pub fn with(&self, mv: &str) -> Self {
        let mut position = self.clone();
        position.push(mv);
        position
    }

    /// The command as a line.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number of moves.
    pub fn plies(&self) -> u64 {
        self.plies
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_grows_as_the_command_is_written() {
        let mut position = PositionCommand::new(None, &[]);
        assert_eq!(position.as_str(), "position startpos");
        position.push("a1a2");
        position.push("b1b2");
        let moves = ["a1a2", "b1b2"].map(str::to_owned);
        assert_eq!(position, PositionCommand::new(None, &moves));
        let from = PositionCommand::new(Some("8 1 - 0 0"), &[]);
        assert_eq!(from.with("x").as_str(), "position fen 8 1 - 0 0 moves x");
    }
}
