//! What is to be seen, as plain data.

use std::collections::BTreeMap;

use leap_protocol::payload::Player;

use crate::game::Board;
use crate::notation::Placement;

/// Everything that is on the screen.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) placement: &'a Placement,
    /// Who is shown below.
    pub(super) bottom: Player,
    /// The square of the cursor.
    pub(super) cursor: &'a str,
    /// By square.
    pub(super) marks: BTreeMap<String, Mark>,
    /// About the game, line by line.
    pub(super) facts: Vec<String>,
    /// What the engine thinks, line by line.
    pub(super) thought: Vec<String>,
    /// The moves made.
    pub(super) moves: &'a [String],
    /// What was entered of the turn.
    pub(super) entered: String,
    /// What was typed.
    pub(super) input: &'a str,
    pub(super) message: &'a str,
    pub(super) shows_help: bool,
    pub(super) has_colour: bool,
}

/// What is said of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The piece that moves.
    Here,
    /// Where it may go.
    Target,
    /// What would be taken.
    Victim,
    /// Where the last move was, or a hint.
    Trace,
}
