//! The engine without an operating system: sessions, options, the clock, and what it says of a turn.

mod agent;
mod harness;
mod limits;
mod session;
#[cfg(feature = "tune")]
mod tune;
mod turn;
