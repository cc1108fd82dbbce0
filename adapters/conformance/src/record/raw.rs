//! Splitting a byte stream into lines, keeping the bytes of lines that are not valid text.

use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::{Line, LineSplitter};

/// A line without its line end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RawLine {
    /// Text that can be recorded as it is.
    Text(String),
    /// Not UTF-8, or with carriage returns inside.
    Bytes(Vec<u8>),
    /// Longer than a line may be.
    TooLong,
}

/// A [`LineSplitter`] that keeps the bytes. Its memory is bounded in the same way.
#[derive(Debug, Default)]
pub(super) struct RawLines {
    splitter: LineSplitter,
    /// The bytes of the current line, up to the limit and its end.
    bytes: Vec<u8>,
}

impl RawLines {
    /// Like [`LineSplitter::next_line`].
    pub(super) fn next_line(&mut self, input: &mut &[u8]) -> Option<RawLine> {
        let before = *input;
        let line = self.splitter.next_line(input);
        let (taken, _) = before.split_at(before.len() - input.len());
        let own = match &line {
            Some(_) => taken.strip_suffix(b"\n").unwrap_or(taken),
            None => taken,
        };
        // Bytes before a line feed at this point end a line that was too long.
        let begin = own.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if begin > 0 {
            self.bytes.clear();
        }
        if self.bytes.len() <= MAX_LINE_BYTES {
            self.bytes.extend_from_slice(&own[begin..]);
        }
        let line = line?;
        Some(self.keep(line))
    }

    /// Like [`LineSplitter::finish`].
    pub(super) fn finish(&mut self) -> Option<RawLine> {
        let line = self.splitter.finish()?;
        Some(self.keep(line))
    }

    fn keep(&mut self, line: Line) -> RawLine {
        let mut bytes = std::mem::take(&mut self.bytes);
        match line {
            Line::Text(text) if !text.contains('\r') => RawLine::Text(text),
            Line::Text(text) => RawLine::Bytes(text.into_bytes()),
            Line::TooLong => RawLine::TooLong,
            Line::NotUtf8 => {
                if bytes.last() == Some(&b'\r') {
                    bytes.pop();
                }
                RawLine::Bytes(bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits the pieces in order.
    fn lines(pieces: &[&[u8]]) -> Vec<RawLine> {
        let mut lines = RawLines::default();
        let mut found = Vec::new();
        for piece in pieces {
            let mut input = *piece;
            while let Some(line) = lines.next_line(&mut input) {
                found.push(line);
            }
        }
        found.extend(lines.finish());
        found
    }

    fn text(text: &str) -> RawLine {
        RawLine::Text(text.to_owned())
    }

    #[test]
    fn bytes_that_are_no_text_are_kept() {
        let found = lines(&[b"a\nb\xFF", b"c\r", b"\n\nd\re\r\nf"]);
        let bytes = |bytes: &[u8]| RawLine::Bytes(bytes.to_vec());
        assert_eq!(found, [text("a"), bytes(b"b\xFFc"), text(""), bytes(b"d\re"), text("f")]);
    }

    #[test]
    fn what_is_too_long_leaves_nothing_behind() {
        let long = vec![0xFF; MAX_LINE_BYTES + 1];
        for pieces in [
            vec![long.as_slice(), b"\n\xFE\n"],
            vec![long.as_slice(), b"rest\n", b"\xFE\n"],
            vec![long.as_slice(), b"rest", b"\n\xFE", b"\n"],
        ] {
            assert_eq!(lines(&pieces), [RawLine::TooLong, RawLine::Bytes(vec![0xFE])]);
        }
    }
}
