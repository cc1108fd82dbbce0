//! The end of what an engine writes to standard error: it often says why the engine has died.

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use leap_protocol::{Line, LineReader};

/// How many lines are kept.
const LINES: usize = 10;

/// The last lines of an engine's standard error.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    /// A tail, and what to give to the engine as its standard error.
    pub(super) fn start() -> io::Result<(Tail, Stdio)> {
        let (reader, writer) = io::pipe()?;
        let tail = Tail::default();
        let kept = tail.clone();
        let read = move || {
            for line in LineReader::new(BufReader::new(reader)).map_while(Result::ok) {
                if let Line::Text(line) = line {
                    kept.push(line);
                }
            }
        };
        thread::Builder::new().name("engine-stderr".to_owned()).spawn(read)?;
        Ok((tail, Stdio::from(writer)))
    }

    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// The lines so far.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
