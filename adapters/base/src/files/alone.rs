//! Files that one program at a time opens for writing.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// A file that no other program can open in this way, while anyone can read it.
#[cfg(unix)]
pub type Locked = nix::fcntl::Flock<File>;
/// A file that no other program can open in this way, while anyone can read it.
#[cfg(windows)]
pub type Locked = File;

/// Opens a file for one program alone.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if another one has it open; any error of opening it.
#[cfg(unix)]
pub fn open_alone(options: &OpenOptions, path: &Path) -> io::Result<Locked> {
    use nix::errno::Errno;
    use nix::fcntl::{Flock, FlockArg};
    let locked = Flock::lock(options.open(path)?, FlockArg::LockExclusiveNonblock);
    locked.map_err(|(_, error)| if error == Errno::EWOULDBLOCK { taken() } else { error.into() })
}

/// Opens a file for one program alone.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if another one has it open; any error of opening it.
#[cfg(windows)]
pub fn open_alone(options: &OpenOptions, path: &Path) -> io::Result<Locked> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    // Not a lock: on Windows nobody could read what is locked.
    let opened = options.clone().share_mode(FILE_SHARE_READ).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => taken(),
        _ => error,
    })
}

fn taken() -> io::Error {
    io::Error::new(ErrorKind::WouldBlock, "another program is writing to it")
}

/// Whether an open file still has a name: it may have been removed before it was locked.
#[cfg(unix)]
pub fn is_linked(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(file.metadata()?.nlink() > 0)
}

/// Windows removes no file that is open.
#[cfg(windows)]
pub fn is_linked(_file: &File) -> io::Result<bool> {
    Ok(true)
}
