//! The option `EvalFile`: weights from a file, for experiments.

use leap_protocol::option::EMPTY;
use leap_search::eval::weights;

use crate::files;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Why the weights of a file cannot be used, for people.
pub(crate) type EvalFileError = Box<dyn std::error::Error>;

/// The game that a file of weights names, and the contents of the file. `None` for `<empty>`.
pub(crate) fn weights(path: &str) -> Result<Option<(String, Vec<u8>)>, EvalFileError> {
    if path == EMPTY {
        return Ok(None);
    }
    let file = files::read(path.as_ref(), MAX_BYTES)?;
    Ok(Some((weights::game(&file)?, file)))
}
