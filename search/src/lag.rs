//! The time on a clock that passes outside the search: on the way to the client and back, or on a busy machine.
//!
//! Lag cannot be predicted, but the lag of past moves shows what to expect.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Clock;
use leap_core::{BySide, Side};

/// Measures the lag of each side's moves in one game, by the clock of the next `go`.
#[derive(Debug, Default)]
pub struct Lag(Mutex<BySide<Measured>>);

#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    /// The time that the clock shows at the next move if there is no lag.
    expected: Option<Duration>,
    /// The longest recent lag, which fades from move to move.
    lag: Duration,
}

impl Lag {
    /// The longest lag. A larger difference means that another clock was set.
    const LONGEST: Duration = Duration::from_secs(1);
    /// The fraction of an old lag that is left after a move.
    const FADING: (u32, u32) = (15, 16);

    /// Notes that a side's clock runs, and returns the time to keep back for lag.
    ///
    /// The time is twice the longest recent lag, and at most half of the time on the clock.
    pub fn begin(&self, side: Side, clock: Clock) -> Duration {
        self.with(side, |measured| {
            let lost = measured.expected.take().unwrap_or_default().saturating_sub(clock.time_left);
            let faded = measured.lag * Self::FADING.0 / Self::FADING.1;
            measured.lag = lost.min(Self::LONGEST).max(faded);
            (2 * measured.lag).min(clock.time_left / 2)
        })
    }

    /// Notes that the side's move is sent after the time that was planned for it.
    pub fn end(&self, side: Side, clock: Clock, planned: Duration) {
        let left = clock.time_left.saturating_sub(planned);
        let expected = left.saturating_add(clock.increment);
        self.with(side, |measured| measured.expected = Some(expected));
    }

    fn with<T>(&self, side: Side, change: impl FnOnce(&mut Measured) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)[side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(time_left: u32) -> Clock {
        Clock { time_left: MS * time_left, increment: 5 * MS, moves_to_go: 25 }
    }

    #[test]
    fn time_lost_between_two_moves_is_kept_back_and_fades() {
        let lag = Lag::default();
        assert_eq!(lag.begin(Side::One, clock(300)), Duration::ZERO);
        lag.end(Side::One, clock(300), 20 * MS);
        // The clock was expected to show 285 ms.
        assert_eq!(lag.begin(Side::One, clock(269)), 32 * MS);
        lag.end(Side::One, clock(269), 10 * MS);
        assert_eq!(lag.begin(Side::One, clock(264)), 30 * MS, "nothing more was lost");
        assert_eq!(lag.begin(Side::Two, clock(264)), Duration::ZERO, "each side has its own");
    }

    #[test]
    fn half_of_the_clock_is_left_to_the_search() {
        let lag = Lag::default();
        lag.end(Side::One, clock(300), MS);
        assert_eq!(lag.begin(Side::One, clock(100)), 50 * MS);
    }

    #[test]
    fn another_clock_is_no_lag_for_long() {
        let lag = Lag::default();
        lag.end(Side::One, clock(600_000), MS);
        assert_eq!(lag.begin(Side::One, clock(60_000)), 2_000 * MS);
        lag.end(Side::One, clock(60_000), MS);
        assert_eq!(lag.begin(Side::One, clock(600_000)), 1_875 * MS);
    }
}
