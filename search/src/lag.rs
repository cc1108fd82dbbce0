//! How much of a clock passes outside the search: on the way to the client and back, or while the machine is busy with
//! something else. It cannot be foreseen, but moves that came late tell of those to come.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Clock;
use leap_core::{BySide, Side};

/// Measures the lag of each side's moves in one game, by what the next `go` says of the clock.
#[derive(Debug, Default)]
pub struct Lag(Mutex<BySide<Measured>>);

#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    /// What the clock shows at the next move if nothing is lost on the way.
    expected: Option<Duration>,
    /// The longest lag of late, which fades from move to move.
    lag: Duration,
}

impl Lag {
    /// Longer ones are no lag: another clock was set.
    const LONGEST: Duration = Duration::from_secs(1);
    /// What is left of an old lag after a move, as a fraction.
    const FADING: (u32, u32) = (15, 16);

    /// A side's clock runs: returns the time to keep back for lag, twice the longest measured of late and at most half
    /// of what the clock shows.
    pub fn begin(&self, side: Side, clock: Clock) -> Duration {
        self.with(side, |measured| {
            let lost = measured.expected.take().unwrap_or_default().saturating_sub(clock.time_left);
            let faded = measured.lag * Self::FADING.0 / Self::FADING.1;
            measured.lag = lost.min(Self::LONGEST).max(faded);
            (2 * measured.lag).min(clock.time_left / 2)
        })
    }

    /// The side's move is sent after the time that was planned for it.
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
        // 285 ms were expected.
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
