//! The time manager of a worker.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::busy::Busy;
use super::control::{Control, Shared, Stopped};
use super::limits::{Budget, Limits};

/// Counts a worker's nodes, and stops the worker at its limits.
///
/// The clock is read only if it bounds the search. A search bounded by depth or nodes is therefore reproducible.
#[derive(Debug)]
pub(crate) struct TimeManager<'a> {
    control: &'a Control,
    shared: &'a Shared,
    is_helper: bool,
    /// The nodes that this worker has visited.
    nodes: u64,
    /// The nodes already added to [`Shared::helper_nodes`].
    reported_nodes: u64,
    node_limit: u64,
    /// The work since the last check.
    work: u32,
    budget: Option<Budget>,
    ponder: bool,
}

/// The work between two checks of clock and stop flag. A visited node counts as 1.
const WORK_BETWEEN_CHECKS: u32 = 1024;
/// The number of moves whose generation and ordering costs as much as visiting a node.
const MOVES_PER_WORK: usize = 8;

impl<'a> TimeManager<'a> {
    /// The time manager of the main worker.
    pub(crate) fn new<M>(control: &'a Control, shared: &'a Shared, limits: &Limits<M>) -> Self {
        let node_limit = limits.nodes.filter(|_| !limits.infinite).unwrap_or(u64::MAX);
        TimeManager {
            node_limit: node_limit.max(1),
            budget: limits.budget(),
            ponder: limits.ponder,
            is_helper: false,
            ..TimeManager::helper(control, shared)
        }
    }

    /// The time manager of a helper, which runs until the main worker has finished.
    pub(super) const fn helper(control: &'a Control, shared: &'a Shared) -> Self {
        TimeManager {
            control,
            shared,
            is_helper: true,
            nodes: 0,
            reported_nodes: 0,
            node_limit: u64::MAX,
            work: 0,
            budget: None,
            ponder: false,
        }
    }

    /// The positions that the workers are in. `None` for one worker.
    pub(super) const fn busy(&self) -> Option<&'a Busy> {
        self.shared.busy.as_ref()
    }

    /// The nodes that all workers have visited.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.saturating_add(self.shared.helper_nodes.load(Ordering::Relaxed))
    }

    /// Counts a node, unless the search must end before it.
    #[inline]
    pub(crate) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.count_work(0)
    }

    /// Counts the work of a position with this many moves, unless the search must end.
    #[inline]
    pub(crate) fn count_work(&mut self, moves: usize) -> Result<(), Stopped> {
        self.generated(moves);
        self.work += 1;
        if self.work >= WORK_BETWEEN_CHECKS { self.check() } else { Ok(()) }
    }

    /// Counts the work of generated moves.
    #[inline]
    pub(super) fn generated(&mut self, moves: usize) {
        self.work += (moves / MOVES_PER_WORK) as u32;
    }

    /// Counts a position that tables have answered for.
    pub(super) fn probed(&mut self) {
        self.shared.tbhits.fetch_add(1, Ordering::Relaxed);
    }

    /// The positions that tables have answered for, in all workers.
    pub(super) fn tbhits(&self) -> u64 {
        self.shared.tbhits.load(Ordering::Relaxed)
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.work = 0;
        if self.is_helper {
            let new = self.nodes - std::mem::replace(&mut self.reported_nodes, self.nodes);
            self.shared.helper_nodes.fetch_add(new, Ordering::Relaxed);
        }
        let is_late = self.is_past(|budget| budget.hard);
        if self.is_stopped() || is_late { Err(Stopped) } else { Ok(()) }
    }

    fn is_stopped(&self) -> bool {
        self.control.stop.is_raised()
            || self.shared.finished.is_raised()
            || (!self.is_helper && self.total_nodes() >= self.node_limit)
    }

    /// Whether it is too late for another iteration. `percent` is the share of its time that the search should take.
    pub(crate) fn is_late(&self, percent: u32) -> bool {
        self.is_stopped() || self.is_past(|budget| budget.soft_at(percent))
    }

    /// Whether the engine's clock is running, so that unused time is saved.
    pub(crate) fn is_on_the_clock(&self) -> bool {
        self.budget.is_some() && self.clock_start().is_some()
    }

    fn is_past(&self, point: impl Fn(Budget) -> Duration) -> bool {
        let (Some(budget), Some(start)) = (self.budget, self.clock_start()) else { return false };
        self.control.elapsed() >= start.saturating_add(point(budget))
    }

    fn clock_start(&self) -> Option<Duration> {
        if self.ponder { self.control.ponderhit_at() } else { Some(Duration::ZERO) }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }
}
