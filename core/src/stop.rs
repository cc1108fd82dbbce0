//! The flag that stops long work.

use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that asks long work to end.
///
/// Another thread raises the flag. Without other threads, the flag is raised while the work looks at it.
#[derive(Debug, Default)]
pub struct StopFlag {
    raised: AtomicBool,
    poll: Option<fn()>,
}

impl StopFlag {
    /// A flag for work that holds the only thread.
    ///
    /// The work calls `poll`, if there is one, whenever it looks at the flag: at least every few milliseconds.
    #[must_use]
    pub const fn polling(poll: Option<fn()>) -> Self {
        Self { raised: AtomicBool::new(false), poll }
    }

    /// Asks the work to end soon.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        if let Some(poll) = self.poll {
            poll();
        }
        self.raised.load(Ordering::Relaxed)
    }
}
