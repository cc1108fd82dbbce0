//! `leap-records` as a WebAssembly module: a file goes in, its games come out as JSON, or why it has none.
//!
//! The host writes the file into the memory that `room` points to and calls `read`. The answer is in the memory that
//! `answer` points to, and `read` has returned its length. A module reads one file: its memory never shrinks.
//!
//! Exported names count as unsafe code, although nothing here can break the rules of memory: pointers are handed out,
//! never followed.
#![allow(unsafe_code)]
// Elsewhere there is nobody to export to.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]

use std::cell::RefCell;

thread_local! {
    static FILE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The longest file that is not refused for its length, in bytes.
#[unsafe(no_mangle)]
extern "C" fn longest() -> usize {
    leap_records::MAX_BYTES
}

/// Where the host writes a file of so many bytes.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    FILE.with_borrow_mut(|file| {
        file.clear();
        file.resize(bytes, 0);
        file.as_mut_ptr()
    })
}

/// Reads the file; returns the length of the answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn read() -> usize {
    let answer = leap_records::answer(&FILE.take()).unwrap_or_else(|refusal| refusal.to_json());
    let bytes = answer.len();
    ANSWER.set(answer);
    bytes
}

/// Where the answer is.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
