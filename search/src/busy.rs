//! The positions that threads are searching now, so that the threads of a search try different moves first.
//!
//! A thread defers a move when another thread is searching the position after the move. The deferred move comes last,
//! when the table usually has the answer.
//!
//! J.-C. Weill, "The ABDADA distributed minimax search algorithm", 1996; T. Kerrigan, "Simplified ABDADA", 2017.

use std::sync::atomic::{AtomicU64, Ordering};

use leap_core::Key;

/// The positions that the threads of one search are in. Two positions in the same slot hide each other, at a cost of
/// time only.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU64]>);

/// Far more slots than there are nodes on the paths of all threads.
const SLOTS: usize = 1 << 12;
/// The content of an unused slot.
const FREE: Key = 0;

/// The claim of a position, unless another position holds the slot. Dropped when the thread leaves the position.
#[derive(Debug)]
#[must_use]
pub(super) struct Claim<'a>(Option<&'a AtomicU64>);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.store(FREE, Ordering::Relaxed);
        }
    }
}

impl Busy {
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(FREE)).collect())
    }

    /// Whether a thread is in a position.
    pub(super) fn is_claimed(&self, key: Key) -> bool {
        self.0[slot(key)].load(Ordering::Relaxed) == key
    }

    /// Claims a position for this thread, unless another position holds the slot.
    pub(super) fn claim(&self, key: Key) -> Claim<'_> {
        let free = &self.0[slot(key)];
        let is_ours = free.compare_exchange(FREE, key, Ordering::Relaxed, Ordering::Relaxed);
        Claim(is_ours.ok().map(|_| free))
    }
}

const fn slot(key: Key) -> usize {
    key as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_claimed_until_the_thread_that_was_first_leaves_it() {
        let busy = Busy::new();
        let first = busy.claim(7);
        let second = busy.claim(7);
        assert!(busy.is_claimed(7) && !busy.is_claimed(8));
        drop(second);
        assert!(busy.is_claimed(7), "the first is still there");
        drop(first);
        assert!(!busy.is_claimed(7));
    }

    #[test]
    fn positions_of_one_slot_hide_each_other() {
        let busy = Busy::new();
        let (first, other) = (busy.claim(7), busy.claim(7 + SLOTS as Key));
        assert!(busy.is_claimed(7) && !busy.is_claimed(7 + SLOTS as Key));
        drop(other);
        drop(first);
        assert!(!busy.is_claimed(7));
    }
}
