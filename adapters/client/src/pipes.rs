//! Threads that read and write the pipes of an engine, so that every wait can have a deadline.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use leap_protocol::{Line, LineReader};

/// How long to wait for the rest of standard error after the engine has exited.
pub(crate) const STDERR_PATIENCE: Duration = Duration::from_millis(500);

/// Spawns a thread of this name that passes lines to `take` until there are no more or it returns false.
pub fn read_lines(
    name: &str,
    from: impl Read + Send + 'static,
    take: impl FnMut(Line) -> bool + Send + 'static,
) -> io::Result<()> {
    take_lines(name, LineReader::new(BufReader::new(from)), take)
}

/// [`read_lines`], of a reader that may have read the beginning of a line.
pub(crate) fn take_lines(
    name: &str,
    lines: LineReader<impl BufRead + Send + 'static>,
    mut take: impl FnMut(Line) -> bool + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        lines.map_while(Result::ok).all(&mut take);
    };
    thread::Builder::new().name(name.to_owned()).spawn(read).map(drop)
}

/// Spawns a thread of this name that writes chunks until there are no more or nobody reads them, then closes the pipe.
pub fn write_pieces(
    name: &str,
    mut to: impl Write + Send + 'static,
    pieces: impl IntoIterator<Item = Vec<u8>> + Send + 'static,
) -> io::Result<()> {
    let write = move || {
        pieces.into_iter().all(|piece| to.write_all(&piece).is_ok());
    };
    thread::Builder::new().name(name.to_owned()).spawn(write).map(drop)
}

/// Passes each line of standard error to `take`. Returns the pipe for the engine, and a channel that is disconnected
/// once everything has been read.
pub(crate) fn stderr_lines(
    mut take: impl FnMut(Line) + Send + 'static,
) -> io::Result<(Stdio, Receiver<()>)> {
    let (reader, writer) = io::pipe()?;
    let (reading, end) = bounded(0);
    read_lines("engine-stderr", reader, move |line| {
        // The end of the thread drops this sender, which disconnects the channel.
        let _: &crossbeam_channel::Sender<()> = &reading;
        take(line);
        true
    })?;
    Ok((Stdio::from(writer), end))
}

/// The text of a line, or a description in its place: no line may vanish between others.
pub fn text(line: Line) -> String {
    match line {
        Line::Text(text) => text,
        Line::TooLong => "(a line that is too long)".to_owned(),
        Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
    }
}
