//! The interface to the host: three functions on either side.
//!
//! The host writes input into the memory that `room` points to, and calls `take`; it calls `end` when there is no more.
//! Both return 0 once the session is over. Within a call the module calls `now`, `write` and `pause`. A host that wants
//! to be heard during a job suspends the module in `pause`, calls `take` for what has come, and resumes it.
//!
//! Exported names and foreign functions count as unsafe code, although nothing here can break the rules of memory:
//! pointers are handed out, never followed.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some fixed moment.
    safe fn now() -> f64;
    /// A line, in UTF-8 and without its ending.
    safe fn write_line(start: *const u8, bytes: usize);
    /// Returns after a while.
    safe fn pause();
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns where the host writes this many bytes of input.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Takes the input that the host has written; `false` once the session is over.
#[unsafe(no_mangle)]
extern "C" fn take() -> bool {
    // `INPUT` is emptied first: a job that begins here lets further input in.
    super::take(&INPUT.take())
}

/// Ends the input; `false` if the session is over.
#[unsafe(no_mangle)]
extern "C" fn end() -> bool {
    super::end()
}

pub(super) fn time() -> Duration {
    Duration::from_secs_f64(now() / 1000.0)
}

pub(super) fn write(line: &str) {
    write_line(line.as_ptr(), line.len());
}

pub(super) fn give_way() {
    pause();
}
