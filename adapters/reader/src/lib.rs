//! `leap-records` as a WebAssembly module. It reads a file and answers with its games as JSON, or why there are none.
//!
//! The host writes the file into the memory that `room` returns, and calls `read` for the length of the answer. The
//! answer is in the memory that `answer` returns. Use a new module for each file, since its memory never shrinks.
//!
//! Exported names count as unsafe code. Nothing here can break memory safety: pointers are returned, never followed.
#![allow(unsafe_code)]
// Other targets have nobody to export to.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]

use std::cell::RefCell;

thread_local! {
    static FILE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The longest file that `read` accepts, in bytes.
#[unsafe(no_mangle)]
extern "C" fn longest() -> usize {
    leap_records::MAX_BYTES
}

/// Makes room for a file of this many bytes, and returns where the host writes it.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    FILE.with_borrow_mut(|file| {
        file.clear();
        file.resize(bytes, 0);
        file.as_mut_ptr()
    })
}

/// Reads the file, and returns the length of the answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn read() -> usize {
    let answer = leap_records::answer(&FILE.take()).unwrap_or_else(|refusal| refusal.to_json());
    let bytes = answer.len();
    ANSWER.set(answer);
    bytes
}

/// The address of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
