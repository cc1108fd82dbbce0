//! The strings by which others hold a running search, and its own look at clock and counters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::{Budget, Limits};
use crate::rules::Cancel;

/// What other threads may tell a search while it runs; one for each search.
#[derive(Debug)]
pub struct Control {
    began: Instant,
    /// Raise it to end the search within a few milliseconds.
    pub stop: Cancel,
    /// When the clock began to run for us, in nanoseconds since `began` and 1 more; 0: not yet.
    ponderhit_ns: AtomicU64,
}

impl Default for Control {
    fn default() -> Self {
        Control::new()
    }
}

impl Control {
    /// The control of a search whose time runs from now.
    #[must_use]
    pub fn new() -> Control {
        Control { began: Instant::now(), stop: Cancel::default(), ponderhit_ns: AtomicU64::new(0) }
    }

    /// The move that was pondered on has been played: the clock runs from now.
    pub fn ponderhit(&self) {
        let now_ns = u64::try_from(self.elapsed().as_nanos()).unwrap_or(u64::MAX - 1);
        self.ponderhit_ns.store(now_ns + 1, Ordering::Relaxed);
    }

    /// Time since the search was asked for.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn ponderhit_at(&self) -> Option<Duration> {
        self.ponderhit_ns.load(Ordering::Relaxed).checked_sub(1).map(Duration::from_nanos)
    }
}

/// The search was stopped, or has used up its nodes or its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Counts what a worker does and ends it in time. The clock is read only where it bounds the search, so that a search
/// bounded by depth or nodes is reproducible.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    control: &'a Control,
    /// Nodes visited.
    pub(super) nodes: u64,
    node_limit: u64,
    /// What was done since the last look.
    work: u32,
    budget: Option<Budget>,
    ponder: bool,
    /// Whether the time of the search may be cut: not before the first iteration has given a move.
    pub(super) has_answer: bool,
}

/// A look is taken after as much work as this; visiting a node is 1.
const WORK_BETWEEN_LOOKS: u32 = 1024;
/// Generating and ordering this many moves is as much work as visiting a node.
const MOVES_PER_WORK: usize = 8;

impl<'a> Watch<'a> {
    pub(super) fn new<M>(control: &'a Control, limits: &Limits<M>) -> Watch<'a> {
        Watch {
            control,
            nodes: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            work: 0,
            budget: limits.budget(),
            ponder: limits.ponder,
            has_answer: false,
        }
    }

    /// Counts a node, unless the search has to end before it.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.work += 1;
        if self.work >= WORK_BETWEEN_LOOKS { self.look() } else { Ok(()) }
    }

    /// Counts moves that were generated.
    #[inline]
    pub(super) fn generated(&mut self, moves: usize) {
        self.work += (moves / MOVES_PER_WORK) as u32;
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.work = 0;
        if self.control.stop.is_raised() || (self.has_answer && self.is_past(|budget| budget.hard))
        {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Whether it is too late to begin another iteration.
    pub(super) fn is_late(&self) -> bool {
        self.control.stop.is_raised()
            || self.nodes >= self.node_limit
            || self.is_past(|budget| budget.soft)
    }

    /// Whether a clock of ours is running, so that time not used is time won.
    pub(super) fn is_on_the_clock(&self) -> bool {
        self.budget.is_some() && self.clock_start().is_some()
    }

    fn is_past(&self, point: impl Fn(Budget) -> Duration) -> bool {
        let (Some(budget), Some(start)) = (self.budget, self.clock_start()) else { return false };
        self.control.elapsed() >= start.saturating_add(point(budget))
    }

    fn clock_start(&self) -> Option<Duration> {
        if self.ponder { self.control.ponderhit_at() } else { Some(Duration::ZERO) }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }
}
