//! Threads that read and write the pipes of an engine, so that nobody waits for it without a deadline.

use std::io::{self, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use leap_protocol::{Line, LineReader};

/// How long the rest of standard error is waited for, once the engine has ended.
pub(crate) const STDERR_PATIENCE: Duration = Duration::from_millis(500);

/// Hands lines to `take`, in a thread of this name, until there are no more or it returns false.
pub(crate) fn read_lines(
    name: &str,
    from: impl Read + Send + 'static,
    mut take: impl FnMut(Line) -> bool + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        LineReader::new(BufReader::new(from)).map_while(Result::ok).all(&mut take);
    };
    thread::Builder::new().name(name.to_owned()).spawn(read).map(drop)
}

/// Writes pieces, in a thread of this name, until there are no more or the other side reads no more. Then it closes the
/// pipe.
pub(crate) fn write_pieces(
    name: &str,
    mut to: impl Write + Send + 'static,
    pieces: impl IntoIterator<Item = Vec<u8>> + Send + 'static,
) -> io::Result<()> {
    let write = move || {
        pieces.into_iter().all(|piece| to.write_all(&piece).is_ok());
    };
    thread::Builder::new().name(name.to_owned()).spawn(write).map(drop)
}

/// Hands each line of standard error to `take`. What to give to the engine as its standard error, and what is disconnected
/// once all has been read.
pub(crate) fn stderr_lines(
    mut take: impl FnMut(Line) + Send + 'static,
) -> io::Result<(Stdio, Receiver<()>)> {
    let (reader, writer) = io::pipe()?;
    let (reading, end) = bounded(0);
    read_lines("engine-stderr", reader, move |line| {
        // Dropped with this function, at the end.
        let _: &crossbeam_channel::Sender<()> = &reading;
        take(line);
        true
    })?;
    Ok((Stdio::from(writer), end))
}

/// A line that is no text is still a line: it must not vanish between others.
pub(crate) fn text(line: Line) -> String {
    match line {
        Line::Text(text) => text,
        Line::TooLong => "(a line that is too long)".to_owned(),
        Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
    }
}
