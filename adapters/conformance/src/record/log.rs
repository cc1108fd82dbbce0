//! Writing the transcript.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use leap_base::files::{self, Existing};
use leap_protocol::{IdKey, Reply};
use leap_transcript::{Entry, Exit, Expected, Sent, Transcript, without_text};

use super::raw::{RawLine, RawLines};

/// The placeholder for the number in a file name.
const FILE_NUMBER: &str = "%n";
/// How much of the start is kept in memory until the engine has given its name.
const MAX_HEAD_BYTES: usize = 1 << 16;

/// A transcript that grows with the session. Every line is written to the file before it is passed on, so that nothing
/// is lost if a process dies.
#[derive(Debug)]
pub(super) struct TranscriptWriter {
    file: File,
    /// Everything after the version line, as long as the engine's name may still have to be inserted before it.
    head: Option<String>,
    sent: RawLines,
    received: RawLines,
}

impl TranscriptWriter {
    /// Creates the file. `command` is the recorded command, as information for the reader.
    pub(super) fn create(path: &Path, existing: Existing, command: &str) -> io::Result<Self> {
        let version = Transcript::default();
        let head = lines(&[Entry::Comment(format!(" leap record: {command}")), Entry::Blank]);
        let file = create(path, existing, format!("{version}{head}").as_bytes())?;
        let (sent, received) = (RawLines::default(), RawLines::default());
        Ok(Self { file, head: Some(head), sent, received })
    }

    /// Records bytes from the client.
    pub(super) fn sent(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let lines = std::iter::from_fn(|| self.sent.next_line(&mut bytes));
        let entries: Vec<_> = lines.map(sent_entry).collect();
        self.write(&entries)
    }

    /// Records bytes from the engine.
    pub(super) fn received(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let lines = std::iter::from_fn(|| self.received.next_line(&mut bytes));
        let lines: Vec<_> = lines.collect();
        let name = lines.iter().find_map(engine_name);
        let entries: Vec<_> = lines.into_iter().map(received_entry).collect();
        self.write(&entries)?;
        name.map_or(Ok(()), |name| self.pin(name))
    }

    /// Records that the client has closed the engine's input.
    pub(super) fn sent_end(&mut self) -> io::Result<()> {
        self.sent_rest()?;
        self.write(&[Entry::Sent(Sent::End)])
    }

    /// Records that the engine has exited.
    pub(super) fn received_end(&mut self, exit: Exit) -> io::Result<()> {
        self.rest()?;
        self.write(&[Entry::Expected(Expected::End(Some(exit)))])
    }

    /// Records that the session was ended from outside.
    pub(super) fn cut(&mut self, why: &str) -> io::Result<()> {
        self.rest()?;
        self.write(&[Entry::Comment(format!(" {why}"))])
    }

    /// Records incomplete lines.
    fn rest(&mut self) -> io::Result<()> {
        self.sent_rest()?;
        let rest = self.received.finish().map(received_entry);
        self.write_rest(rest)
    }

    fn sent_rest(&mut self) -> io::Result<()> {
        let rest = self.sent.finish().map(sent_entry);
        self.write_rest(rest)
    }

    fn write_rest(&mut self, rest: Option<Entry>) -> io::Result<()> {
        let Some(entry) = rest else { return Ok(()) };
        self.write(&[entry, Entry::Comment(" no line end".to_owned())])
    }

    /// Writes entries immediately and unbuffered, so that nothing can be lost.
    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let text = lines(entries);
        if let Some(head) = &mut self.head {
            head.push_str(&text);
        }
        self.head.take_if(|head| head.len() > MAX_HEAD_BYTES);
        self.file.write_all(text.as_bytes())
    }

    /// Inserts the engine's name into the header, once. The file is rewritten in place, and only grows.
    fn pin(&mut self, name: String) -> io::Result<()> {
        let Some(head) = self.head.take() else { return Ok(()) };
        let header = Transcript { entries: vec![Entry::Engine(name)] };
        self.file.rewind()?;
        self.file.write_all(format!("{header}{head}").as_bytes())
    }
}

fn lines(entries: &[Entry]) -> String {
    entries.iter().map(|entry| format!("{entry}\n")).collect()
}

fn create(path: &Path, existing: Existing, content: &[u8]) -> io::Result<File> {
    let create =
        |path: &Path, existing| files::write(path, existing, |file| file.write_all(content));
    let name = path.to_string_lossy();
    if !name.contains(FILE_NUMBER) {
        return create(path, existing);
    }
    let mut number = 1_u64;
    loop {
        let path = name.replace(FILE_NUMBER, &number.to_string());
        match create(Path::new(&path), Existing::Refuse) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            found => return found,
        }
    }
}

fn engine_name(line: &RawLine) -> Option<String> {
    let RawLine::Text(line) = line else { return None };
    match Reply::parse(line) {
        Reply::Id { key: IdKey::Name, value } => Some(value).filter(|name| !name.is_empty()),
        _ => None,
    }
}

fn sent_entry(line: RawLine) -> Entry {
    Entry::Sent(match line {
        RawLine::Text(text) => Sent::Line(text),
        RawLine::Bytes(bytes) => Sent::Bytes(bytes),
        RawLine::TooLong => Sent::TooLong,
    })
}

fn received_entry(line: RawLine) -> Entry {
    Entry::Expected(match line {
        RawLine::Text(text) => line_entry(text),
        RawLine::Bytes(bytes) => Expected::Bytes(bytes),
        RawLine::TooLong => Expected::TooLong,
    })
}

/// The entry for a line of the engine, chosen so that the line matches it (SPEC 16.10).
pub(crate) fn line_entry(line: String) -> Expected {
    const WILDCARD: &str = "...";
    let mut words = line.split_whitespace();
    let kind = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let fixed = without_text(&line).unwrap_or(&line);
    match kind {
        _ if !fixed.contains(WILDCARD) && fixed.len() < line.len() => Expected::Default(line),
        _ if !line.contains(WILDCARD) => Expected::Default(line),
        ("info", second) if second != "perft" => Expected::Ignored(line),
        _ => Expected::Exact(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text for people is left out of the comparison anyway (SPEC 16.11), so dots in it do not count.
    #[test]
    fn dots_in_the_text_of_a_refusal_need_no_exact_line() {
        for line in [
            "error illegal-move index 1 : a1... is no move",
            "response false no-such-line at d4 : d4... is out of reach",
            "response entered 0 next 0 refused syntax at - : a1... is no move",
        ] {
            assert_eq!(line_entry(line.to_owned()), Expected::Default(line.to_owned()));
        }
        for line in ["response ... : a", "error a ... : b", "info perft a1...b1 3"] {
            assert_eq!(line_entry(line.to_owned()), Expected::Exact(line.to_owned()));
        }
        let info = "info string ...".to_owned();
        assert_eq!(line_entry(info.clone()), Expected::Ignored(info));
    }
}
