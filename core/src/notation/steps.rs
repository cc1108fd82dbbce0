//! The text of moves: first squares, then drops (SPEC 9.20), or a pass (SPEC 9.31).

use super::{IllegalMove, Reason};
use crate::{Geometry, Square};

/// The longest move text accepted, in squares and drops (SPEC 9.26).
pub const MAX_STEPS: usize = 1024;

/// The text of a pass.
const PASS: &str = "pass";

/// One element of a move's text.
///
/// Steps compare in the listing order of moves (SPEC 9.27): a drop comes after any square, a pass after any drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// `xd4`: a frog is taken off the board.
    Remove(Square),
    /// `d4`: the origin, or a square where the piece stops.
    To(Square),
    /// `@d4`: a piece is dropped.
    Drop(Square),
    /// `pass`: the turn goes to the other side. It is the only step of its move.
    Pass,
}

impl Step {
    /// The square that the step names. A pass names none.
    #[must_use]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Remove(square) | Self::To(square) | Self::Drop(square) => Some(square),
            Self::Pass => None,
        }
    }

    /// The step's text on a board.
    #[must_use]
    pub fn text(self, board: Geometry) -> String {
        match self {
            Self::Remove(square) => format!("x{}", board.name(square)),
            Self::To(square) => board.name(square).to_string(),
            Self::Drop(square) => format!("@{}", board.name(square)),
            Self::Pass => PASS.to_owned(),
        }
    }
}

/// A move's text as steps. Compares in listing order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Steps(pub Vec<Step>);

impl Steps {
    /// Takes a move text apart. Of the rules, only the size of the board applies.
    ///
    /// # Errors
    /// [`Reason::BadText`], [`Reason::OffBoard`] or [`Reason::TooLong`].
    pub fn parse(board: Geometry, text: &str) -> Result<Self, IllegalMove> {
        match Self::read(board, text) {
            (_, Some(fault)) => Err(fault),
            (Self(steps), None) if steps.is_empty() => Err(IllegalMove::nowhere(Reason::BadText)),
            (steps, None) => Ok(steps),
        }
    }

    /// Reads steps up to the first fault, and returns the fault too. An empty text has no steps.
    #[must_use]
    pub fn read(board: Geometry, text: &str) -> (Self, Option<IllegalMove>) {
        if text.eq_ignore_ascii_case(PASS) {
            return (Self(vec![Step::Pass]), None);
        }
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if steps.len() == MAX_STEPS {
                return (Self(steps), Some(IllegalMove::nowhere(Reason::TooLong)));
            }
            match parse_step(board, rest) {
                Ok((step, tail)) => {
                    steps.push(step);
                    rest = tail;
                }
                Err(fault) => return (Self(steps), Some(fault)),
            }
        }
        (Self(steps), None)
    }

    /// The text on a board.
    #[must_use]
    pub fn text(&self, board: Geometry) -> String {
        self.0.iter().map(|step| step.text(board)).collect()
    }
}

/// Reads a step, in either case, and returns it with the text after it. Digits are read greedily: `c10` is one square.
fn parse_step(board: Geometry, text: &str) -> Result<(Step, &str), IllegalMove> {
    let bad = IllegalMove::nowhere(Reason::BadText);
    let (kind, rest): (fn(Square) -> Step, &str) = match text.as_bytes().first() {
        Some(b'x' | b'X') => (Step::Remove, &text[1..]),
        Some(b'@') => (Step::Drop, &text[1..]),
        _ => (Step::To, text),
    };
    let file = rest.bytes().next().filter(u8::is_ascii_alphabetic).ok_or(bad)?;
    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
    let number = &rest[1..=digits];
    if number.is_empty() || number.starts_with('0') {
        return Err(bad);
    }
    // Too many digits for a number name a rank that is off every board.
    let rank = number.parse::<i32>().unwrap_or(i32::MAX) - 1;
    let square = board
        .square(i32::from(file.to_ascii_lowercase() - b'a'), rank)
        .ok_or(IllegalMove::nowhere(Reason::OffBoard))?;
    Ok((kind(square), &rest[1 + digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Geometry = Geometry { files: 12, ranks: 12 };

    fn reason(text: &str) -> Reason {
        Steps::parse(WIDE, text).unwrap_err().reason
    }

    #[test]
    fn texts_round_trip() {
        for text in ["a1c3c5", "a1l12", "xd4", "c7c8@b1@d2", "a10a12c12", "d3", "pass"] {
            assert_eq!(Steps::parse(WIDE, text).unwrap().text(WIDE), text);
        }
    }

    #[test]
    fn letters_are_read_in_either_case_and_written_in_lower_case() {
        for (text, canonical) in
            [("D6D8@C8", "d6d8@c8"), ("a1C3", "a1c3"), ("XD4", "xd4"), ("PASS", "pass")]
        {
            assert_eq!(Steps::parse(WIDE, text).unwrap().text(WIDE), canonical);
        }
        assert_eq!(reason("M1"), Reason::OffBoard);
    }

    #[test]
    fn bad_text_and_squares_off_the_board_are_different_errors() {
        for text in ["", "a", "1", "a1-", "a01", "@", "é1", "a1 b2", "x", "passa1", "a1pass"] {
            assert_eq!(reason(text), Reason::BadText, "{text:?}");
        }
        for text in ["a13", "m1", "a1z9", "a99999999999999999999"] {
            assert_eq!(reason(text), Reason::OffBoard, "{text:?}");
        }
        assert_eq!(reason(&"a1".repeat(MAX_STEPS + 1)), Reason::TooLong);
        assert!(Steps::parse(WIDE, &"a1".repeat(MAX_STEPS)).is_ok());
    }

    #[test]
    fn listing_order_puts_prefixes_first_and_drops_after_squares() {
        let listed = ["a1c3", "a1c3c5", "a1c3@d4", "b1b2", "@a1", "pass"];
        let steps = listed.map(|text| Steps::parse(WIDE, text).unwrap());
        assert!(steps.is_sorted());
    }
}
