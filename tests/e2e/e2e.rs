//! The programs as people use them, each driven from outside: `cargo build && cargo test -p leap-e2e`.
//! A single program: it is linked once, and tests that wait run in parallel.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "measurements have no other output")]

mod bridges;
mod browser;
mod codes;
mod commands;
mod corpus;
mod far;
mod gogui;
mod guests;
mod guides;
mod leapd;
mod play;
mod programs;
mod python;
mod reader;
mod records;
mod served;
mod terminal;
mod wasm;
mod windows;
mod xboard;
