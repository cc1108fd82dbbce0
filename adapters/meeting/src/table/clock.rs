//! The clocks of a game by invitation. Times are in milliseconds since some moment in the past.

use serde::{Deserialize, Serialize};

use super::Side;

/// The longest time for a game, and the longest increment: a day.
const MOST_MS: u64 = 86_400_000;

/// The most that a clock has left, whatever the increments: a year.
const MOST_LEFT_MS: u64 = 365 * MOST_MS;

/// A time control, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Control {
    /// The time of each side for the whole game.
    pub(crate) base: u64,
    /// The time that each move adds.
    pub(crate) increment: u64,
}

impl Control {
    /// Whether the times are those of a game between people.
    pub(crate) fn is_sane(&self) -> bool {
        (1..=MOST_MS).contains(&self.base) && self.increment <= MOST_MS
    }
}

/// Two clocks, of which at most one runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clock {
    pub(super) control: Control,
    /// What p1 and p2 had left when the clock of a side was last started or stopped.
    left: [u64; 2],
    /// The side whose clock runs, and since when. A clock that is read from a file stands.
    #[serde(skip)]
    running: Option<(Side, u64)>,
}

impl Clock {
    pub(super) fn new(control: Control) -> Self {
        Self { control, left: [control.base; 2], running: None }
    }

    /// Whether the times are such as a game leads to.
    pub(super) fn is_sane(&self) -> bool {
        self.control.is_sane() && self.left.iter().all(|left| *left <= MOST_LEFT_MS)
    }

    /// What a side has left; zero if its flag has fallen.
    pub(super) fn left(&self, side: Side, now: u64) -> u64 {
        let left = self.left[side as usize];
        match self.running {
            Some((running, since)) if running == side => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
    }

    pub(super) fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// Lets the clock of this side run, and stops the other.
    pub(super) fn run(&mut self, side: Option<Side>, now: u64) {
        self.left = [self.left(Side::P1, now), self.left(Side::P2, now)];
        self.running = side.map(|side| (side, now));
    }

    /// A side has moved: its clock stops. If the clock was running, it gets the increment. Returns how long it ran.
    pub(super) fn press(&mut self, side: Side, now: u64) -> Option<u64> {
        let running = self.running.filter(|(running, _)| *running == side);
        self.run(None, now);
        let (_, since) = running?;
        let left = &mut self.left[side as usize];
        *left = left.saturating_add(self.control.increment).min(MOST_LEFT_MS);
        Some(now.saturating_sub(since))
    }

    /// The side whose flag has fallen.
    pub(super) fn flag(&self, now: u64) -> Option<Side> {
        self.running().filter(|side| self.left(*side, now) == 0)
    }

    /// When the flag of the running clock falls.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.running.map(|(side, since)| since.saturating_add(self.left[side as usize]))
    }

    /// The clock as it is kept: what is left now, and nothing runs.
    pub(super) fn at_rest(&self, now: u64) -> Self {
        let mut clock = self.clone();
        clock.run(None, now);
        clock
    }
}
