//! The bytes of a file, wherever they are.

use std::fmt;
use std::ops::Deref;

/// The bytes of a file.
pub(crate) enum Bytes {
    /// Bytes in the program.
    Static(&'static [u8]),
    /// Bytes in memory.
    #[cfg_attr(
        any(unix, windows),
        allow(dead_code, reason = "for tests and platforms without maps")
    )]
    Owned(Vec<u8>),
    /// A file mapped into memory.
    #[cfg(any(unix, windows))]
    Mapped(memmap2::Mmap),
}

impl Bytes {
    /// Maps a file into memory, or reads it where files cannot be mapped.
    #[cfg(any(unix, windows))]
    pub(crate) fn map(path: &std::path::Path) -> std::io::Result<Self> {
        let file = std::fs::File::open(path)?;
        // SAFETY: the map is read only. Each block is checked when it is unpacked, and any bytes are safe to unpack.
        // Makers of tables replace whole files by renaming, so no file shrinks under a map.
        #[allow(unsafe_code, reason = "mapping a file has no safe interface")]
        unsafe {
            memmap2::Mmap::map(&file).map(Self::Mapped)
        }
    }

    #[cfg(not(any(unix, windows)))]
    pub(crate) fn map(path: &std::path::Path) -> std::io::Result<Self> {
        std::fs::read(path).map(Self::Owned)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            #[cfg(any(unix, windows))]
            Self::Mapped(map) => map,
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
