//! What the screen shows, as plain data.

use std::collections::BTreeMap;

use leap_protocol::payload::Player;

use crate::game::Board;
use crate::notation::Placement;

/// Everything on the screen.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) placement: &'a Placement,
    /// The player shown at the bottom.
    pub(super) bottom: Player,
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
    pub(super) message: &'a str,
    pub(super) shows_help: bool,
    /// A page of the rules, in place of the text about the game.
    pub(super) lesson: Option<&'a Lesson>,
    pub(super) has_colour: bool,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The moving piece.
    Here,
    /// A square that it can move to.
    Target,
    /// A piece that would be captured.
    Victim,
    /// Part of the last move, or of a hint.
    Trace,
}
