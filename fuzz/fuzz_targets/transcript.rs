//! Bytes of a file. They are parsed as a transcript, printed and parsed again. Rules are made from the transcript.

#![no_main]

use leap_transcript::Transcript;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Transcript::parse(bytes) {
        Ok(transcript) => {
            let printed = transcript.to_string();
            assert_eq!(printed.matches('\n').count(), transcript.entries.len() + 1);
            assert_eq!(
                Transcript::parse(printed.as_bytes()),
                Ok(transcript.clone()),
                "{printed:?}"
            );
            for pinned in [false, true] {
                let _ = transcript.rules(pinned);
            }
        }
        Err(error) => {
            let line = bytes.split(|byte| *byte == b'\n').nth(error.line - 1);
            let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
            assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
        }
    }
});
