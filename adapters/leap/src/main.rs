//! The `leap` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    leap_adapters::cli::main()
}
