//! Why a text is no record.

use serde::Serialize;
use thiserror::Error;

/// Why a text is no record, and where. The message is one line of bounded length.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    #[serde(skip)]
    pub line: usize,
    /// What was expected and what was found.
    #[serde(flatten)]
    pub fault: RecordFault,
}

/// What is wrong in the text of a record. The page of `leap web` reads the kind and the values, and makes a message in
/// its language.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the messages say what the values are")]
pub enum RecordFault {
    /// A line that begins like a tag but is none.
    #[error("expected [Name \"value\"], found '{found}'")]
    Tag { found: String },
    /// The value of a tag ends with the character that escapes the next one.
    #[error("expected a character after \\, found none")]
    Escape,
    /// A comment before the first move.
    #[error("expected a move before a comment")]
    EarlyComment,
    /// The moves are not numbered one by one.
    #[error("expected number {expected}, found '{found}'")]
    Number { expected: usize, found: String },
    /// A word that no move can be.
    #[error("expected a move, found '{found}'")]
    Move { found: String },
    /// More moves than any engine takes.
    #[error("expected at most {most} moves, found more")]
    TooManyMoves { most: usize },
    /// The text ends before the result.
    #[error("expected a result (p1win, p2win, draw or *), found the end")]
    NoResult,
    /// The tags of the next record come before the result.
    #[error("expected a result (p1win, p2win, draw or *), found another game")]
    NoResultBetween,
    /// The text ends within a comment.
    #[error("expected a '}}' after the comment, found the end")]
    OpenComment,
    /// Words between a result and the end of its line.
    #[error("expected nothing after the result, found '{found}'")]
    AfterResult { found: String },
    /// A format of a later version.
    #[error("expected a record of format 1 to {newest}, found '{found}'")]
    Format { newest: u32, found: String },
    /// A variation before the first move of its line.
    #[error("expected a move before a variation")]
    EarlyVariation,
    /// A variation without moves.
    #[error("expected moves in a variation, found none")]
    EmptyVariation,
    /// The end of a variation where none is open.
    #[error("expected no ')' outside a variation")]
    NoVariation,
    /// The text ends within a variation.
    #[error("expected a ')' after the variation, found '{found}'")]
    OpenVariation { found: String },
    /// More variations within variations than any reader follows.
    #[error("expected at most {most} variations within one another, found more")]
    TooDeep { most: usize },
    /// An annotation that is no number from 0 to 255.
    #[error("expected $ and a number from 0 to 255, found '{found}'")]
    Glyph { found: String },
    /// A key of a comment whose value is no number.
    #[error("{key}: expected a number, found '{found}'")]
    Value { key: String, found: String },
    /// A key at the end of a comment.
    #[error("{key}: expected a number, found none")]
    NoValue { key: String },
}
