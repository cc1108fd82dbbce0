//! An engine for Breakthrough.

mod rules;

fn main() -> std::process::ExitCode {
    leapd::main(&[leapd::game::<rules::Breakthrough>()])
}
