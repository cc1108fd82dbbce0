//! Memory that the system maps. It commits and zeroes pages as they are used, huge pages where it has them.
//!
//! A table is read all over, so most of its addresses miss the processor's cache of page addresses (TLB).
//! A huge page needs one entry there. The same memory in ordinary pages needs 512.

use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

type Words<'a> = &'a [AtomicU64];

self_cell! {
    /// Words of memory, from the beginning of a page.
    pub(in crate::table) struct Memory {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Words,
    }
}

impl Memory {
    /// Maps this many words.
    ///
    /// # Errors
    /// The system does not give that much memory.
    pub(in crate::table) fn zeroed(words: usize) -> io::Result<Self> {
        let bytes = words.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // The call is only advice: ordinary pages do as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Self::try_new(MutBorrow::new(map), |map| {
            let words = <[AtomicU64]>::mut_from_bytes(map.borrow_mut());
            words.map(|words| &*words).map_err(|_| io::ErrorKind::InvalidData.into())
        })
    }

    pub(in crate::table) fn words(&self) -> &[AtomicU64] {
        self.borrow_dependent()
    }
}
