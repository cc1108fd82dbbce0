//! Text from an engine, parsed as a reply and as the body of one.

#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|line: &str| checks::reply(line));
