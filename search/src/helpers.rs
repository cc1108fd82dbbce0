//! The threads that help a search. They are kept for the next search.
//!
//! A new thread begins on the processor of the thread that starts it, and both take turns there. The system moves one
//! of them only after some milliseconds, which is most of a search in fast games.

#[cfg(not(target_family = "wasm"))]
pub(super) use pool::with_helpers;

/// The beginning of the names of helper threads.
#[cfg(not(target_family = "wasm"))]
pub const HELPER_NAME: &str = "search-";

/// Runs `own`. Without threads there are no helpers.
#[cfg(target_family = "wasm")]
pub(super) fn with_helpers<T, R>(
    _count: usize,
    _helper: impl Fn(usize) -> T,
    own: impl FnOnce() -> R,
) -> (R, Vec<T>) {
    (own(), Vec::new())
}

#[cfg(not(target_family = "wasm"))]
mod pool {
    use std::cell::Cell;
    use std::iter;

    use rayon::{ThreadPool, ThreadPoolBuilder};

    use super::HELPER_NAME;
    use crate::STACK_BYTES;

    thread_local! {
        /// The helpers of this thread's searches.
        static HELPERS: Cell<Option<ThreadPool>> = const { Cell::new(None) };
    }

    /// Runs `own` on this thread, and `helper` on `count` other threads with the numbers from 1 on.
    ///
    /// Waits for the helpers. Returns the result of `own`, and the results of the helpers.
    /// Helpers that could not be started have no result.
    pub(in super::super) fn with_helpers<T: Send, R>(
        count: usize,
        helper: impl Fn(usize) -> T + Sync,
        own: impl FnOnce() -> R,
    ) -> (R, Vec<T>) {
        let is_enough = |pool: &ThreadPool| count > 0 && pool.current_num_threads() >= count;
        let Some(pool) = HELPERS.take().filter(is_enough).or_else(|| start(count)) else {
            return (own(), Vec::new());
        };
        let mut found: Vec<Option<T>> = Vec::new();
        found.resize_with(count.min(pool.current_num_threads()), || None);
        let result = pool.in_place_scope(|scope| {
            for (index, found) in (1..).zip(&mut found) {
                let helper = &helper;
                scope.spawn(move |_| *found = Some(helper(index)));
            }
            own()
        });
        HELPERS.set(Some(pool));
        (result, found.into_iter().flatten().collect())
    }

    /// Starts `count` threads, and half as many each time the system refuses. `None` if it refuses even one.
    fn start(count: usize) -> Option<ThreadPool> {
        let halved = iter::successors(Some(count), |count| Some(count / 2));
        halved.take_while(|count| *count > 0).find_map(|count| {
            let pool = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK_BYTES);
            pool.thread_name(|index| format!("{HELPER_NAME}{}", index + 1)).build().ok()
        })
    }

    #[cfg(test)]
    mod tests {
        use std::collections::HashSet;
        use std::thread;

        use super::*;

        #[test]
        fn helpers_are_the_same_threads_from_search_to_search() {
            let threads = |count| -> HashSet<_> {
                let barrier = std::sync::Barrier::new(count + 1);
                let meet = || {
                    barrier.wait();
                    thread::current().id()
                };
                let (own, helpers) = with_helpers(count, |_| meet(), meet);
                assert_eq!(own, thread::current().id());
                helpers.into_iter().collect()
            };
            let first = threads(3);
            assert_eq!(first.len(), 3);
            assert_eq!(threads(3), first);
            assert!(threads(2).is_subset(&first));
            assert!(threads(0).is_empty());
            assert!(threads(3).is_disjoint(&first), "they have ended when there were none");
        }
    }
}
