//! How long the operating system holds this program up: a thread that sleeps for a moment, and looks how long it has
//! really slept. What it oversleeps, a line of an engine may have waited too.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long it sleeps.
const NAP: Duration = Duration::from_millis(5);
/// Delays below this are not kept: they are as good as none.
const NEGLIGIBLE: Duration = Duration::from_millis(2);
/// Delays that are kept: more than come up in the longest move.
const KEPT: usize = 10_000;

/// Delays, each with the moment at which it was over.
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

/// The running watchdog. Dropped, it stops.
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

    /// The longest delay that was over since the moment.
    pub(crate) fn longest_since(&self, moment: Instant) -> Duration {
        self.delays.longest_since(moment)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It has nothing to tell.
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
