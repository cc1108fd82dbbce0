//! What counts: the batches in the order of their numbers, up to the one that decides the test. Pure.
//!
//! A batch counts only when all batches before it count. The decision is that of one runner that plays the batches in
//! order. It depends neither on who plays which batch, nor on how long a batch takes.

use std::collections::BTreeMap;

use crate::events::StopReason;
use crate::events::games::Finished;
use crate::results::tally::Tally;
use crate::stats::sprt::{Decision, Sprt};

/// The games of a batch, by number.
pub(super) type Games = BTreeMap<u64, Finished>;

/// The batches that count so far.
#[derive(Debug)]
pub(super) struct Ledger {
    test: Option<Sprt>,
    /// The number of batches of the plan.
    batches: u64,
    /// Batches that wait for an earlier one.
    waiting: BTreeMap<u64, Games>,
    tally: Tally,
    /// Batches that count: those with numbers from 1 to this one.
    counted: u64,
    end: Option<StopReason>,
}

impl Ledger {
    /// No batch yet, of a plan with this many batches, between this many engines.
    pub(super) fn new(test: Option<Sprt>, batches: u64, engines: usize) -> Self {
        let (waiting, tally) = (BTreeMap::new(), Tally::new(engines));
        Self { test, batches, waiting, tally, counted: 0, end: None }
    }

    /// Adds a finished batch, and counts those that need not wait any more.
    pub(super) fn add(&mut self, batch: u64, games: Games) {
        if self.is_open(batch) {
            self.waiting.insert(batch, games);
        }
        while self.end.is_none()
            && let Some(games) = self.waiting.remove(&(self.counted + 1))
        {
            for (number, game) in games {
                self.tally.finish(number, game);
            }
            self.counted += 1;
            self.end = self.verdict();
        }
    }

    /// The games that count.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The decision of the test, if there is one.
    pub(super) fn decision(&self) -> Option<Decision> {
        let results = self.tally.ratings().results.first()?;
        results.sprt(self.test.as_ref()?).decision
    }

    fn verdict(&self) -> Option<StopReason> {
        match self.decision() {
            Some(_) => Some(StopReason::Sprt),
            None => (self.counted == self.batches).then_some(StopReason::Complete),
        }
    }

    /// How many batches are finished, those that do not count yet included.
    pub(super) fn finished(&self) -> u64 {
        self.counted + self.waiting.len() as u64
    }

    /// How many batches count.
    pub(super) fn counted(&self) -> u64 {
        self.counted
    }

    /// Why no further batch counts.
    pub(super) fn end(&self) -> Option<StopReason> {
        self.end
    }

    /// Whether the batch is of the plan, not finished, and still needed.
    pub(super) fn is_open(&self, batch: u64) -> bool {
        let due = self.counted + 1..=self.last();
        due.contains(&batch) && !self.waiting.contains_key(&batch)
    }

    /// The batches that are [open](Ledger::is_open), in order.
    pub(super) fn open(&self) -> impl Iterator<Item = u64> + '_ {
        (self.counted + 1..=self.last()).filter(|batch| !self.waiting.contains_key(batch))
    }

    /// The last batch that is needed, as far as is known.
    fn last(&self) -> u64 {
        if self.end.is_some() { self.counted } else { self.batches }
    }
}
