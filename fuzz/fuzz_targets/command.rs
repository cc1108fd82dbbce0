//! Bytes from a client, split into lines and parsed as commands.

#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::commands(input));
