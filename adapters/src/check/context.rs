//! What the steps are given: the engine, what it says of itself, and the limits of patience.

use std::cell::RefCell;
use std::time::Duration;

use leap_protocol::Dialect;

use crate::client::{Client, ClientError, EngineCommand, EngineInfo, PositionCommand};

/// The word, in place of an extension, for an engine that answers `query protocol`.
pub(super) const LEAP: &str = "leap";

/// Greets the engine and asks what it can do; `None` if it does not answer the greeting. What else goes wrong is what the
/// steps find out.
///
/// # Errors
/// The engine cannot be started.
pub(super) fn greet(
    engine: &EngineCommand,
    show_stderr: bool,
    patience: Duration,
) -> Result<Option<EngineInfo>, ClientError> {
    let mut client = Client::start_showing(engine, show_stderr)?;
    let Ok(mut info) = client.greet(Dialect::Ugi, patience) else { return Ok(None) };
    let _ = client.discover(&mut info, patience);
    Ok(Some(info))
}

/// What a step works with.
pub(super) struct Context<'a> {
    pub(super) engine: &'a EngineCommand,
    pub(super) show_stderr: bool,
    /// What the engine says of itself, asked once before the steps.
    pub(super) info: &'a EngineInfo,
    /// Whether it answers the greeting at all.
    pub(super) greeted: bool,
    /// How long to wait for a reply that needs no thinking.
    pub(super) patience: Duration,
    /// What a search may take beyond its limit.
    pub(super) margin: Duration,
    /// The game to set up; `None` for that which the engine begins with.
    pub(super) game: Option<String>,
    /// The dialogue so far, for the report.
    pub(super) log: RefCell<Vec<String>>,
}

/// Lines of the dialogue that are kept.
const LOG_LINES: usize = 400;
/// Characters of a line that are kept.
const LOG_CHARS: usize = 240;

impl Context<'_> {
    /// Adds a line to the dialogue.
    pub(super) fn note(&self, line: &str) {
        let mut log = self.log.borrow_mut();
        if log.len() == LOG_LINES {
            // The beginning says what was set up, the end what went wrong: the middle can go.
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

/// The beginning of a long line, with what was left out.
pub(super) fn shorten(line: &str) -> String {
    match line.char_indices().nth(LOG_CHARS) {
        Some((at, _)) => format!("{}... ({} bytes)", &line[..at], line.len()),
        None => line.to_owned(),
    }
}
