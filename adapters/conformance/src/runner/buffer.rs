//! A bounded buffer for lines of the engine that are needed later: an engine that writes endlessly must not fill the
//! memory.

use std::collections::VecDeque;

use leap_protocol::Line;
use thiserror::Error;

/// The most memory that buffered and taken lines may use.
const MAX_BYTES: usize = 64 << 20;
/// The memory that a line takes besides its text.
const LINE_BYTES: usize = size_of::<Line>() + 16;

/// Lines in the order of arrival.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    lines: VecDeque<Line>,
    bytes: usize,
    /// The bytes of lines that were taken.
    taken: usize,
}

/// The engine writes more than the buffer may hold.
#[derive(Debug, PartialEq, Eq, Error)]
#[error(
    "expected an engine that comes to an end, found more than {MAX_BYTES} bytes of lines to be kept"
)]
pub(super) struct BufferFull;

impl LineBuffer {
    /// Appends a line.
    pub(super) fn push(&mut self, line: Line) -> Result<(), BufferFull> {
        self.bytes += bytes(&line);
        self.lines.push_back(line);
        if self.bytes + self.taken > MAX_BYTES { Err(BufferFull) } else { Ok(()) }
    }

    /// Removes the first line that satisfies the predicate.
    pub(super) fn take_first(&mut self, wanted: impl FnMut(&Line) -> bool) -> Option<Line> {
        let at = self.lines.iter().position(wanted)?;
        let line = self.lines.remove(at)?;
        self.bytes -= bytes(&line);
        Some(line)
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Takes all lines. The caller keeps them, so they still count towards the limit.
    pub(super) fn take(&mut self) -> Vec<Line> {
        self.taken += std::mem::take(&mut self.bytes);
        std::mem::take(&mut self.lines).into()
    }
}

fn bytes(line: &Line) -> usize {
    let text = match line {
        Line::Text(text) => text.capacity(),
        Line::TooLong | Line::NotUtf8 => 0,
    };
    LINE_BYTES + text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes lines of this length until the buffer is full; returns how many fit.
    fn fill(buffer: &mut LineBuffer, length: usize) -> usize {
        let line = Line::Text("x".repeat(length));
        (0..).find(|_| buffer.push(line.clone()).is_err()).unwrap_or_default()
    }

    #[test]
    fn long_lines_and_many_lines_are_bounded() {
        assert_eq!(fill(&mut LineBuffer::default(), 1 << 20), 63);
        assert!(fill(&mut LineBuffer::default(), 0) <= MAX_BYTES / LINE_BYTES);
    }

    #[test]
    fn what_is_taken_counts_on_and_what_is_removed_does_not() {
        let mut buffer = LineBuffer::default();
        buffer.push(Line::Text("x".repeat(MAX_BYTES / 2))).unwrap();
        assert!(buffer.take_first(|_| true).is_some());
        buffer.push(Line::Text("x".repeat(MAX_BYTES / 2))).unwrap();
        assert_eq!(buffer.take().len(), 1);
        assert!(fill(&mut buffer, 1 << 20) < 33);
        assert_eq!(buffer.take_first(|_| false), None);
        while buffer.take_first(|_| true).is_some() {}
        assert_eq!((buffer.len(), buffer.bytes), (0, 0));
    }
}
