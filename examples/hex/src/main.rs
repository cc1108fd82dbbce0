//! An engine for Hex.

mod cells;
mod evaluation;
mod rules;

fn main() -> std::process::ExitCode {
    leapd::main(&[leapd::game::<rules::Hex>()])
}
