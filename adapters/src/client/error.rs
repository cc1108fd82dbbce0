//! The errors of a client.

use std::time::Duration;

use leap_protocol::ErrorReply;
use leap_protocol::payload::PayloadError;
use thiserror::Error;

use super::EngineCommand;

/// Why an engine could not be used.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The program cannot be started.
    #[error("cannot start the engine {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The engine has closed its input or output, or has exited.
    #[error("the engine has closed the connection")]
    Closed,
    /// The engine did not answer in time.
    #[error("the engine did not answer within {} ms", .0.as_millis())]
    Timeout(Duration),
    /// The engine wrote more than this number of bytes without completing its answer.
    #[error("expected an answer of the engine, found more than {0} bytes without an end")]
    Flood(usize),
    /// The engine answered with an error.
    #[error("the engine refused: {0}")]
    Refused(ErrorReply),
    /// The answer of the engine could not be parsed.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The answer of the engine makes no sense.
    #[error("expected {expected}, found '{found}'")]
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// What came.
        found: String,
    },
    /// The engine's process cannot be waited for.
    #[error("cannot wait for the engine: {0}")]
    Wait(std::io::Error),
}

impl ClientError {
    /// The program cannot be started.
    pub(crate) fn start(command: &EngineCommand, source: std::io::Error) -> Self {
        Self::Start { program: command.program.display().to_string(), source }
    }
}
