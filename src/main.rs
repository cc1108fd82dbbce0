//! The `leapd` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    leapd::main(&leapd::GAMES)
}
