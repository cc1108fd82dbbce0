//! Search: one implementation over [`crate::rules::Game`] and [`Evaluate`], compiled for each game.
//!
//! [`search`] deepens iteratively; it knows no text, no wire and no channel. Reading order: this file, [`score`],
//! [`limits`], [`table`], then the parts that are not public.

use std::time::Duration;

use crate::eval::Evaluate;
use crate::rules::record::Record;

mod control;
pub mod limits;
mod line;
mod node;
mod order;
mod path;
mod root;
pub mod score;
pub mod strength;
pub mod table;

pub use control::Control;
pub use limits::{Clock, Limits};
pub use score::{Score, Value};
pub use table::{Bound, Table, TableError};

use control::Watch;
use node::Worker;
use root::{Deepening, root_moves};

/// The most plies that a search deepens to.
pub const MAX_DEPTH: u32 = 100;

/// No line is longer than this many plies.
const MAX_PLY: usize = 128;

/// What a search found out so far about one line of play. `M` is the game's move type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// Plies that were looked ahead.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// The rank of the line, 1 for the best.
    pub multipv: usize,
    /// What the line is worth to the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes visited.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// The line itself: legal moves from the root on, at least one.
    pub pv: Vec<M>,
}

/// What a search decided. `M` is the game's move type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move to play; `None` only where the game is over.
    pub best: Option<M>,
    /// The opponent's move that is expected then.
    pub ponder: Option<M>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Plies of the last iteration that was finished.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

/// Searches the current position of a game. Returns a legal move if there is one, however soon it is stopped.
///
/// `table` may hold what earlier searches of the same game under the same rule options stored; it has to be cleared
/// when either changes. The caller says when a new search begins ([`Table::new_search`]).
pub fn search<G: Evaluate>(
    record: &Record<G>,
    limits: &Limits<G::Move>,
    table: &Table,
    control: &Control,
    report: &mut dyn FnMut(Report<G::Move>),
) -> Answer<G::Move> {
    let deepening = Deepening {
        worker: Worker::new(record, table, Watch::new(control, limits)),
        position: record.current(),
        limits,
        moves: root_moves(record, limits),
        report,
        depth: 0,
        reported: None,
    };
    deepening.run()
}
