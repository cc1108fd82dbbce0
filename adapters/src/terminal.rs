//! Standard output and standard error, as far as people read them.
//!
//! Much of what is written there was said by engines, and an engine can say anything. So it all goes through here, where it
//! is made visible: a terminal shows it and obeys nothing of it.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use leap_protocol::Visible;

/// Characters of a line that are shown.
const MOST_CHARS: usize = 1 << 14;

/// Characters of a line that are shown.
const SHOWN: usize = 200;

/// A text as people may see it: line ends stay, everything else that a terminal would obey is escaped, and lines without end
/// are cut.
#[must_use]
pub fn visible(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(visible_line).collect();
    lines.join("\n")
}

fn visible_line(line: &str) -> String {
    match line.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}... ({} bytes)", Visible(&line[..at]), line.len()),
        None => Visible(line).to_string(),
    }
}

/// The beginning of what an engine wrote, without control characters.
pub(crate) fn shown(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    let mut shown: String = clean.clone().take(SHOWN).collect();
    if clean.count() > SHOWN {
        shown.push_str("...");
    }
    shown
}

/// Writes a text to standard output at once; `false` if nobody reads it any more, which is no fault.
///
/// # Errors
/// It cannot be written for another reason.
pub fn show(text: impl Display) -> io::Result<bool> {
    hand_out(&visible(&text.to_string()))
}

/// As [`show`], of data whose form says how it is written, such as JSON: programs read it.
///
/// # Errors
/// As [`show`].
pub fn hand_out(data: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        done => done.map(|()| true),
    }
}

/// Writes a line to standard error. Where nobody reads that either, there is nobody to be told.
pub fn warn(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", visible(&line.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_end_somewhere() {
        assert_eq!(visible("a\u{1b}[1mb\n\nc\r\n"), "a\\u{1b}[1mb\n\nc\\r\n");
        let cut = visible(&format!("{}\nend", "ä".repeat(MOST_CHARS + 1)));
        assert_eq!(cut, format!("{}... (32770 bytes)\nend", "ä".repeat(MOST_CHARS)));
    }
}
