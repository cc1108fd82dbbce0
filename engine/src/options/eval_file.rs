//! The option `EvalFile`: weights from a file, for experiments.

use std::io::Read;
use std::path::Path;

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
    let file = contents(path.as_ref())?;
    Ok(Some((weights::game(&file)?, file)))
}

/// The bytes of a file that can be read in bounded time and memory, whatever the path leads to.
fn contents(path: &Path) -> Result<Vec<u8>, EvalFileError> {
    let file = files::open(path)?;
    // System files that are endless or block a reader have no size.
    match file.metadata()?.len() {
        1..=MAX_BYTES => {}
        size => {
            return Err(format!("expected a file of 1 to {MAX_BYTES} bytes, found {size}").into());
        }
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
