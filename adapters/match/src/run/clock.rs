//! A player's clock. Pure: it receives the time that each move took.

use std::time::Duration;

use crate::plan::limit::{Limit, TimeControl};

/// The clock of one player.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    limit: Limit,
    /// The time left; can be negative by up to the margin.
    left_us: i64,
    /// Moves made since time was last added.
    moves: u32,
}

/// A player has exceeded its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfTime {
    /// The time it had.
    pub(crate) allowed: Duration,
    /// The time it took.
    pub(crate) took: Duration,
}

fn micros(ms: u64) -> i64 {
    i64::try_from(ms.saturating_mul(1000)).unwrap_or(i64::MAX)
}

impl Clock {
    pub(crate) fn new(limit: Limit) -> Self {
        let left_us = limit.clock.map_or(0, |clock| micros(clock.time_ms));
        Self { limit, left_us, moves: 0 }
    }

    /// The time for the next move, without the margin; `None` if there is no limit.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        let clock = self.limit.clock.map(|_| u64::try_from(self.left_us).unwrap_or(0));
        let movetime = self.limit.movetime_ms.map(|ms| ms.saturating_mul(1000));
        clock.into_iter().chain(movetime).min().map(Duration::from_micros)
    }

    /// Subtracts the time of a move, and adds the increment and the time of a new control.
    pub(crate) fn moved(&mut self, took: Duration, margin: Duration) -> Result<(), OutOfTime> {
        if let Some(allowed) = self.allowed()
            && took > allowed.saturating_add(margin)
        {
            return Err(OutOfTime { allowed, took });
        }
        if let Some(TimeControl { moves, time_ms, inc_ms }) = self.limit.clock {
            let took = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
            // Exceeding the time within the margin is forgiven: a negative clock would shorten the next move.
            self.left_us = self.left_us.saturating_sub(took).max(0) + micros(inc_ms);
            self.moves += 1;
            if Some(self.moves) == moves {
                self.left_us = self.left_us.saturating_add(micros(time_ms));
                self.moves = 0;
            }
        }
        Ok(())
    }

    /// The time left in whole milliseconds; `None` without a clock.
    pub(crate) fn left_ms(&self) -> Option<i64> {
        self.limit.clock.map(|_| self.left_us / 1000)
    }

    pub(crate) fn inc_ms(&self) -> Option<i64> {
        let inc = self.limit.clock.map(|clock| clock.inc_ms).filter(|inc| *inc > 0)?;
        i64::try_from(inc).ok()
    }

    /// Moves until the next time control, if there is one.
    pub(crate) fn moves_to_go(&self) -> Option<u32> {
        self.limit.clock?.moves.map(|moves| moves - self.moves)
    }

    pub(crate) fn limit(&self) -> &Limit {
        &self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Duration = Duration::from_millis(10);

    fn clock(tc: &str) -> Clock {
        Clock::new(Limit { clock: Some(tc.parse().unwrap()), ..Limit::default() })
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn time_is_taken_off_and_the_increment_added() {
        let mut clock = clock("10+0.1");
        clock.moved(ms(600), MARGIN).unwrap();
        assert_eq!(clock.left_ms(), Some(9500));
        assert_eq!(clock.inc_ms(), Some(100));
        assert_eq!(clock.moves_to_go(), None);
    }

    #[test]
    fn time_is_added_at_the_time_control() {
        let mut clock = clock("2/1");
        clock.moved(ms(400), MARGIN).unwrap();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (Some(600), Some(1)));
        clock.moved(ms(400), MARGIN).unwrap();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (Some(1200), Some(2)));
    }

    #[test]
    fn the_margin_forgives_but_a_clock_never_falls_below_zero() {
        let mut clock = clock("1+0.1");
        clock.moved(ms(1010), MARGIN).unwrap();
        assert_eq!(clock.left_ms(), Some(100));
        let late = clock.moved(ms(111), MARGIN).unwrap_err();
        assert_eq!(late, OutOfTime { allowed: ms(100), took: ms(111) });
    }

    #[test]
    fn without_a_limit_of_time_nothing_is_overstepped() {
        let mut clock = Clock::new(Limit { nodes: Some(5), ..Limit::default() });
        assert_eq!(clock.allowed(), None);
        clock.moved(ms(1_000_000), MARGIN).unwrap();
        assert_eq!(clock.left_ms(), None);
    }

    #[test]
    fn movetime_and_clock_hold_together() {
        let limit = Limit { movetime_ms: Some(200), ..*clock("1").limit() };
        let mut clock = Clock::new(limit);
        assert_eq!(clock.allowed(), Some(ms(200)));
        clock.moved(ms(205), MARGIN).unwrap();
        clock.moved(ms(205), MARGIN).unwrap();
        clock.moved(ms(205), MARGIN).unwrap();
        clock.moved(ms(205), MARGIN).unwrap();
        assert_eq!(clock.allowed(), Some(ms(180)));
    }
}
