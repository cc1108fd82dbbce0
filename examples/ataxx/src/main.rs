//! An engine for Ataxx.

mod evaluation;
mod rules;

fn main() -> std::process::ExitCode {
    leapd::main(&[leapd::game::<rules::Ataxx>()])
}
