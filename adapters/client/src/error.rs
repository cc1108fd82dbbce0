//! The errors of a client.

use std::io;
use std::path::Path;
use std::time::Duration;

use leap_protocol::payload::PayloadError;
use leap_protocol::{Dialect, ErrorReply, shown};
use thiserror::Error;

use super::EngineCommand;

/// Why an engine could not be used.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The program cannot be started.
    #[error("cannot start the engine {program}: {cause}")]
    Start {
        /// The program.
        program: String,
        /// The cause.
        cause: String,
    },
    /// The engine has closed its input or output, or has exited.
    #[error("the engine has closed the connection")]
    Closed,
    /// The engine did not answer in time.
    #[error("the engine did not answer within {} ms", .0.as_millis())]
    Timeout(Duration),
    /// The engine is there, but does not know the greeting.
    #[error("the engine answers 'isready', but not '{0}'")]
    Ignored(Dialect),
    /// The engine answers only the greeting of this dialect, which is not the one asked for.
    #[error("the engine speaks {name} only: it answers '{0}'", name = .0.to_string().to_uppercase())]
    Speaks(Dialect),
    /// The engine could not be greeted.
    #[error("no answer to '{asked}': {cause}{}", last_words(.stderr))]
    Greeting {
        /// The greeting.
        asked: Dialect,
        /// The dialect that the engine speaks instead, if it is known.
        speaks: Option<Dialect>,
        /// What happened instead.
        cause: String,
        /// The last lines of the engine's standard error, if they have not been shown yet.
        stderr: Vec<String>,
    },
    /// The engine wrote more than this number of bytes without completing its answer.
    #[error("expected an answer of the engine, found more than {0} bytes without an end")]
    Flood(usize),
    /// The engine wrote more of these than any complete answer has.
    #[error("expected some {0}, found no end of them")]
    Endless(&'static str),
    /// The engine wrote a line that is no text, or is too long.
    #[error("expected a line of text, found {0}")]
    NoText(&'static str),
    /// The engine answered `bestmove` with this move, and nobody had asked for one.
    #[error("expected nothing while idle, found 'bestmove {}'", shown(.0))]
    Unasked(String),
    /// The engine answered with an error.
    #[error("the engine refused: {0}")]
    Refused(ErrorReply),
    /// The engine does not have the option.
    #[error("expected an option of the engine, found '{name}'{}", suggestion(.nearest.as_deref()))]
    NoSuchOption {
        /// What was asked for.
        name: String,
        /// The option with the most similar name.
        nearest: Option<String>,
    },
    /// The engine announces that the option takes no such value.
    #[error("option {name}: expected {expected}, found '{found}'")]
    BadValue {
        /// The option.
        name: String,
        /// What the engine announces.
        expected: String,
        /// What was asked for.
        found: String,
    },
    /// The engine does not play the game.
    #[error("expected one of the games {known}, found '{name}'{}", suggestion(.nearest.as_deref()))]
    NoSuchGame {
        /// What was asked for.
        name: String,
        /// The games that there are.
        known: String,
        /// The most similar one.
        nearest: Option<String>,
    },
    /// The engine plays one game, and has no option to choose another.
    #[error(
        "expected an engine with a choice of games, found one without; it cannot be told '{0}'"
    )]
    OneGame(String),
    /// The answer of the engine could not be parsed.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The answer of the engine makes no sense.
    #[error("expected {expected}, found '{found}'")]
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// The engine's process cannot be waited for.
    #[error("cannot wait for the engine: {0}")]
    Wait(io::Error),
}

impl ClientError {
    /// The program cannot be started.
    pub fn start(command: &EngineCommand, error: &io::Error) -> Self {
        let cause = why_not_started(command, error);
        Self::Start { program: command.program.display().to_string(), cause }
    }
}

/// The cause in words that tell a person what to change, or else in the system's own words.
fn why_not_started(command: &EngineCommand, error: &io::Error) -> String {
    let EngineCommand { program, directory, .. } = command;
    let is_name = program.components().count() == 1;
    match error.kind() {
        io::ErrorKind::NotFound => match directory {
            Some(directory) if !directory.is_dir() => {
                format!("expected the directory {}, found none", directory.display())
            }
            _ if is_name && program.is_file() => {
                format!("it is not in PATH; did you mean ./{}?", program.display())
            }
            _ if program.to_string_lossy().contains(' ') => {
                format!("{error}; a program and its arguments are separate words")
            }
            _ if is_name => "it is not in PATH".to_owned(),
            _ if program.is_file() => {
                "its first line names an interpreter that is missing".to_owned()
            }
            _ => error.to_string(),
        },
        io::ErrorKind::PermissionDenied if program.is_dir() => {
            "expected a program, found a directory".to_owned()
        }
        io::ErrorKind::PermissionDenied if Path::new(program).is_file() => {
            "expected a program, found a file that is not executable".to_owned()
        }
        _ => match what_helps(error) {
            Some(help) => format!("{error}; {help}"),
            None => error.to_string(),
        },
    }
}

/// What a person can do where this machine lacks something.
#[cfg(unix)]
fn what_helps(error: &io::Error) -> Option<&'static str> {
    use nix::errno::Errno;
    Some(match Errno::from_raw(error.raw_os_error()?) {
        Errno::EMFILE => "this program may open no more files, see 'ulimit -n'",
        Errno::ENFILE => "this machine may open no more files",
        Errno::EAGAIN => "there may be no more processes or threads, see 'ulimit -u'",
        Errno::ENOMEM => "this machine has too little memory",
        Errno::ETXTBSY | Errno::ENOEXEC => "the program may be in the middle of a build",
        _ => return None,
    })
}

#[cfg(not(unix))]
fn what_helps(_error: &io::Error) -> Option<&'static str> {
    None
}

/// The end of a message: what an engine has said to explain itself.
pub fn last_words(stderr: &[String]) -> String {
    match stderr {
        [] => String::new(),
        lines => format!("; its standard error: {}", lines.join(" | ")),
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}
