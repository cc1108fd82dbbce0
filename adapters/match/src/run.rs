//! Running a match: a scheduler gives games to workers, each of which has a referee and two players.

mod adjudicate;
mod affinity;
pub(super) mod batch;
mod bundle;
mod clock;
mod drain;
mod engine;
mod game;
mod halt;
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

pub use drain::watch as watch_for_drain;
pub(super) use halt::{Abandoned, Halt};
pub(super) use watchdog::Watchdog;
pub(super) use worker::Shared;
