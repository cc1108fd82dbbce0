//! Evaluations of positions that may come back.

use std::cell::Cell;

use leap_core::Key;

/// The last evaluations, by key. A new one takes the place of an old one.
#[derive(Debug)]
pub(super) struct EvaluationCache(Box<[Cell<(Key, i32)>]>);

/// The number of evaluations. They fit the cache of a processor's core, beside the histories of moves.
const SLOTS: usize = 1 << 13;

impl EvaluationCache {
    /// Without memory if the cache is not used.
    pub(super) fn new(is_used: bool) -> Self {
        Self(vec![Cell::new((0, 0)); if is_used { SLOTS } else { 0 }].into())
    }

    /// The evaluation with this key: the one that was kept, or that of `evaluate`.
    #[inline]
    pub(super) fn get_or(&self, key: Key, evaluate: impl FnOnce() -> i32) -> i32 {
        let slot = &self.0[key as usize % SLOTS];
        let (kept, value) = slot.get();
        if kept == key {
            return value;
        }
        let value = evaluate();
        slot.set((key, value));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_evaluated_again_only_after_another_one_took_its_place() {
        let cache = EvaluationCache::new(true);
        let (key, rival, other) = (1, 1 + SLOTS as Key, 2);
        assert_eq!([7, 8].map(|value| cache.get_or(key, || value)), [7, 7]);
        assert_eq!(cache.get_or(other, || 9), 9);
        assert_eq!(cache.get_or(key, || 10), 7);
        assert_eq!(cache.get_or(rival, || -11), -11);
        assert_eq!(cache.get_or(key, || 12), 12);
    }
}
