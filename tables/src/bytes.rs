//! The bytes of a file, wherever they are: in the program, in memory, or mapped.

use std::io;
use std::ops::Deref;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;

pub(crate) type Bytes = Box<dyn Deref<Target = [u8]> + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// Maps a file into memory, or reads it where files cannot be mapped.
#[cfg(any(unix, windows))]
pub(crate) fn map(path: &Path) -> io::Result<Bytes> {
    let file = std::fs::File::open(path)?;
    // SAFETY: the map is read only. Each block is checked when it is unpacked, and any bytes are safe to unpack.
    // Makers of tables replace whole files by renaming, so no file shrinks under a map.
    #[allow(unsafe_code, reason = "mapping a file has no safe interface")]
    let map = unsafe { memmap2::Mmap::map(&file) }?;
    Ok(Box::new(map))
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn map(path: &Path) -> io::Result<Bytes> {
    Ok(Box::new(std::fs::read(path)?))
}
