//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;

/// Writes a file beside the named one and renames it once it is on disk. A program that is killed leaves no half of a
/// file, and a file that is mapped into memory does not shrink.
///
/// The other file has the ending `new`. A later call replaces what a killed program has left.
///
/// # Errors
/// Those of `fill`, and any error of writing the file.
pub fn replace(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = BufWriter::with_capacity(1 << 20, File::create(&beside)?);
    fill(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&beside, path)
}
