//! A worker's engine, as player or referee: a session with its options, whose failures are told apart by kind.

mod think;

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use leap_client::{Client, ClientError, EngineInfo, Session};
use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Command, Dialect, ErrorReply, shown};
use thiserror::Error;

use super::wire::WireLog;
use crate::events::Reason;
use crate::plan::config::{Config, EngineConfig};
use crate::plan::resolve;

pub(crate) use think::SearchResult;

/// An engine has failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub(crate) struct EngineError {
    /// The kind of failure.
    pub(crate) kind: Reason,
    /// What was expected and what was found.
    pub(crate) text: String,
    /// The dialect that the engine speaks instead of the one asked for.
    pub(crate) speaks: Option<Dialect>,
    /// This machine lacks something: no engine is guilty.
    pub(crate) by_machine: bool,
}

impl EngineError {
    pub(crate) fn new(kind: Reason, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), speaks: None, by_machine: false }
    }

    /// The same failure, for which this machine is to blame.
    pub(crate) fn by_machine(self) -> Self {
        Self { by_machine: true, ..self }
    }

    /// The same failure, for which this machine is to blame. `why` says what it lacks.
    pub(crate) fn by_machine_since(self, why: &str) -> Self {
        Self { text: format!("{}; {why}", self.text), ..self }.by_machine()
    }
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Engine {
    session: Session,
    name: Arc<str>,
    /// How long a move may take beyond the time allowed for it: margin, reply timeout, and the way to the engine and back.
    grace: Duration,
    /// What the way to it and back takes, as the configuration says.
    latency: Duration,
    hang_timeout: Duration,
    /// A search on the opponent's time is running.
    pondering: bool,
    wire: WireLog,
}

impl Engine {
    /// Starts an engine, sets its options and the game, and waits until it is ready. Its standard error goes to
    /// `stderr`. A program that cannot be started is the machine's fault: all were started before the first game.
    pub(crate) fn start(
        engine: &EngineConfig,
        config: &Config,
        stderr: Stdio,
        wire: &WireLog,
    ) -> Result<Self, EngineError> {
        let ms = Duration::from_millis;
        let client = Client::start(&engine.command(), stderr)
            .map_err(|error| EngineError::new(Reason::Crash, error.to_string()).by_machine())?;
        let mut session = Session::new(client, engine.protocol.into(), ms(config.patience_ms));
        session.be_strict();
        let name: Arc<str> = Arc::from(engine.name.as_str());
        session.observe(wire.observer(&name));
        let latency = ms(engine.latency_ms);
        let mut started = Self {
            session,
            name,
            grace: latency + ms(config.margin_ms) + ms(config.patience_ms),
            latency,
            hang_timeout: ms(config.stall_ms),
            pondering: false,
            wire: wire.clone(),
        };
        let set_up = started.with(|session| {
            session.greet()?;
            // Before anything is asked: some engines take no more options after the first `isready`.
            let settings = settings(session.info(), engine, config)?;
            session.set_all(settings)?;
            session.discover()
        });
        match set_up {
            Err(error) if started.session.client().found_no_program() => Err(error.by_machine()),
            set_up => set_up.map(|()| started),
        }
    }

    /// Whether the engine announces the extension (SPEC 4.6).
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.session.supports(extension)
    }

    /// What the engine has announced.
    pub(crate) fn info(&self) -> &EngineInfo {
        self.session.info()
    }

    /// Whether the questions of UGI can be asked.
    pub(crate) fn answers(&self) -> bool {
        let extends = |protocol: &ProtocolInfo| !protocol.extensions.is_empty();
        let protocol = &self.info().protocol;
        self.session.dialect() == Dialect::Ugi || protocol.as_ref().is_some_and(extends)
    }

    /// Does something that the engine may not refuse.
    pub(crate) fn with<T>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, ClientError>,
    ) -> Result<T, EngineError> {
        act(&mut self.session).map_err(|error| self.failure(error))
    }

    /// Asks something that the engine may refuse.
    pub(crate) fn try_to<T>(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<T, ClientError>,
    ) -> Result<Result<T, ErrorReply>, EngineError> {
        match act(&mut self.session) {
            Err(ClientError::Refused(error)) => Ok(Err(error)),
            done => done.map(Ok).map_err(|error| self.failure(error)),
        }
    }

    /// The kind of an error, and what was expected and found.
    fn failure(&mut self, error: ClientError) -> EngineError {
        let awaited = self.session.awaited();
        let found = |kind, found: &str| {
            EngineError::new(kind, format!("expected {awaited}, found {found}"))
        };
        match error {
            ClientError::Timeout(_) => found(Reason::Stall, "none in time"),
            // A flood of unsolicited lines is the same fault as silence, however fast the engine writes.
            ClientError::Flood(bytes) => found(Reason::Stall, &format!("none in {bytes} bytes")),
            ClientError::NoText(line) => found(Reason::Garbage, line),
            ClientError::Ignored(_) | ClientError::Speaks(_) => {
                let text = format!("expected {awaited}, but {error}");
                let speaks =
                    if let ClientError::Speaks(other) = error { Some(other) } else { None };
                EngineError { speaks, ..EngineError::new(Reason::Stall, text) }
            }
            ClientError::Unasked(_) => EngineError::new(Reason::ExtraBestmove, error.to_string()),
            ClientError::Endless(_) => EngineError::new(Reason::Garbage, error.to_string()),
            ClientError::Unexpected { expected, found } => {
                let text = format!("expected {expected}, found '{}'", shown(&found));
                EngineError::new(Reason::Garbage, text)
            }
            ClientError::Refused(error) => {
                let text = format!("expected no error, found '{}'", shown(&error.to_string()));
                EngineError::new(Reason::Refused, text)
            }
            ClientError::NoSuchOption { .. }
            | ClientError::BadValue { .. }
            | ClientError::NoSuchGame { .. } => {
                EngineError::new(Reason::Refused, error.to_string())
            }
            _ => {
                let end = self.session.client().how_it_ended();
                self.wire.note_end(&self.name, &end);
                let error = found(Reason::Crash, &format!("the engine dead: {end}"));
                match self.session.client().lacked_memory() {
                    true => error.by_machine_since("the system lacks memory"),
                    false => error,
                }
            }
        }
    }

    /// Quits the engine politely first.
    pub(crate) fn quit(self, patience: Duration) {
        // Dropping it kills it.
        let _ = self.session.quit_within(patience);
    }
}

/// The options to set. One for all engines is skipped by those that lack it; an engine's own option must exist.
fn settings(
    info: &EngineInfo,
    engine: &EngineConfig,
    config: &Config,
) -> Result<Vec<Command>, ClientError> {
    let mut settings = Vec::new();
    if let (Some(game), Some(option)) = (&config.game, info.game_option()) {
        let (name, value) = (option.name.clone(), Some(info.game(game)?));
        settings.push(Command::SetOption { name, value });
    }
    if config.ponder && info.option("Ponder").is_some() {
        settings.push(info.setting("Ponder", "true")?);
    }
    for (name, (value, own)) in resolve::options(config, engine) {
        match info.setting(name, value) {
            Err(ClientError::NoSuchOption { .. }) if !own => {}
            setting => settings.push(setting?),
        }
    }
    Ok(settings)
}
