//! Lines out of a byte stream, with bounded memory (SPEC 2).

use std::io::{self, BufRead};

/// The longest line accepted by default, in bytes without its ending: 1 MiB (SPEC 2).
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// One line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line without its ending, LF or CRLF.
    Text(String),
    /// A line over the limit. Its bytes are dropped.
    TooLong,
    /// A line that is not valid UTF-8. Its bytes are dropped.
    NotUtf8,
}

/// Splits bytes that arrive in pieces of any size into [`Line`]s.
///
/// Holds at most one line within the limit, however long the line it is reading. An over-long line is reported once, as
/// soon as it passes the limit, and the rest of it is skipped.
///
/// ```
/// use leap_protocol::{Line, LineSplitter};
///
/// let mut splitter = LineSplitter::new();
/// let mut bytes: &[u8] = b"isready\r\nquit";
/// assert_eq!(splitter.next_line(&mut bytes), Some(Line::Text("isready".to_owned())));
/// assert_eq!(splitter.next_line(&mut bytes), None); // more bytes are wanted
/// assert_eq!(splitter.finish(), Some(Line::Text("quit".to_owned())));
/// ```
#[derive(Debug, Clone)]
pub struct LineSplitter {
    /// The current line so far: at most the limit and one byte for a carriage return.
    buffer: Vec<u8>,
    limit: usize,
    /// The current line was too long and has been reported.
    skipping: bool,
}

impl LineSplitter {
    /// A splitter for lines of up to [`MAX_LINE_BYTES`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(MAX_LINE_BYTES)
    }

    /// A splitter for lines of up to `limit` bytes, the ending not counted.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { buffer: Vec::new(), limit, skipping: false }
    }

    /// Takes bytes from the front of `input` up to the end of the next line, and returns that line. `None` when `input`
    /// is exhausted and the line is incomplete.
    pub fn next_line(&mut self, input: &mut &[u8]) -> Option<Line> {
        while !input.is_empty() {
            let end = input.iter().position(|byte| *byte == b'\n');
            let (piece, rest) = input.split_at_checked(end.unwrap_or(input.len()))?;
            *input = rest.strip_prefix(b"\n").unwrap_or(rest);
            if !self.skipping {
                let last = piece.last().or(self.buffer.last());
                let total = self.buffer.len() + piece.len();
                if total - usize::from(last == Some(&b'\r')) > self.limit {
                    self.buffer = Vec::new();
                    // The ending may have been in this very piece.
                    self.skipping = end.is_none();
                    return Some(Line::TooLong);
                }
                self.buffer.extend_from_slice(piece);
            }
            if end.is_some() && !std::mem::take(&mut self.skipping) {
                return Some(self.take_line());
            }
        }
        None
    }

    /// Ends the input: returns the last line if it had no ending. The splitter can then be reused.
    pub fn finish(&mut self) -> Option<Line> {
        self.skipping = false;
        if self.buffer.is_empty() { None } else { Some(self.take_line()) }
    }

    fn take_line(&mut self) -> Line {
        let mut bytes = std::mem::take(&mut self.buffer);
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        String::from_utf8(bytes).map_or(Line::NotUtf8, Line::Text)
    }
}

impl Default for LineSplitter {
    fn default() -> Self {
        Self::new()
    }
}

/// Iterates over the lines of a reader, the last one included if it has no ending.
///
/// An error of the reader is yielded as an item, and iteration can continue after it. `None` is the end of the input.
///
/// ```
/// use leap_protocol::{Line, LineReader};
///
/// let input: &[u8] = b"ugi\nisready\r\nquit";
/// let lines: Vec<Line> = LineReader::new(input).collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["ugi", "isready", "quit"].map(|line| Line::Text(line.to_owned())));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    reader: R,
    splitter: LineSplitter,
}

/// What one read has given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// A line.
    Line(Line),
    /// The line is not whole yet.
    More,
    /// There is no more input.
    End,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of up to [`MAX_LINE_BYTES`].
    pub fn new(reader: R) -> Self {
        Self { reader, splitter: LineSplitter::new() }
    }

    /// Where the lines come from.
    pub const fn reader(&self) -> &R {
        &self.reader
    }

    /// Reads once, unless bytes are buffered: a reader that has something to read does not block.
    ///
    /// # Errors
    /// Those of the reader. The next call can succeed.
    pub fn read(&mut self) -> io::Result<Read> {
        let mut input = match self.reader.fill_buf() {
            Ok([]) => return Ok(self.splitter.finish().map_or(Read::End, Read::Line)),
            Ok(input) => input,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Read::More),
            Err(error) => return Err(error),
        };
        let available = input.len();
        let line = self.splitter.next_line(&mut input);
        let used = available - input.len();
        self.reader.consume(used);
        Ok(line.map_or(Read::More, Read::Line))
    }
}

impl<R: BufRead> Iterator for LineReader<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.read() {
                Ok(Read::Line(line)) => return Some(Ok(line)),
                Ok(Read::More) => {}
                Ok(Read::End) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_does_not_grow_with_the_line() {
        let mut splitter = LineSplitter::with_limit(1000);
        let chunk = [b'x'; 64];
        for _ in 0..10_000 {
            splitter.next_line(&mut chunk.as_slice());
            assert!(splitter.buffer.capacity() <= 2048, "{}", splitter.buffer.capacity());
        }
    }
}
