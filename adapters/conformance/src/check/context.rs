//! What every step receives: the engine, what it announces, and the time limits.

use std::cell::RefCell;
use std::time::Duration;

use leap_client::{ClientError, EngineCommand, EngineInfo, PositionCommand, Session};

/// Stands for any extension: required of engines that answer `query protocol` at all.
pub(super) const LEAP: &str = "leap";

/// Greets the engine and asks what it can do; the inner error says why it does not answer the greeting. Other faults
/// are left for the steps to find.
///
/// # Errors
/// The engine cannot be started.
pub(super) fn greet(
    engine: &EngineCommand,
    show_stderr: bool,
    reply_timeout: Duration,
) -> Result<Result<EngineInfo, ClientError>, ClientError> {
    match Session::start_showing(engine, show_stderr, reply_timeout) {
        Ok(mut session) => {
            let _ = session.discover();
            Ok(Ok(session.info().clone()))
        }
        Err(error @ ClientError::Start { .. }) => Err(error),
        Err(error) => Ok(Err(error)),
    }
}

/// The context in which a step runs.
pub(super) struct Context<'a> {
    pub(super) engine: &'a EngineCommand,
    pub(super) show_stderr: bool,
    /// What the engine announces, asked once before the steps.
    pub(super) info: &'a EngineInfo,
    /// Whether the engine answers the greeting at all.
    pub(super) greeted: bool,
    /// How long to wait for a reply that needs no thinking.
    pub(super) patience: Duration,
    /// Extra time that a search may take beyond its limit.
    pub(super) margin: Duration,
    /// The game to set up; `None` for the engine's default game.
    pub(super) game: Option<String>,
    /// The dialogue so far, for the report.
    pub(super) log: RefCell<Vec<String>>,
}

/// Lines of the dialogue that are kept.
const LOG_LINES: usize = 400;
/// Characters of a line that are kept.
const LOG_CHARS: usize = 240;

impl Context<'_> {
    /// Appends a line to the dialogue.
    pub(super) fn note(&self, line: &str) {
        let mut log = self.log.borrow_mut();
        if log.len() == LOG_LINES {
            // The start shows the setup and the end shows the failure, so the middle is dropped.
            log.remove(LOG_LINES / 8);
        }
        log.push(shorten(line));
    }

    /// Whether the engine announces the extension; `leap` stands for any.
    pub(super) fn has(&self, extension: &str) -> bool {
        match extension {
            LEAP => self.info.protocol.is_some(),
            name => self.info.supports(name),
        }
    }

    /// The commands that put up the start position and moves from it.
    pub(super) fn position(moves: &[String]) -> String {
        PositionCommand::new(None, moves).to_string()
    }
}

/// The start of a long line, with the number of characters left out.
pub(super) fn shorten(line: &str) -> String {
    match line.char_indices().nth(LOG_CHARS) {
        Some((at, _)) => format!("{}... ({} bytes)", &line[..at], line.len()),
        None => line.to_owned(),
    }
}
