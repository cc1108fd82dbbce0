//! The end of what an engine writes to standard error: it often says why the engine has died.

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use leap_protocol::{Line, LineReader};

/// How many lines are kept.
const LINES: usize = 10;

/// How long the rest is waited for, once the engine has ended.
const PATIENCE: Duration = Duration::from_millis(500);

/// The last lines of an engine's standard error.
#[derive(Debug)]
pub(super) struct Tail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected when all has been read.
    end: Receiver<()>,
}

impl Tail {
    /// A tail, and what to give to the engine as its standard error.
    pub(super) fn start() -> io::Result<(Tail, Stdio)> {
        let (reader, writer) = io::pipe()?;
        let (reading, end) = bounded(0);
        let tail = Tail { lines: Arc::default(), end };
        let kept = Arc::clone(&tail.lines);
        let read = move || {
            // Dropped at the end.
            let _reading: Sender<()> = reading;
            for line in LineReader::new(BufReader::new(reader)).map_while(Result::ok) {
                if let Line::Text(line) = line {
                    push(&kept, line);
                }
            }
        };
        thread::Builder::new().name("engine-stderr".to_owned()).spawn(read)?;
        Ok((tail, Stdio::from(writer)))
    }

    /// The last lines of an engine that has ended.
    pub(super) fn lines(&self) -> Vec<String> {
        // Whether all has been read or not: this is what there is.
        let _ = self.end.recv_timeout(PATIENCE);
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

fn push(lines: &Mutex<VecDeque<String>>, line: String) {
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() == LINES {
        lines.pop_front();
    }
    lines.push_back(line);
}
