//! Files that a client or a person names.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// The bytes of a regular file of at most `most` bytes, read in bounded time and memory, whatever the path leads to.
///
/// # Errors
/// The file is empty or too long; those of [`open`].
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    // System files that are endless or block a reader have no size.
    let size = file.metadata()?.len();
    if size == 0 || size > most {
        let text = format!("expected a file of 1 to {most} bytes, found {size}");
        return Err(io::Error::new(ErrorKind::InvalidInput, text));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

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
