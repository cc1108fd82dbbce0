//! The control of a running search, by other threads or by the function that the search polls.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::busy::Busy;
use crate::clock::Instant;
use leap_core::StopFlag;

/// The handle that controls a running search. There is one for each search.
#[derive(Debug)]
pub struct Control {
    began: Instant,
    /// Raise this flag to end the search within a few milliseconds.
    pub stop: StopFlag,
    /// When `ponderhit` started the engine's clock, in nanoseconds since `began` plus 1. 0 if not yet.
    ponderhit_ns: AtomicU64,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// The control of a search whose time runs from now.
    #[must_use]
    pub fn new() -> Self {
        Self::since(Instant::now(), None)
    }

    /// The control of a search that was asked for at `began` and polls as [`StopFlag::polling`] says.
    #[must_use]
    pub fn since(began: Instant, poll: Option<fn()>) -> Self {
        Self { began, stop: StopFlag::polling(poll), ponderhit_ns: AtomicU64::new(0) }
    }

    /// Starts the clock, since the pondered move has been played.
    pub fn ponderhit(&self) {
        let now_ns = u64::try_from(self.elapsed().as_nanos()).unwrap_or(u64::MAX - 1);
        self.ponderhit_ns.store(now_ns + 1, Ordering::Relaxed);
    }

    /// The time since the search was asked for.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub(super) fn ponderhit_at(&self) -> Option<Duration> {
        self.ponderhit_ns.load(Ordering::Relaxed).checked_sub(1).map(Duration::from_nanos)
    }
}

/// The search was stopped, or has used up its nodes or its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// What the workers of one search share, besides the table.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Raised when the first worker has finished. The helpers then end too.
    pub(super) finished: StopFlag,
    /// The nodes that the helpers had visited at their last check.
    pub(super) helper_nodes: AtomicU64,
    /// The positions that tables have answered for.
    pub(super) tbhits: AtomicU64,
    /// The positions that the workers are in. `None` for one worker.
    pub(super) busy: Option<Busy>,
}
