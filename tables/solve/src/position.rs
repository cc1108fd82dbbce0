//! A position to solve, and its text.

use std::fmt;
use std::str::FromStr;

use leap_core::notation::{Notation as _, PositionError};
use leap_core::{Position as _, Rules as _, Side};
use leap_games::alquerque::{Alquerque, AlquerquePosition};
use leap_tables::Men;

/// A position to solve: the men of both sides, and who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The men, those of the side to move first.
    pub men: Men,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// The position in which a game starts (SPEC 11.4).
    #[must_use]
    pub fn start() -> Self {
        Self::of(&Alquerque::default().start())
    }

    fn of(position: &AlquerquePosition) -> Self {
        Self { men: Men::of(position), side: position.side() }
    }
}

/// Reads a position text. The counters of plies play no part.
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Alquerque::default().parse_position(text).map(|position| Self::of(&position))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Men { own, enemy } = self.men;
        let first = match self.side {
            Side::One => self.men,
            Side::Two => Men { own: enemy, enemy: own },
        };
        let mut position = first.position();
        position.counters.side = self.side;
        f.write_str(&Alquerque::default().print_position(&position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        let start = Position::start();
        assert_eq!(start.to_string(), "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0");
        let text = "m4/2mm1/5/1m3/M4 2 - 0 0";
        let position: Position = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!(position.men.enemy, 1, "the man on a1");
        assert!("m4".parse::<Position>().is_err());
    }
}
