//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file cannot be written or read.
#[derive(Debug, Error)]
#[error("cannot use {path}: {error}")]
pub struct IoError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub error: io::Error,
}

impl IoError {
    /// Adds the path to what the system says.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self { path: path.to_owned(), error }
    }
}

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
) -> Result<(), IoError> {
    let beside = path.with_extension("new");
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 20, File::create(&beside)?);
        fill(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(IoError::at(path))
}
