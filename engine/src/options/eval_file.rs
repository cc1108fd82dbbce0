//! The option `EvalFile`: weights from a file, for experiments.

use std::io::{self, Read};
use std::path::Path;

use leap_protocol::option::EMPTY;
use thiserror::Error;

use leap_search::eval::weights::{self, WeightsError};

use crate::files;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Why the weights of a file cannot be used.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is too large, or has no size. System files that are endless or block a reader have no size.
    #[error("expected a file of 1 to {most} bytes, found {0}", most = MAX_BYTES)]
    Size(u64),
    /// The weights belong to no known game.
    #[error("the weights are for '{0}', which is no game here")]
    Game(String),
    /// The contents do not fit the game.
    #[error(transparent)]
    Contents(#[from] WeightsError),
}

/// The game that a file of weights names, and the contents of the file. `None` for `<empty>`.
pub(crate) fn weights(path: &str) -> Result<Option<(String, Vec<u8>)>, EvalFileError> {
    if path == EMPTY {
        return Ok(None);
    }
    let file = contents(path.as_ref())?;
    Ok(Some((weights::game(&file)?, file)))
}

/// The bytes of a file that can be read in bounded time and memory, whatever the path leads to.
fn contents(path: &Path) -> Result<Vec<u8>, EvalFileError> {
    let file = files::open(path)?;
    match file.metadata()?.len() {
        1..=MAX_BYTES => {}
        size => return Err(EvalFileError::Size(size)),
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
