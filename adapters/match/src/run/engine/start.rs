//! Starting an engine: greeting, options, game.

use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use leap_client::{Client, ClientError, EngineInfo, Greeting, Next};
use leap_protocol::{Command, Dialect, Query, Reply};

use super::{AskError, Engine, EngineError, endless};
use crate::events::Reason;
use crate::plan::config::{Config, EngineConfig};
use crate::plan::resolve;
use crate::run::wire::WireLog;

/// The most options that an engine may declare.
const MOST_OPTIONS: usize = 10_000;

impl Engine {
    /// Starts an engine, sets its options and the game, and waits until it is ready. Its standard error goes to
    /// `stderr`. A program that cannot be started is the machine's fault: all were started before the first game.
    pub(crate) fn start(
        engine: &EngineConfig,
        config: &Config,
        stderr: Stdio,
        wire: &WireLog,
    ) -> Result<Self, EngineError> {
        let client = Client::start(&engine.command(), stderr)
            .map_err(|error| EngineError::new(Reason::Crash, error.to_string()).by_machine())?;
        let mut started = Self {
            client,
            name: Rc::from(engine.name.as_str()),
            dialect: engine.protocol.into(),
            patience: Duration::from_millis(config.patience_ms),
            margin: Duration::from_millis(config.margin_ms),
            latency: Duration::from_millis(engine.latency_ms),
            stall: Duration::from_millis(config.stall_ms),
            info: EngineInfo::default(),
            pings: 0,
            pondering: false,
            wire: wire.clone(),
        };
        match started.set_up(engine, config) {
            Err(error) if started.client.found_no_program() => Err(error.by_machine()),
            set_up => set_up.map(|()| started),
        }
    }

    fn set_up(&mut self, engine: &EngineConfig, config: &Config) -> Result<(), EngineError> {
        self.greet()?;
        self.set_options(engine, config)?;
        self.find_extensions()
    }

    fn greet(&mut self) -> Result<(), EngineError> {
        let expected = match self.dialect {
            Dialect::Ugi => "'ugiok'",
            Dialect::Uci => "'uciok'",
        };
        let mut greeting = Greeting::new(self.dialect, self.patience);
        let mut next = Ok(Next::Send(Command::Hello(self.dialect)));
        loop {
            match next.map_err(|error| self.not_greeted(&error, expected))? {
                Next::Done => break,
                Next::Send(command) => self.send(&command.to_string())?,
                Next::Wait => {}
            }
            next = match self.receive_before(greeting.deadline(), expected)? {
                Some((Reply::Option(_), _)) if greeting.info.options.len() >= MOST_OPTIONS => {
                    return Err(endless("options"));
                }
                Some((reply, _)) => greeting.note(reply),
                None => greeting.silence(),
            };
        }
        self.info = greeting.info;
        Ok(())
    }

    /// The fault of an engine that is there, but does not answer the greeting.
    fn not_greeted(&mut self, error: &ClientError, expected: &str) -> EngineError {
        let fault = match error {
            ClientError::Ignored(_) | ClientError::Speaks(_) => {
                EngineError::new(Reason::Stall, format!("expected {expected}, but {error}"))
            }
            error => self.error(error, expected),
        };
        let speaks = if let ClientError::Speaks(dialect) = error { Some(*dialect) } else { None };
        EngineError { speaks, ..fault }
    }

    fn find_extensions(&mut self) -> Result<(), EngineError> {
        self.info.protocol = match self.ask_if_known(&Query::Protocol.to_string()) {
            Ok(answers) => answers.first().and_then(|body| body.parse().ok()),
            Err(AskError::Refused(_)) => None,
            Err(AskError::Failed(error)) => return Err(error),
        };
        Ok(())
    }

    /// Sets all options before the engine is asked anything: some engines take no more options after the first
    /// `isready`.
    fn set_options(&mut self, engine: &EngineConfig, config: &Config) -> Result<(), EngineError> {
        for setting in self.settings(engine, config)? {
            self.send(&setting.to_string())?;
        }
        self.ping()?;
        self.settle()
    }

    /// The options to set. One for all engines is skipped by those that lack it; an engine's own option must exist.
    fn settings(
        &self,
        engine: &EngineConfig,
        config: &Config,
    ) -> Result<Vec<Command>, EngineError> {
        let refused = |error: ClientError| EngineError::new(Reason::Refused, error.to_string());
        let mut settings = Vec::new();
        if let (Some(game), Some(option)) = (&config.game, self.info.game_option()) {
            let (name, value) = (option.name.clone(), self.info.game(game).map_err(refused)?);
            settings.push(Command::SetOption { name, value: Some(value) });
        }
        if config.ponder && self.info.option("Ponder").is_some() {
            settings.push(self.info.setting("Ponder", "true").map_err(refused)?);
        }
        for (name, (value, own)) in resolve::options(config, engine) {
            match self.info.setting(name, value) {
                Ok(setting) => settings.push(setting),
                Err(ClientError::NoSuchOption { .. }) if !own => {}
                Err(error) => return Err(refused(error)),
            }
        }
        Ok(settings)
    }
}
