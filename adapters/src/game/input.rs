//! What is said on standard input by the programs that have an engine of ours.

use std::io::{self, BufReader};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use leap_protocol::{Line, LineReader};

/// Lines that are read ahead; whoever writes more has to wait.
const READ_AHEAD: usize = 256;

/// Reads standard input in a thread of its own, so that a search can be interrupted. What is no text is passed on as a line
/// that is no command, for those who answer each.
///
/// # Errors
/// There is no thread to be had.
pub(crate) fn read_input() -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(READ_AHEAD);
    let read = move || {
        for line in LineReader::new(BufReader::new(io::stdin())).map_while(Result::ok) {
            let text = match line {
                Line::Text(text) => text,
                Line::TooLong => "(a line that is too long)".to_owned(),
                Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
            };
            if sender.send(text).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(lines)
}
