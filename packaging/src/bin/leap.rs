//! The `leap` command, for a package that holds both programs.

use std::process::ExitCode;

fn main() -> ExitCode {
    leap_adapters::cli::main()
}
