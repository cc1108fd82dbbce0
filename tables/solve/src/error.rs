//! Why a position is not solved.

use std::path::PathBuf;

use leap_tables::Slice;
use leap_tables::files::IoError;
use thiserror::Error;

/// Why a position is not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// A file cannot be written or read.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A file of earlier work does not fit.
    #[error("{path} {reason}")]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A table has no value for a position.
    #[error("the table of {} against {} men is damaged: make it again", .0.own, .0.enemy)]
    Table(Slice),
    /// There are no tables.
    #[error("there are no tables")]
    NoTables,
    /// The memory is too small.
    #[error("the solved positions fill the memory: allow more, or make tables of more men")]
    Memory,
    /// Paths without a capture are too long.
    #[error("the search cannot go on: its paths without a capture are too long")]
    Long,
    /// The answer is not needed any more.
    #[error("the search was stopped")]
    Stopped,
    /// A position of the proof is missing.
    #[error("the proof has a hole: this is a bug")]
    Hole,
}
