//! How much a connection of a guest may send.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// An amount that comes back with time.
#[derive(Debug)]
struct Budget {
    burst: f64,
    each_second: f64,
    left: f64,
    since: Instant,
}

impl Budget {
    fn new(burst: f64, each_second: f64) -> Self {
        Self { burst, each_second, left: burst, since: Instant::now() }
    }

    /// The seconds for which an engine works for one connection.
    fn of_work() -> Self {
        Self::new(10.0, 0.25)
    }

    /// Takes this amount. Returns how long the sender has to wait for it.
    fn take(&mut self, amount: f64, now: Instant) -> Duration {
        let gained = (now - self.since).as_secs_f64() * self.each_second;
        self.left = (self.left + gained).min(self.burst) - amount;
        self.since = now;
        Duration::from_secs_f64((-self.left / self.each_second).max(0.0))
    }
}

/// The messages and the bytes that a connection may send: so many in a burst, and so many each second.
#[derive(Debug)]
pub(super) struct Allowance {
    messages: Budget,
    bytes: Budget,
    /// Seconds of work.
    work: Budget,
}

impl Allowance {
    /// What a page needs for its game by invitation.
    pub(super) fn of_messages() -> Self {
        let kib = 1024.0;
        let bytes = Budget::new(64.0 * kib, 16.0 * kib);
        Self { messages: Budget::new(60.0, 20.0), bytes, work: Budget::of_work() }
    }

    /// What a page needs to ask about the rules. Each question after a long game repeats all of its moves.
    pub(super) fn of_lines() -> Self {
        let kib = 1024.0;
        let bytes = Budget::new(1024.0 * kib, 256.0 * kib);
        Self { messages: Budget::new(600.0, 200.0), bytes, work: Budget::of_work() }
    }

    /// Counts a message. Waits if there was too much; the sender has to wait too.
    pub(super) async fn spend(&mut self, bytes: usize) {
        let now = Instant::now();
        let wait = self.messages.take(1.0, now).max(self.bytes.take(bytes as f64, now));
        if !wait.is_zero() {
            sleep(wait).await;
        }
    }

    /// Counts the time for which the engine has worked. Waits if that was too much.
    pub(super) async fn spend_work(&mut self, took: Duration) {
        let wait = self.work.take(took.as_secs_f64(), Instant::now());
        if !wait.is_zero() {
            sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_burst_is_free_and_what_is_more_waits_for_its_share() {
        let now = Instant::now();
        let mut budget = Budget { since: now, ..Budget::new(60.0, 20.0) };
        assert_eq!(budget.take(60.0, now), Duration::ZERO);
        assert_eq!(budget.take(20.0, now), SECOND);
        // After the wait nothing is left, and nothing is owed.
        assert_eq!(budget.take(0.0, now + SECOND), Duration::ZERO);
        assert_eq!(budget.take(10.0, now + SECOND), SECOND / 2);
    }

    #[test]
    fn no_more_than_a_burst_is_saved() {
        let now = Instant::now();
        let mut budget = Budget { since: now, ..Budget::new(60.0, 20.0) };
        assert_eq!(budget.take(80.0, now + 3600 * SECOND), SECOND);
    }

    #[test]
    fn a_guest_who_asks_for_much_work_gets_a_quarter_of_the_time() {
        let now = Instant::now();
        let mut allowance = Allowance::of_lines();
        allowance.work.since = now;
        assert_eq!(allowance.work.take(10.0, now), Duration::ZERO);
        assert_eq!(allowance.work.take(1.0, now), 4 * SECOND);
    }

    #[test]
    fn the_largest_message_is_held_back_by_its_bytes_and_small_ones_by_their_number() {
        let now = Instant::now();
        let mut allowance = Allowance::of_messages();
        let mut waits = [Duration::ZERO; 2];
        for _ in 0..8 {
            waits = [allowance.messages.take(1.0, now), allowance.bytes.take(16384.0, now)];
        }
        assert_eq!(waits[0], Duration::ZERO);
        assert!(waits[1] > 3 * SECOND, "{waits:?}");
    }
}
