//! Standard output and standard error, as read by people.
//!
//! Much of the text comes from engines, and an engine can write anything. So all of it goes through here, where control
//! characters are escaped: the terminal shows them and obeys none.

mod progress;

use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal as _, Write};

use leap_protocol::Visible;

pub use progress::Progress;

/// Characters of a line that are shown.
const MOST_CHARS: usize = 1 << 14;

/// A text that is safe to print: line ends stay, other control characters are escaped, and overlong lines are cut.
///
/// ```
/// assert_eq!(leap_base::terminal::visible("\u{1b}[2Jcleared?\n"), "\\u{1b}[2Jcleared?\n");
/// ```
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

/// Writes a text to standard output and flushes it; `false` if nobody reads it any more, which is not an error.
///
/// # Errors
/// If it cannot be written for another reason.
pub fn show(text: impl Display) -> io::Result<bool> {
    write_data(&visible(&text.to_string()))
}

/// Like [`show`], for data in a format that programs read, such as JSON: nothing is escaped.
///
/// # Errors
/// As [`show`].
pub fn write_data(data: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        done => done.map(|()| true),
    }
}

/// Whether standard output goes to a terminal, and so to nothing that keeps it.
#[must_use]
pub fn is_shown() -> bool {
    io::stdout().is_terminal()
}

/// Writes a line to standard error. If that fails there is nowhere left to report it.
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
