//! What is said on standard input by the programs that have an engine of ours.

use std::io;

use crossbeam_channel::{Receiver, bounded};

use crate::client::pipes;

/// Lines that are read ahead; whoever writes more has to wait.
const READ_AHEAD: usize = 256;

/// Reads standard input in a thread of its own, so that a search can be interrupted. What is no text is passed on as a line
/// that is no command, for those who answer each.
///
/// # Errors
/// There is no thread to be had.
pub(crate) fn read_input() -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(READ_AHEAD);
    pipes::read_lines("input", io::stdin(), move |line| sender.send(pipes::text(line)).is_ok())?;
    Ok(lines)
}
