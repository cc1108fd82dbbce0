//! What is replayed, and what can come of it.

use std::time::Duration;

use leap_protocol::Line;
use leap_protocol::transcript::{Exit, Transcript};

use crate::client::EngineCommand;

/// How to replay.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) engine: EngineCommand,
    pub(super) referee: EngineCommand,
    /// How long the engine may be silent when it should not.
    pub(super) timeout: Duration,
    pub(super) unpinned: bool,
    pub(super) update: bool,
}

/// What came of a transcript.
#[derive(Debug)]
pub(super) enum ReplayOutcome {
    /// The engine has said all again.
    Equal,
    /// It has not, and this is what it has said.
    Updated(Transcript),
    /// It has not.
    Mismatch(Box<Mismatch>),
}

/// The first place at which the engine did something else.
#[derive(Debug)]
pub(super) struct Mismatch {
    /// The entry; the number of entries for the end.
    pub(super) index: usize,
    pub(super) fault: Divergence,
    /// Whether the engine was taken for the one that the transcript was made with.
    pub(super) pinned: bool,
    /// The position, if the engine could tell it.
    pub(super) position: Option<String>,
    /// The last lines that the engine wrote to standard error.
    pub(super) stderr: Vec<String>,
}

/// What the engine did instead.
#[derive(Debug)]
pub(super) enum Divergence {
    /// It wrote another line.
    Other(Line),
    /// Its move is not legal; why.
    Illegal(Line, String),
    /// It ended.
    Ended(Option<Exit>),
    /// It did nothing for this long.
    Silent {
        waited: Duration,
        /// It still answered `isready`.
        alive: bool,
    },
}
