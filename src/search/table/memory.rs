//! The memory of a table: words that are zero, in huge pages where the system has them.
//!
//! A table is read all over, so most of its addresses miss the processor's cache of page addresses (TLB). A huge page
//! needs one entry there where 512 ordinary ones would need one each.

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

type Words<'a> = &'a [AtomicU64];

self_cell! {
    /// Words of memory, from the beginning of a page on.
    pub(super) struct Memory {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Words,
    }
}

/// A thread clears no fewer words than this: starting it would take longer.
const WORDS_PER_THREAD: usize = 1 << 20;

impl Memory {
    /// So many words, which the system commits and zeroes as they are used.
    ///
    /// # Errors
    /// The system does not give so much.
    pub(super) fn zeroed(words: usize) -> io::Result<Self> {
        let bytes = words.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // Advice is all that it is: ordinary pages do as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Self::try_new(MutBorrow::new(map), |map| {
            let words = <[AtomicU64]>::mut_from_bytes(map.borrow_mut());
            words.map(|words| &*words).map_err(|_| io::ErrorKind::InvalidData.into())
        })
    }

    pub(super) fn words(&self) -> &[AtomicU64] {
        self.borrow_dependent()
    }

    /// Zeroes all words, by several threads if they are many.
    pub(super) fn clear(&self) {
        let words = self.words();
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let share = words.len().div_ceil(processors).max(WORDS_PER_THREAD);
        thread::scope(|scope| {
            let mut shares = words.chunks(share);
            let own = shares.next().unwrap_or_default();
            for share in shares {
                scope.spawn(|| zero(share));
            }
            zero(own);
        });
    }
}

fn zero(words: &[AtomicU64]) {
    words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_is_so_again_once_cleared() {
        let memory = Memory::zeroed(2 * WORDS_PER_THREAD + 5).unwrap();
        let words = memory.words();
        assert_eq!(words.len(), 2 * WORDS_PER_THREAD + 5);
        let is_zero = || words.iter().all(|word| word.load(Ordering::Relaxed) == 0);
        assert!(is_zero());
        words.iter().for_each(|word| word.store(7, Ordering::Relaxed));
        memory.clear();
        assert!(is_zero());
    }
}
