//! Running a match: a scheduler gives games to workers, each of which has a referee and two players.

mod adjudicate;
mod affinity;
pub(super) mod batch;
mod bundle;
mod cancel;
mod clock;
mod engine;
mod game;
mod graceful_stop;
pub(super) mod machine;
pub(super) mod preflight;
mod referee;
pub(super) mod scale;
pub(super) mod scheduler;
mod setup;
mod stderr;
mod watchdog;
mod wire;
mod worker;

pub(super) use cancel::{Cancel, Cancelled};
pub use graceful_stop::watch as watch_for_stop;
pub(super) use watchdog::Watchdog;
pub(super) use worker::Shared;
