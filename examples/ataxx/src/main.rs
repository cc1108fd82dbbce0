//! An engine for Ataxx.

fn main() -> std::process::ExitCode {
    leapd::main(&[leapd::game::<ataxx::rules::Ataxx>()])
}
