//! The `error` line, its closed list of codes, and the error of parsing a command (SPEC 6).

use std::fmt;

use nom::Parser;
use nom::combinator::verify;
use nom::multi::many0;
use strum::{AsRefStr, EnumIter, EnumString, IntoEnumIterator as _};
use thiserror::Error;

use crate::scan::{Parsed, keyword, text, word};
use crate::visible::{OneLine, Visible};

/// What kind of fault an `error` line reports: a closed list of words (SPEC 6).
#[derive(Debug, Clone, PartialEq, Eq, Hash, AsRefStr, EnumIter, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum ErrorCode {
    /// The first word of the line is no command.
    UnknownCommand,
    /// An argument is there, but is not what the command takes.
    BadArgument,
    /// The line ends where an argument is due.
    MissingArgument,
    /// A whole number outside the range that is accepted.
    OutOfRange,
    /// `setoption` with a name that the engine has not declared.
    NoSuchOption,
    /// The option `Game` set to an id that the engine does not play.
    NoSuchGame,
    /// A position text that does not parse or that no game could hold.
    BadPosition,
    /// A move that is not legal where it is to be made; the fields say which and why.
    IllegalMove,
    /// A command that the game in play does not know.
    NotInThisGame,
    /// The command cannot be carried out while a search is running.
    Busy,
    /// The line is longer than the limit.
    TooLong,
    /// The line is not valid UTF-8.
    NotUtf8,
    /// `undo` of more moves than were made.
    NothingToUndo,
    /// A fault of the engine itself.
    Internal,
    /// A word that is not on the list: from a peer of a later version. Never written by this version, and never holds a
    /// word that is on the list.
    #[strum(default, transparent)]
    Other(String),
}

impl ErrorCode {
    /// Every word of the list, in its order.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter().filter(|code| !matches!(code, Self::Other(_)))
    }

    /// The word on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.as_ref()
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(self.as_str()).fmt(f)
    }
}

/// An `error` line: `error <code> [<key> <value>]... : <text>`.
///
/// The command that it answers has changed nothing, and the session goes on.
///
/// ```
/// use leap_protocol::{ErrorCode, ErrorReply, Reply};
///
/// let error = ErrorReply::new(ErrorCode::IllegalMove, "a1: no piece stands there")
///     .with("move", "a1c3")
///     .with("at", "a1");
/// let line = "error illegal-move move a1c3 at a1 : a1: no piece stands there";
/// assert_eq!(error.to_string(), line);
/// assert_eq!(error.field("at"), Some("a1"));
/// assert_eq!(Reply::parse(line), Reply::Error(error));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ErrorReply {
    /// What kind of fault it is.
    pub code: ErrorCode,
    /// Details as pairs of words, in the order of the line, such as `column 12`. An illegal move has `index`, `move`,
    /// `reason` and `at`. A bad position has `field` and `column`. A key is never `:`.
    pub fields: Vec<(String, String)>,
    /// What was expected and what was found, for people to read. One line.
    pub text: String,
}

impl ErrorReply {
    /// An error without fields.
    pub fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self { code, fields: Vec::new(), text: text.into() }
    }

    /// Adds a field at the end. The value, once printed, must be a word.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl ToString) -> Self {
        self.fields.push((key.into(), value.to_string()));
        self
    }

    /// The value of the first field with this key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// The `column` field: 1-based, in characters.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.field("column")?.parse().ok()
    }

    /// Parses what follows the word `error`. Escapes control characters as printing does, so that a line with some,
    /// against SPEC 6.11, equals the line printed for it.
    pub(crate) fn parse_body(input: &str) -> Parsed<'_, Self> {
        let visible = |text: &str| Visible(text).to_string();
        let field = (verify(word, |key: &str| key != ":"), word)
            .map(|(key, value)| (visible(key), visible(value)));
        let line = (word, many0(field), keyword(":"), text);
        line.map(|(code, fields, _, text)| {
            let code = visible(code).as_str().into();
            // Tabs are blanks; printed, they would be escaped.
            Self { code, fields, text: visible(&text.replace('\t', " ")) }
        })
        .parse(input)
    }
}

/// Prints the whole line, `error` included. Control characters are escaped, since the line echoes untrusted text to
/// people (SPEC 6.11).
impl fmt::Display for ErrorReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, fields, text } = self;
        let fields = fields.iter().flat_map(|(key, value)| [&**key, &**value]);
        let words = ["error", code.as_str()].into_iter().chain(fields).chain([":", text]);
        let line: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Visible(&OneLine(&line.join(" ")).to_string()).fmt(f)
    }
}

/// Why a line is no command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", OneLine(text))]
pub struct CommandError {
    /// One of `unknown-command`, `bad-argument`, `missing-argument` and `out-of-range`.
    pub code: ErrorCode,
    /// Where the fault begins in the line: 1-based, in characters. One past the end if the end is where something is
    /// missing.
    pub column: Option<usize>,
    /// What was expected and what was found. One line, of bounded length whatever the input.
    pub text: String,
}

impl From<CommandError> for ErrorReply {
    fn from(error: CommandError) -> Self {
        let reply = Self::new(error.code, error.text);
        match error.column {
            Some(column) => reply.with("column", column),
            None => reply,
        }
    }
}
