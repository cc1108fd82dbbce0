//! What the screen shows, as plain data.

use std::collections::BTreeMap;

use leap_board::Board;
use leap_client::notation::Placement;
use leap_protocol::payload::Side;

/// Everything on the screen.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) placement: &'a Placement,
    /// The player shown at the bottom.
    pub(super) bottom: Side,
    /// The square of the cursor.
    pub(super) cursor: &'a str,
    /// Marks by square.
    pub(super) marks: BTreeMap<String, Mark>,
    /// About the game, line by line.
    pub(super) facts: Vec<String>,
    /// The engine's information, line by line.
    pub(super) thought: Vec<String>,
    /// The moves made.
    pub(super) moves: &'a [String],
    /// The entered part of the turn.
    pub(super) entered: String,
    /// The typed text.
    pub(super) input: &'a str,
    /// What the last action has led to; empty if nothing needs to be said.
    pub(super) notice: &'a str,
    /// What is awaited, or how the game has ended.
    pub(super) prompt: String,
    /// The pieces by name: the texts of a kind, one for each owner, and its name.
    pub(super) kinds: Vec<(Vec<String>, String)>,
    pub(super) shows_help: bool,
    /// What the engine knows exactly, in front of the board.
    pub(super) values: Option<&'a ExactValues>,
    /// A page of the rules, in place of the text about the game.
    pub(super) lesson: Option<&'a Lesson>,
    pub(super) has_colour: bool,
}

/// The exact value of the position, and those of its moves.
#[derive(Clone, Debug)]
pub(super) struct ExactValues {
    /// The value of the position.
    pub(super) title: String,
    /// A move and its value, the best first.
    pub(super) rows: Vec<[String; 2]>,
}

/// A page of the rules: a clause with a position.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    /// The name of the game.
    pub(super) title: String,
    pub(super) heading: String,
    pub(super) text: String,
    /// What the position shows.
    pub(super) caption: String,
    /// The number of the page, from 1, and of all pages.
    pub(super) number: [usize; 2],
    pub(super) placement: Placement,
    pub(super) marks: BTreeMap<String, Mark>,
}

/// A mark on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// A piece that can move.
    Origin,
    /// A piece that can be taken off the board.
    Remove,
    /// The moving piece.
    Here,
    /// The moving piece, where the turn may end.
    End,
    /// A square that it can move to.
    Land,
    /// A square where a piece can be placed.
    Drop,
    /// A piece that would be captured.
    Victim,
    /// Part of the last move, or of a hint.
    Trace,
}

impl Mark {
    /// The characters on both sides of a piece, instead of blanks.
    pub(super) fn sides(self) -> Option<[&'static str; 2]> {
        Some(match self {
            Self::Origin | Self::Land => ["<", ">"],
            Self::Remove => ["-", "-"],
            Self::Here => ["(", ")"],
            Self::End => ["{", "}"],
            Self::Drop => ["+", "+"],
            Self::Victim => ["x", "x"],
            Self::Trace => return None,
        })
    }

    /// The character on an empty square.
    pub(super) fn glyph(self) -> Option<&'static str> {
        match self {
            Self::Land => Some("•"),
            Self::Drop => Some("+"),
            _ => None,
        }
    }

    /// What the mark looks like and means; `None` for marks that need no explanation.
    pub(super) fn meaning(self) -> Option<&'static str> {
        Some(match self {
            Self::Origin => "<> can move",
            Self::Remove => "-- can be taken off",
            Self::Here => "() moves",
            Self::End => "{} end here",
            Self::Land => "• go here",
            Self::Drop => "+ place here",
            Self::Victim => "xx captured",
            Self::Trace => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_marks_look_alike_and_each_is_explained_as_it_looks() {
        use Mark::{Drop, End, Here, Land, Origin, Remove, Victim};
        let marks = [Origin, Remove, Here, End, Land, Drop, Victim];
        let looks: BTreeSet<_> = marks.map(|mark| (mark.sides(), mark.glyph())).into();
        assert_eq!(looks.len(), marks.len());
        for mark in marks {
            let look = mark.glyph().map_or_else(|| mark.sides().unwrap().concat(), str::to_owned);
            let meaning = mark.meaning().unwrap();
            assert!(meaning.starts_with(&format!("{look} ")), "{meaning}");
        }
    }
}
