//! The program `leap-tables`, driven through its command line.

mod make;
mod solve;
mod verify;

/// The path of the program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_leap-tables");
