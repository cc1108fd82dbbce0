//! Measuring how long the operating system delays this program: a thread sleeps briefly and checks how long it really
//! slept. A line from an engine may have waited as long.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
struct Delays(Mutex<VecDeque<(Instant, Duration)>>);

impl Delays {
    fn add(&self, at: Instant, delay: Duration) {
        let mut delays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if delays.len() == KEPT {
            delays.pop_front();
        }
        delays.push_back((at, delay));
    }

    fn longest_since(&self, moment: Instant) -> Duration {
        let delays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = delays.iter().rev().take_while(|(at, _)| *at >= moment);
        recent.map(|(_, delay)| *delay).max().unwrap_or_default()
    }
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
                let begun = Instant::now();
                thread::sleep(NAP);
                let delay = begun.elapsed().saturating_sub(NAP);
                if delay > NEGLIGIBLE {
                    kept.add(Instant::now(), delay);
                }
            }
        };
        let thread = thread::Builder::new().name("watchdog".to_owned()).spawn(watch)?;
        Ok(Self { delays, stop, thread: Some(thread) })
    }

    /// The longest delay that ended after this time.
    pub(crate) fn longest_since(&self, moment: Instant) -> Duration {
        self.delays.longest_since(moment)
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
        for (ms, delay) in [(10, 50), (20, 5), (30, 9)] {
            delays.add(at(ms), Duration::from_millis(delay));
        }
        assert_eq!(delays.longest_since(at(15)), Duration::from_millis(9));
        assert_eq!(delays.longest_since(at(0)), Duration::from_millis(50));
        assert_eq!(delays.longest_since(at(31)), Duration::ZERO);
    }
}
