//! The memory of a table: words, zero at first.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[cfg(not(any(unix, windows)))]
mod allocated;
#[cfg(any(unix, windows))]
mod mapped;

#[cfg(not(any(unix, windows)))]
pub(super) use allocated::Memory;
#[cfg(any(unix, windows))]
pub(super) use mapped::Memory;

/// The fewest words that a thread clears. For fewer, starting the thread would take longer.
const WORDS_PER_THREAD: usize = 1 << 20;

impl Memory {
    /// Zeroes all words. Several threads share the work if there are many words.
    pub(super) fn clear(&self) {
        let words = self.words();
        // Where there are no threads, the number of processors is unknown too.
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

/// Words of a page of memory, the smallest part that the system commits.
const WORDS_PER_PAGE: usize = 4096 / size_of::<AtomicU64>();

/// Zeroes words. Pages without any other word are only read: the system need not commit a page that was never written.
fn zero(words: &[AtomicU64]) {
    for page in words.chunks(WORDS_PER_PAGE) {
        if page.iter().any(|word| word.load(Ordering::Relaxed) != 0) {
            page.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        }
    }
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

    /// The resident memory of this process, in MiB.
    #[cfg(target_os = "linux")]
    fn resident_mib() -> usize {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() / 256
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn clearing_commits_no_memory_that_was_never_written() {
        let memory = Memory::zeroed(512 << 17).unwrap();
        let before = resident_mib();
        memory.words()[0].store(7, Ordering::Relaxed);
        memory.clear();
        // Other tests of this process take a few megabytes at the same time.
        let grown = resident_mib().saturating_sub(before);
        assert!(grown < 100, "{grown} of 512 MiB");
        assert_eq!(memory.words()[0].load(Ordering::Relaxed), 0);
    }
}
