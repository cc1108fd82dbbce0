//! The `leapd` command, for a package that holds both programs.

use std::process::ExitCode;

fn main() -> ExitCode {
    leapd::main(&leapd::GAMES)
}
