//! The clock that a search reads.
//!
//! The standard library has a clock everywhere except in WebAssembly outside of WASI. There [`Instant::now`] would
//! panic, and the program brings a clock of its own.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use brought::{Instant, bring};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod brought {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Brings the clock: a function that returns the time since some fixed moment. Further calls change nothing.
    pub fn bring(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment by the clock that the program brought. Without a clock, time stands still.
    #[derive(Clone, Copy, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        #[must_use]
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since this moment.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }
}
