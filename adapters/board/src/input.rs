//! Standard input of the programs that play with an engine.

use std::io;

use crossbeam_channel::{Receiver, bounded};
use leap_client::pipes;

/// The number of lines that are buffered. A client that writes more blocks.
const READ_AHEAD: usize = 256;

/// Reads standard input in its own thread, so that a search can be interrupted.
///
/// A line that is not valid text is passed on as an invalid command, for protocols that answer every line.
///
/// # Errors
/// If no thread can be started.
pub fn read_input() -> io::Result<Receiver<String>> {
    let (sender, lines) = bounded(READ_AHEAD);
    pipes::read_lines("input", io::stdin(), move |line| sender.send(pipes::text(line)).is_ok())?;
    Ok(lines)
}
