//! Waiting for what another program does.

use std::sync::Mutex;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// More time than anything needs, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The polling interval.
const GLANCE: Duration = Duration::from_millis(5);

/// Looks again and again until there is a value, and returns it. An error says what was found instead.
///
/// # Panics
/// If there is none within [`PATIENCE`], with the last error.
#[track_caller]
pub fn wait_until<T>(mut look: impl FnMut() -> Result<T, String>) -> T {
    let begun = Instant::now();
    loop {
        match look() {
            Ok(found) => return found,
            Err(seen) => assert!(begun.elapsed() < PATIENCE, "{seen}"),
        }
        sleep(GLANCE);
    }
}

/// Checks each of these, several at a time: most of the time is spent waiting for other programs.
///
/// # Panics
/// If a check does.
pub fn at_once<T: Sync>(items: &[T], hold: impl Fn(&T) + Sync) {
    const AT_ONCE: usize = 8;
    let items = Mutex::new(items.iter());
    // The lock is free again while an item is checked.
    let next = || items.lock().expect("no check holds it").next();
    scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| std::iter::from_fn(next).for_each(&hold));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_comes_late_is_returned() {
        let mut looks = 0;
        let found = wait_until(|| {
            looks += 1;
            if looks < 3 { Err(format!("{looks} looks")) } else { Ok(looks) }
        });
        assert_eq!(found, 3);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn one_check_of_many_that_fails_is_a_failure() {
        at_once(&[1, 2, 3, 4, 5, 6, 7], |number| assert_ne!(*number, 7));
    }
}
