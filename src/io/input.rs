//! The reader: a thread that sends the lines of the input to the session.
//!
//! It reads ahead while the session waits for the client, because `quit` must be heard then too.

use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Thread};

use anyhow::Result;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use leap_protocol::{Line, LineReader};
use leap_search::clock::Instant;

/// Nothing more is read while more than this waits for the session (SPEC 3.23a).
const AHEAD_BYTES: usize = 1 << 20;

/// A line, and the moment at which it was read.
pub(super) type Timed = (Line, Instant);

/// What the reader has read.
pub(super) struct Input {
    /// The lines. The channel ends after `quit`, or with the input.
    pub(super) lines: Receiver<Timed>,
    /// Tells that `quit` has been read, while lines before it may still wait. Ends like the lines.
    pub(super) quit: Receiver<()>,
    /// The memory of the lines that wait.
    bytes: Arc<AtomicUsize>,
    reader: Thread,
}

impl Input {
    /// Starts to read.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn read(input: impl Read + Send + 'static) -> Result<Self> {
        let (to_session, lines) = unbounded();
        let (quits, quit) = bounded(1);
        let bytes = Arc::new(AtomicUsize::new(0));
        let waiting = Arc::clone(&bytes);
        let read = move || read(input, &to_session, &quits, &waiting);
        let reader = super::spawn("reader", read)?.thread().clone();
        Ok(Self { lines, quit, bytes, reader })
    }

    /// Lets the reader go on: this line waits no longer.
    pub(super) fn release(&self, line: &Line) {
        self.bytes.fetch_sub(bytes(line), Ordering::Relaxed);
        self.reader.unpark();
    }
}

/// Reads up to `quit` or the end of the input.
fn read(input: impl Read, session: &Sender<Timed>, quits: &Sender<()>, waiting: &AtomicUsize) {
    for line in LineReader::new(BufReader::new(input)) {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                log::warn!("the input ends: {error}");
                return;
            }
        };
        // The session acts on `quit`; the reader only learns that nothing follows.
        let is_quit = matches!(&line, Line::Text(text) if text.trim_matches([' ', '\t']) == "quit");
        waiting.fetch_add(bytes(&line), Ordering::Relaxed);
        if is_quit {
            let _ = quits.send(());
        }
        if session.send((line, Instant::now())).is_err() || is_quit {
            return;
        }
        while waiting.load(Ordering::Relaxed) > AHEAD_BYTES {
            thread::park();
        }
    }
}

/// The memory that a line takes while it waits, in bytes.
fn bytes(line: &Line) -> usize {
    size_of::<Timed>() + if let Line::Text(text) = line { text.capacity() } else { 0 }
}
