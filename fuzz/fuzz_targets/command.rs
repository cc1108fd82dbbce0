//! Bytes from a client. They are split into lines. Each line is parsed as a command, printed and parsed again.

#![no_main]

use leap_protocol::{Command, Line, LineSplitter};
use libfuzzer_sys::fuzz_target;

/// Small, so that the fuzzer finds the limit.
const LIMIT: usize = 256;

fuzz_target!(|bytes: &[u8]| {
    let mut splitter = LineSplitter::with_limit(LIMIT);
    let mut input = bytes;
    while let Some(line) = splitter.next_line(&mut input) {
        check(line);
    }
    if let Some(line) = splitter.finish() {
        check(line);
    }
});

fn check(line: Line) {
    let Line::Text(text) = line else { return };
    assert!(text.len() <= LIMIT);
    match Command::parse(&text) {
        Ok(None) => {}
        Ok(Some(command)) => {
            let printed = command.to_string();
            // A carriage return inside a value prints as a space. Everything else is kept.
            if !text.contains('\r') {
                assert_eq!(Command::parse(&printed), Ok(Some(command)), "{printed:?}");
            }
        }
        Err(error) => {
            let column = error.column.unwrap_or(1);
            assert!((1..=text.chars().count() + 1).contains(&column));
            assert!(!error.to_string().contains(['\n', '\r']));
        }
    }
}
