//! The outcomes of a replay.

use std::time::Duration;

use leap_client::EngineCommand;
use leap_transcript::Transcript;

use crate::runner::Divergence;

/// How to replay.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) engine: EngineCommand,
    pub(super) referee: EngineCommand,
    /// How long the engine may be silent when an answer is expected.
    pub(super) timeout: Duration,
    pub(super) unpinned: bool,
    pub(super) update: bool,
}

impl Setup {
    /// Whether the engine is taken to be the one that the transcript was made with.
    pub(super) fn takes_for_pinned(&self, transcript: &Transcript) -> bool {
        transcript.engine().is_some() && !self.unpinned
    }
}

/// The outcome of a transcript.
#[derive(Debug)]
pub(super) enum ReplayOutcome {
    /// The engine has repeated everything.
    Equal,
    /// The engine has answered differently: the transcript with its answers (with `--update`).
    Updated(Transcript),
    /// The engine has answered differently.
    Mismatch(Box<Mismatch>),
}

/// The first entry that the engine did not repeat.
#[derive(Debug)]
pub(super) struct Mismatch {
    /// The index of the entry; the number of entries if the session was over.
    pub(super) index: usize,
    pub(super) fault: Divergence,
    /// Whether the engine was taken to be the one that the transcript was made with.
    pub(super) pinned: bool,
    /// The position, if the engine could report it.
    pub(super) position: Option<String>,
    /// The last lines that the engine wrote to standard error.
    pub(super) stderr: Vec<String>,
}

impl Divergence {
    /// Whether `--update` may take what the engine did instead.
    pub(super) fn may_be_updated(&self) -> bool {
        matches!(self, Self::Other(_) | Self::IllegalExpected(_) | Self::Ended(Some(_)))
    }
}
