//! Who plays what, as one runner knows it: the newest claim of each batch, and which runners are lost. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// A runner has claimed a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// 1, or more if earlier claims of the batch were lost.
    pub(super) attempt: u32,
    /// The name of the runner.
    pub(super) runner: String,
}

/// A batch is played anew if each runner has finished this many others meanwhile, on average. Otherwise a runner that
/// hardly gets any time would hold up the decision. The number is so large that it depends on the machine, not on how
/// the games of a batch end.
const MOST_MEANWHILE: u64 = 16;

/// The newest claim of each batch that is not finished, and how many batches were finished when it was seen first.
#[derive(Debug, Default)]
pub(super) struct Claims(BTreeMap<u64, (Claim, u64)>);

impl Claims {
    /// Adds a claim, seen when this many batches are finished. An older one than the one that is known changes nothing.
    pub(super) fn note(&mut self, batch: u64, claim: Claim, finished: u64) {
        if self.attempt(batch) < claim.attempt {
            self.0.insert(batch, (claim, finished));
        }
    }

    /// Forgets a batch that is finished.
    pub(super) fn forget(&mut self, batch: u64) {
        self.0.remove(&batch);
    }

    /// The newest attempt at the batch; 0 if nobody has claimed it.
    pub(super) fn attempt(&self, batch: u64) -> u32 {
        self.0.get(&batch).map_or(0, |(claim, _)| claim.attempt)
    }

    /// The runners that have claims.
    pub(super) fn runners(&self) -> BTreeSet<&str> {
        self.0.values().map(|(claim, _)| claim.runner.as_str()).collect()
    }

    /// The first of these batches that nobody plays, or too slowly, and the number of the attempt. This many batches are
    /// finished.
    pub(super) fn next(
        &self,
        mut open: impl Iterator<Item = u64>,
        is_lost: impl Fn(&str) -> bool,
        finished: u64,
    ) -> Option<(u64, u32)> {
        let most = MOST_MEANWHILE * self.0.len() as u64;
        let is_free = |batch: &u64| {
            self.0.get(batch).is_none_or(|(claim, before)| {
                finished.saturating_sub(*before) >= most || is_lost(&claim.runner)
            })
        };
        open.find(is_free).map(|batch| (batch, self.attempt(batch) + 1))
    }
}

/// What can be seen of a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pulse {
    /// The runner has left, or is known to be dead.
    Gone,
    /// The runner's last heartbeat.
    Beat(String),
}

/// Tells runners that are lost by their silence. No clocks of different machines are compared: a runner is lost if it
/// was seen for the whole timeout without a new heartbeat.
#[derive(Debug)]
pub(super) struct Watch {
    timeout: Duration,
    /// The last new heartbeat of each runner, and when it was seen.
    seen: HashMap<String, (String, Duration)>,
    lost: BTreeSet<String>,
}

impl Watch {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout, seen: HashMap::new(), lost: BTreeSet::new() }
    }

    /// Adds what is seen of a runner at this time, counted from any fixed moment.
    pub(super) fn see(&mut self, runner: &str, pulse: Pulse, now: Duration) {
        let is_lost = match pulse {
            Pulse::Gone => true,
            Pulse::Beat(beat) => match self.seen.get(runner) {
                Some((last, since)) if *last == beat => now.saturating_sub(*since) >= self.timeout,
                _ => {
                    self.seen.insert(runner.to_owned(), (beat, now));
                    false
                }
            },
        };
        if is_lost {
            self.lost.insert(runner.to_owned());
        } else {
            self.lost.remove(runner);
        }
    }

    pub(super) fn is_lost(&self, runner: &str) -> bool {
        self.lost.contains(runner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(attempt: u32, runner: &str) -> Claim {
        Claim { attempt, runner: runner.to_owned() }
    }

    #[test]
    fn the_first_batch_that_nobody_plays_is_next() {
        let mut claims = Claims::default();
        claims.note(1, claim(1, "a"), 0);
        claims.note(2, claim(2, "b"), 0);
        claims.note(2, claim(1, "a"), 0);
        assert_eq!(claims.next(1..=4, |_| false, 0), Some((3, 1)));
        assert_eq!(claims.next(1..=4, |runner| runner == "b", 0), Some((2, 3)));
        assert_eq!(claims.next(1..=2, |_| false, 0), None);
        assert_eq!(claims.attempt(2), 2, "an older claim changes nothing");
        claims.forget(2);
        assert_eq!(claims.runners(), BTreeSet::from(["a"]));
    }

    #[test]
    fn a_batch_that_holds_up_all_others_is_played_anew_once() {
        let mut claims = Claims::default();
        claims.note(1, claim(1, "slow"), 0);
        claims.note(40, claim(1, "fast"), 30);
        assert_eq!(claims.next(1..=50, |_| false, 31), Some((2, 1)));
        assert_eq!(claims.next(1..=50, |_| false, 32), Some((1, 2)));
        claims.note(1, claim(2, "fast"), 32);
        assert_eq!(claims.next(1..=50, |_| false, 33), Some((2, 1)));
    }

    #[test]
    fn a_silent_runner_is_lost_after_the_timeout_and_found_again_by_a_heartbeat() {
        let second = Duration::from_secs;
        let beat = |text: &str| Pulse::Beat(text.to_owned());
        let mut watch = Watch::new(second(10));
        watch.see("a", beat("1"), second(100));
        watch.see("a", beat("1"), second(109));
        assert!(!watch.is_lost("a"));
        watch.see("a", beat("2"), second(111));
        assert!(!watch.is_lost("a"), "the timeout begins anew with each heartbeat");
        watch.see("a", beat("2"), second(121));
        assert!(watch.is_lost("a"));
        watch.see("a", beat("3"), second(122));
        assert!(!watch.is_lost("a"));
        watch.see("a", Pulse::Gone, second(122));
        assert!(watch.is_lost("a"));
    }
}
