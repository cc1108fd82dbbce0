//! An engine for Breakthrough.

mod evaluation;
mod rules;

fn main() -> std::process::ExitCode {
    leapd::main(&[leapd::game::<rules::Breakthrough>()])
}
