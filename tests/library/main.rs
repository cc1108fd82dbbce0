//! What the crates of the engine promise, without a process. A single program: it is linked once.

#![allow(clippy::print_stdout, reason = "slow tests say what they saw")]

mod agreement;
mod ask;
mod bench;
mod endings;
mod exhaustive;
mod fuzzed;
mod guide;
mod mates;
mod openings;
mod players;
mod problems;
mod reference;
mod spec;
mod strength;
