//! Files that a client or a person names.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a regular file to be read. A pipe may have no writer, and a device may have no end: neither is opened.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if the path leads to something other than a regular file; any error of opening it.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a device may act on it, so it is not even opened.
    check(&fs::metadata(path)?)?;
    let file = open_now(path)?;
    // Something else may have taken its place meanwhile.
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let text = "expected a regular file, found a folder, a pipe or a device";
    Err(io::Error::new(ErrorKind::InvalidInput, text))
}

/// Opens a file, without waiting for the other end if it is a pipe.
#[cfg(unix)]
fn open_now(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    let flags = nix::fcntl::OFlag::O_NONBLOCK;
    File::options().read(true).custom_flags(flags.bits()).open(path)
}

#[cfg(not(unix))]
fn open_now(path: &Path) -> io::Result<File> {
    File::open(path)
}
