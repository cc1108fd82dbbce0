//! What an engine writes to standard error.

use std::io::{self, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use leap_protocol::{Line, LineReader};

/// How long the rest is waited for, once the engine has ended.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);

/// Hands each line to `take`. What to give to the engine as its standard error, and what is disconnected once all has been
/// read.
pub(crate) fn each_line(
    mut take: impl FnMut(Line) + Send + 'static,
) -> io::Result<(Stdio, Receiver<()>)> {
    let (reader, writer) = io::pipe()?;
    let (reading, end) = bounded(0);
    let read = move || {
        // Dropped at the end.
        let _reading: Sender<()> = reading;
        LineReader::new(BufReader::new(reader)).map_while(Result::ok).for_each(&mut take);
    };
    thread::Builder::new().name("engine-stderr".to_owned()).spawn(read)?;
    Ok((Stdio::from(writer), end))
}
