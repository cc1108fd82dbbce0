//! Learns the evaluation of Ataxx.

fn main() -> std::process::ExitCode {
    leap_train::main(&[leap_train::learned::<ataxx::rules::Ataxx>()])
}
