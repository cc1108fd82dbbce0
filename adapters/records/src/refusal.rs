//! Why a file has no games that a page or a program can take.

use std::error::Error;
use std::fmt::{self, Debug, Display};

use serde::Serialize;
use thiserror::Error;

use super::{RecordError, RecordFault};

/// Why a file is not opened. Its JSON has the line, the message, the kind and the values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal<W = Unread> {
    /// The line of the fault, from 1. `None` if the fault is the file as a whole.
    pub line: Option<usize>,
    /// The message in English, for readers that do not know the kind. It does not contain the line.
    pub text: String,
    /// The kind and its values, from which the page makes a message in its language.
    #[serde(flatten)]
    pub why: W,
}

impl<W: Display> Refusal<W> {
    /// Refuses a file because of this line, or as a whole.
    pub fn new(line: Option<usize>, why: W) -> Self {
        Self { line, text: why.to_string(), why }
    }
}

impl<W: Serialize> Refusal<W> {
    /// The refusal as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Serializing fails only for maps whose keys are no text.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl<W> Display for Refusal<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<W: Debug> Error for Refusal<W> {}

impl From<RecordError> for Refusal {
    fn from(RecordError { line, fault }: RecordError) -> Self {
        Self::new(Some(line), Unread::Record(fault))
    }
}

/// Why a file has no games, or none for a page.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the messages say what the values are")]
pub enum Unread {
    /// The file is longer than a page may send.
    #[error("expected a file of at most {max} MiB, found a larger one")]
    LargeFile { max: usize },
    /// A game is too long for a page.
    #[error("expected a game of at most {max} moves, found a longer one")]
    LongGame { max: usize },
    /// The games are too long in all for a page.
    #[error("expected games of at most {max} MiB with all their options, found more")]
    LargeGames { max: usize },
    /// The file is empty.
    #[error("expected a game record or a transcript, found an empty file")]
    Empty,
    /// The file is no text in UTF-8. The byte is in hexadecimal.
    #[error("expected a text in UTF-8, found the byte {byte}")]
    NotUtf8 { byte: String },
    /// A text in UTF-16.
    #[error("expected a text in UTF-8, found one in UTF-16")]
    Utf16,
    /// An image, by the usual ending of its name.
    #[error("expected a text, found an image ({found})")]
    Image { found: String },
    /// A packed file, by the usual ending of its name.
    #[error("expected a text, found a packed file ({found}), which has to be unpacked first")]
    Packed { found: String },
    /// A file of another kind, such as music, by its MIME type.
    #[error("expected a text, found a file of the type {found}")]
    Media { found: String },
    /// The file is neither a record nor a transcript.
    #[error(
        "expected a game record, which begins with [Game \"...\"], or a transcript, which begins with ugt 1, found '{found}'"
    )]
    Neither { found: String },
    /// A game of chess.
    #[error("expected a record of this program, found one of chess, which it does not play")]
    Chess,
    /// A position of chess.
    #[error("expected a record of this program, found a position of chess, which it does not play")]
    ChessPosition,
    /// A game other than chess, or its format, as far as it is known.
    #[error("expected a record of this program, found one of another game ({found})")]
    OtherGame { found: String },
    /// A game does not say which game it is.
    #[error("expected a game with the tag Game, found one without")]
    Nameless,
    /// A transcript has no game.
    #[error("expected a transcript with a game, found none")]
    NoGame,
    /// A transcript has a fault. It is not named `text`, since a refusal has its whole message there.
    #[error("column {column}: {fault}")]
    Transcript { column: usize, fault: String },
    /// A record has a fault.
    #[error(transparent)]
    #[serde(untagged)]
    Record(RecordFault),
}
