//! Transcripts (SPEC 16): what a client and an engine said to each other, and how exactly an engine must say it again.
//!
//! ```
//! use leap_transcript::{Entry, Expected, Sent, Transcript};
//!
//! let text = "\
//! ugt 1
//! game eximo
//!
//! ## Whose turn is it?
//! > query p1turn
//! < response true
//! ";
//! # let text = &text.replace("##", "#");
//! let transcript: Transcript = text.parse()?;
//! assert_eq!(transcript.game(), Some("eximo"));
//! assert_eq!(transcript.entries[3], Entry::Sent(Sent::Line("query p1turn".to_owned())));
//! assert_eq!(transcript.entries[4], Entry::Expected(Expected::Default("response true".to_owned())));
//! assert_eq!(transcript.to_string(), *text);
//! # Ok::<(), leap_transcript::TranscriptError>(())
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod bytes;
mod context;
mod parse;
mod pattern;
mod print;
mod rule;

use std::str::FromStr;

use thiserror::Error;

pub use pattern::Pattern;
pub use rule::{LineRules, Rule, Stream, without_text};

/// The version of the format that this crate reads and writes (SPEC 16.3).
pub const VERSION: u32 = 1;

/// A transcript. Every entry is one line of the file, in order. A parsed file prints as it was, except for blanks on
/// empty lines and the kind of line endings.
///
/// ```
/// use leap_transcript::{Rule, Transcript};
///
/// let transcript: Transcript = "ugt 1\n> query moves\n< response 2 ...\n".parse()?;
/// let rules = transcript.rules(false);
/// let Some(Rule::Pattern(expected)) = rules.get(1) else { unreachable!("an expected line") };
/// assert!(expected.matches("response 2 a1c3 d4e5") && !expected.matches("response 0"));
/// # Ok::<(), leap_transcript::TranscriptError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// The lines after the first, which holds the version. The header's entries ([`Entry::is_header`]) stand before the
    /// first [`Entry::Sent`] and [`Entry::Expected`].
    pub entries: Vec<Entry>,
}

/// One line of a transcript (SPEC 16.4). No text in it holds a line feed or carriage return; one that does prints with
/// blanks instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// An empty line.
    Blank,
    /// `#` and this text.
    Comment(String),
    /// `engine <text>`: pins the transcript to the engine of this name. Not empty, no blanks at its ends.
    Engine(String),
    /// `game <id>`: the game that the session begins with, a word.
    Game(String),
    /// `option name <name> [value <value>]`: an option that the session begins with. As in
    /// [`Command::SetOption`](leap_protocol::Command::SetOption).
    Option {
        /// The option's name.
        name: String,
        /// Its value; `None` for a button.
        value: Option<String>,
    },
    /// What the client does.
    Sent(Sent),
    /// What the engine does.
    Expected(Expected),
}

/// What the client does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// `> <line>`: sends a line, kept with all its blanks.
    Line(String),
    /// `>x <bytes>`: sends a line that cannot be written as text. No line feed.
    Bytes(Vec<u8>),
    /// `>! too-long`: sends a line longer than an engine accepts.
    TooLong,
    /// `>.`: closes the engine's input.
    End,
}

/// What the engine does, and how it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// `< <line>`: compared as its kind demands (SPEC 16.11 and 16.12).
    Default(String),
    /// `<= <line>`: exactly this line.
    Exact(String),
    /// `<~ <regex>`: a line that the regular expression matches as a whole. Its syntax is not checked here.
    Regex(String),
    /// `<? bestmove <move>`: a `bestmove` with any legal move. The whole line, one that parses as a
    /// [`Reply::BestMove`](leap_protocol::Reply::BestMove) with a move.
    AnyMove(String),
    /// `<* <line>`: neither waited for nor compared.
    Ignored(String),
    /// `<x <bytes>`: a line that cannot be written as text. No line feed.
    Bytes(Vec<u8>),
    /// `<! too-long`: a line longer than a client accepts.
    TooLong,
    /// `<.`: the engine ends, with this status if it is given.
    End(Option<Exit>),
}

/// How an engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// By itself, with this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// Why a text is no transcript.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {text}")]
pub struct TranscriptError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters; one past the end if the end is where something is missing.
    pub column: usize,
    /// What was expected and what was found. One line, of bounded length whatever the input.
    pub text: String,
}

impl Transcript {
    /// Parses a file. Takes time linear in its length.
    ///
    /// # Errors
    /// [`TranscriptError`], for the first fault.
    pub fn parse(bytes: &[u8]) -> Result<Self, TranscriptError> {
        parse::transcript(bytes)
    }

    /// Parses a file one entry at a time: the first is that of line 2 ([`Self::line_of`]). Stop at the first error.
    ///
    /// ```
    /// use leap_transcript::{Entry, Transcript};
    ///
    /// let mut entries = Transcript::parse_each("ugt 1\ngame eximo\nhello\n")?;
    /// assert_eq!(entries.next(), Some(Ok(Entry::Game("eximo".to_owned()))));
    /// assert!(entries.next().is_some_and(|entry| entry.is_err_and(|error| error.line == 3)));
    /// # Ok::<(), leap_transcript::TranscriptError>(())
    /// ```
    ///
    /// # Errors
    /// [`TranscriptError`] if the first line is not that of a transcript.
    pub fn parse_each(
        text: &str,
    ) -> Result<impl Iterator<Item = Result<Entry, TranscriptError>> + '_, TranscriptError> {
        parse::entries(text)
    }

    /// The line of the file, from 1, on which the entry with this index stands.
    #[must_use]
    pub fn line_of(index: usize) -> usize {
        index + 2
    }

    /// The name of the engine that the transcript is pinned to.
    #[must_use]
    pub fn engine(&self) -> Option<&str> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Engine(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The game that the session begins with.
    #[must_use]
    pub fn game(&self) -> Option<&str> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Game(id) => Some(id.as_str()),
            _ => None,
        })
    }

    /// The options that the session begins with, in order: names, and values, which buttons do not have.
    pub fn options(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Option { name, value } => Some((name.as_str(), value.as_deref())),
            _ => None,
        })
    }

    /// How each expected line is to be compared. `pinned` is whether the engine is assumed to be the one that the
    /// transcript was made with: `self.engine().is_some()`, unless another engine is tried.
    #[must_use]
    pub fn rules(&self, pinned: bool) -> LineRules {
        LineRules::new(self, pinned)
    }
}

/// As [`Transcript::parse`].
impl FromStr for Transcript {
    type Err = TranscriptError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text.as_bytes())
    }
}

impl Entry {
    /// Whether the entry belongs to the header (SPEC 16.5).
    #[must_use]
    pub fn is_header(&self) -> bool {
        matches!(self, Self::Engine(_) | Self::Game(_) | Self::Option { .. })
    }
}
