//! Running a match: a scheduler gives games to workers, each of which has a referee and two players.

mod adjudicate;
mod affinity;
mod bundle;
mod clock;
mod drain;
mod engine;
mod game;
pub(super) mod preflight;
mod referee;
pub(super) mod scheduler;
mod setup;
mod stderr;
mod watchdog;
mod wire;
mod worker;

pub(super) use clock::Clock;
pub use drain::watch as watch_for_drain;
pub(super) use watchdog::Watchdog;
pub(super) use worker::Shared;
