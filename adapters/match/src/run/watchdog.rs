//! Measuring how long the operating system delays this program: a thread sleeps briefly and checks how long it really
//! slept. A line from an engine may have waited as long.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long the thread sleeps.
const NAP: Duration = Duration::from_millis(5);
/// Shorter delays are ignored.
const NEGLIGIBLE: Duration = Duration::from_millis(2);
/// The most delays kept: more than occur during the longest move.
const KEPT: usize = 10_000;

/// Delays, each with the time at which it ended.
#[derive(Debug, Default)]
struct Delays(Mutex<Measured>);

#[derive(Debug, Default)]
struct Measured {
    past: VecDeque<(Instant, Duration)>,
    /// When the thread fell asleep.
    asleep_since: Option<Instant>,
}

impl Delays {
    fn measured(&self) -> MutexGuard<'_, Measured> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fall_asleep(&self, at: Instant) {
        self.measured().asleep_since = Some(at);
    }

    fn wake(&self, at: Instant) {
        let mut measured = self.measured();
        let delay = delay(measured.asleep_since.take(), at);
        if delay == Duration::ZERO {
            return;
        }
        if measured.past.len() == KEPT {
            measured.past.pop_front();
        }
        measured.past.push_back((at, delay));
    }

    /// The longest delay that ended after this time. One that still lasts counts: the thread may wake after the others.
    fn longest_since(&self, moment: Instant, now: Instant) -> Duration {
        let measured = self.measured();
        let recent = measured.past.iter().rev().take_while(|(at, _)| *at >= moment);
        let past = recent.map(|(_, delay)| *delay).max().unwrap_or_default();
        past.max(delay(measured.asleep_since, now))
    }
}

/// How much longer than intended the thread has slept. Short delays are ignored.
fn delay(asleep_since: Option<Instant>, now: Instant) -> Duration {
    let asleep = asleep_since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
    Some(asleep.saturating_sub(NAP)).filter(|delay| *delay > NEGLIGIBLE).unwrap_or_default()
}

/// The running watchdog. Dropping it stops the thread.
#[derive(Debug)]
pub(crate) struct Watchdog {
    delays: Arc<Delays>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub(crate) fn start() -> std::io::Result<Self> {
        let (delays, stop) = (Arc::new(Delays::default()), Arc::new(AtomicBool::new(false)));
        let (kept, stopped) = (Arc::clone(&delays), Arc::clone(&stop));
        let watch = move || {
            while !stopped.load(Ordering::Relaxed) {
                kept.fall_asleep(Instant::now());
                thread::sleep(NAP);
                kept.wake(Instant::now());
            }
        };
        let thread = thread::Builder::new().name("watchdog".to_owned()).spawn(watch)?;
        Ok(Self { delays, stop, thread: Some(thread) })
    }

    /// The longest delay that ended after this time.
    pub(crate) fn longest_since(&self, moment: Instant) -> Duration {
        self.delays.longest_since(moment, Instant::now())
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread has nothing to report.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_delay_since_a_moment_is_found() {
        let delays = Delays::default();
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        for (asleep, awake) in [(0, 55), (60, 70), (80, 94), (100, 106)] {
            delays.fall_asleep(at(asleep));
            delays.wake(at(awake));
        }
        let longest = |since, now| delays.longest_since(at(since), at(now)).as_millis();
        assert_eq!(longest(60, 120), 9);
        assert_eq!(longest(0, 120), 50);
        assert_eq!(longest(95, 120), 0, "a short one is ignored");
        delays.fall_asleep(at(120));
        assert_eq!(longest(110, 3125), 3000, "it still lasts");
    }
}
