//! Printing of transcripts.

use std::fmt;

use leap_protocol::{Command, OneLine};

use crate::{Entry, Exit, Expected, Sent, Transcript, VERSION, bytes};

/// The word for a line beyond the limit.
pub(crate) const TOO_LONG: &str = "too-long";

/// Prints the file, with a line end after every line.
impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ugt {VERSION}")?;
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

/// Prints the line, without a line end.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => Ok(()),
            Self::Comment(text) => write!(f, "#{}", OneLine(text)),
            Self::Engine(name) => write!(f, "engine {}", OneLine(name)),
            Self::Game(id) => write!(f, "game {}", OneLine(id)),
            Self::Option { name, value } => {
                let set = Command::SetOption { name: name.clone(), value: value.clone() };
                f.write_str(set.to_string().trim_start_matches("set"))
            }
            Self::Sent(sent) => sent.fmt(f),
            Self::Expected(expected) => expected.fmt(f),
        }
    }
}

/// Prints the entry.
impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => signed(f, ">", line),
            Self::Bytes(line) => escaped(f, ">x", line),
            Self::TooLong => write!(f, ">! {TOO_LONG}"),
            Self::End => f.write_str(">."),
        }
    }
}

/// Prints the entry.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default(line) => signed(f, "<", line),
            Self::Exact(line) => signed(f, "<=", line),
            Self::Regex(regex) => signed(f, "<~", regex),
            Self::AnyMove(line) => signed(f, "<?", line),
            Self::Ignored(line) => signed(f, "<*", line),
            Self::Bytes(line) => escaped(f, "<x", line),
            Self::TooLong => write!(f, "<! {TOO_LONG}"),
            Self::End(None) => f.write_str("<."),
            Self::End(Some(exit)) => write!(f, "<. {exit}"),
        }
    }
}

/// Prints `exit <n>` or `signal <n>`.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// An empty line is the sign alone: blanks at the end of a line get lost in editors.
fn signed(f: &mut fmt::Formatter<'_>, sign: &str, line: &str) -> fmt::Result {
    if line.is_empty() { f.write_str(sign) } else { write!(f, "{sign} {}", OneLine(line)) }
}

fn escaped(f: &mut fmt::Formatter<'_>, sign: &str, line: &[u8]) -> fmt::Result {
    write!(f, "{sign} ")?;
    bytes::print(f, line)
}
