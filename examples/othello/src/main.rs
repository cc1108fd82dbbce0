//! An engine for Othello.

mod evaluation;
mod rules;

fn main() -> std::process::ExitCode {
    leapd::main(&[leapd::game::<rules::Othello>()])
}
