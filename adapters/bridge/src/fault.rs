//! What may go wrong between client and engine.

use std::io;

use leap_client::ClientError;
use leap_protocol::{ErrorCode, ErrorReply, shown};
use thiserror::Error;

/// No game can go on: the bridge ends.
#[derive(Debug, Error)]
pub(crate) enum Broken {
    /// The engine has failed.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The engine has ended.
    #[error("the engine has ended after '{command}': {end}")]
    Ended { command: String, end: String },
    /// The engine has not answered in time.
    #[error("expected an answer to '{command}', found none in {ms} ms")]
    Silent { command: String, ms: u128 },
    /// The engine's answer has no end.
    #[error("expected an answer to '{0}', found no end of it")]
    Endless(String),
    /// The engine's greeting makes no sense.
    #[error("expected {expected}, found '{found}'")]
    Unexpected { expected: &'static str, found: String },
    /// Standard input or output is closed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The client has said `quit`, or reads no more.
    #[error("the client has ended")]
    Quit,
}

/// Why a command is not carried out.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The client is told so.
    Refused(ErrorReply),
    Broken(Broken),
}

impl<T: Into<Broken>> From<T> for Fault {
    fn from(error: T) -> Self {
        Self::Broken(error.into())
    }
}

impl From<ErrorReply> for Fault {
    fn from(error: ErrorReply) -> Self {
        Self::Refused(error)
    }
}

/// The error of an argument that the engine does not take.
pub(crate) fn bad_argument(text: impl Into<String>) -> ErrorReply {
    ErrorReply::new(ErrorCode::BadArgument, text)
}

/// The error of a command that the engine refuses, with its reason.
pub(crate) fn refusal(command: &str, why: &str) -> ErrorReply {
    bad_argument(format!("the engine refuses '{command}': {}", shown(why)))
}

/// The error of something that the other protocol has no words for.
pub(crate) fn not_here(text: impl Into<String>) -> ErrorReply {
    ErrorReply::new(ErrorCode::NotInThisGame, text)
}

/// The error of a move that the engine does not accept; `index` counts from 1 (SPEC 6.6).
pub(crate) fn illegal_move(index: usize, mv: &str, why: &str) -> ErrorReply {
    let reply = ErrorReply::new(ErrorCode::IllegalMove, format!("the engine says: {}", shown(why)));
    reply.with("index", index).with("move", shown(mv)).with("reason", "refused").with("at", "-")
}
