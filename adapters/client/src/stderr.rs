//! The end of an engine's standard error, which often says why the engine has died.

use std::collections::VecDeque;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::Receiver;
use leap_protocol::{Line, shown};

use super::pipes::{STDERR_PATIENCE, stderr_lines};

/// How many lines are kept.
const LINES: usize = 10;
/// How many lines from the beginning and from the end fit into a message.
const FIRST: usize = 1;
const LAST: usize = 2;

/// The last lines of an engine's standard error.
#[derive(Debug)]
pub struct StderrTail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected when everything has been read.
    end: Receiver<()>,
}

impl StderrTail {
    /// Returns a tail, and the pipe for the engine's standard error.
    pub fn start() -> io::Result<(Self, Stdio)> {
        let lines = Arc::default();
        let buffer = Arc::clone(&lines);
        let (stdio, end) = stderr_lines(move |line| {
            if let Line::Text(line) = line {
                push(&buffer, line);
            }
        })?;
        Ok((Self { lines, end }, stdio))
    }

    /// The last lines of an engine that has exited.
    pub fn lines(&self) -> Vec<String> {
        // A timeout is no error: these are the lines that have arrived.
        let _ = self.end.recv_timeout(STDERR_PATIENCE);
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// What an engine that has exited wrote, shortened for a message. Some programs begin with the cause, others end
    /// with it.
    pub fn summary(&self) -> Vec<String> {
        let lines = self.lines();
        let lines = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        let mut lines: Vec<String> = lines.map(shown).collect();
        if lines.len() > FIRST + LAST {
            lines.drain(FIRST..lines.len() - LAST);
        }
        lines
    }
}

fn push(lines: &Mutex<VecDeque<String>>, line: String) {
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.len() == LINES {
        lines.pop_front();
    }
    lines.push_back(line);
}
