//! The programs as people use them, each driven from outside. All in one program: it is linked once, and what waits runs side
//! by side.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "skipped tests say so")]

mod browser;
mod gogui;
mod play;
mod programs;
mod python;
mod terminal;
mod xboard;
