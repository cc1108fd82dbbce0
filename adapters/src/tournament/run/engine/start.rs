//! Starting an engine: greeting, options, game.

use std::rc::Rc;
use std::time::{Duration, Instant};

use leap_protocol::{Dialect, Query, Reply};

use super::{AskError, Engine, EngineError, endless};
use crate::client::{Client, EngineInfo};
use crate::tournament::events::Reason;
use crate::tournament::plan::config::{Config, EngineConfig};
use crate::tournament::plan::resolve;
use crate::tournament::run::stderr::StderrLog;
use crate::tournament::run::wire::WireLog;

/// The most options that an engine may declare.
const MOST_OPTIONS: usize = 10_000;

impl Engine {
    /// Starts an engine, sets its options and the game, and waits until it is ready. Its standard error is appended to
    /// the log.
    pub(crate) fn start(
        engine: &EngineConfig,
        config: &Config,
        stderr: &StderrLog,
        wire: &WireLog,
    ) -> Result<Self, EngineError> {
        let client = Client::start(&engine.command(), stderr.open())
            .map_err(|error| EngineError::new(Reason::Crash, error.to_string()))?;
        let mut started = Self {
            client,
            name: Rc::from(engine.name.as_str()),
            dialect: engine.protocol.into(),
            patience: Duration::from_millis(config.patience_ms),
            margin: Duration::from_millis(config.margin_ms),
            stall: Duration::from_millis(config.stall_ms),
            info: EngineInfo::default(),
            pings: 0,
            pondering: false,
            wire: wire.clone(),
        };
        started.greet()?;
        started.find_extensions()?;
        started.set_options(engine, config)?;
        Ok(started)
    }

    fn greet(&mut self) -> Result<(), EngineError> {
        let expected = match self.dialect {
            Dialect::Ugi => "'ugiok'",
            Dialect::Uci => "'uciok'",
        };
        self.send(&self.dialect.to_string())?;
        let deadline = Instant::now() + self.patience;
        loop {
            let reply = self.receive(deadline, expected)?.0;
            if matches!(reply, Reply::Option(_)) && self.info.options.len() >= MOST_OPTIONS {
                return Err(endless("options"));
            }
            if self.info.note(reply, self.dialect) {
                return Ok(());
            }
        }
    }

    fn find_extensions(&mut self) -> Result<(), EngineError> {
        self.info.protocol = match self.ask_if_known(&Query::Protocol.to_string()) {
            Ok(answers) => answers.first().and_then(|body| body.parse().ok()),
            Err(AskError::Refused(_)) => None,
            Err(AskError::Failed(error)) => return Err(error),
        };
        Ok(())
    }

    /// An option for all engines is skipped by those that lack it; an engine's own option must exist.
    fn set_options(&mut self, engine: &EngineConfig, config: &Config) -> Result<(), EngineError> {
        if let Some(game) = &config.game {
            match self.info.game_option().map(|option| option.name.clone()) {
                Some(name) => self.set_option(&name, game)?,
                None => log::warn!("{} has no option for the game", engine.name),
            }
        }
        if config.ponder && self.declared("Ponder").is_some() {
            self.set_option("Ponder", "true")?;
        }
        for (name, (value, own)) in resolve::options(config, engine) {
            match self.declared(name) {
                Some(name) => self.set_option(&name, value)?,
                None if own => {
                    let text = format!("expected an option '{name}', found none of this name");
                    return Err(EngineError::new(Reason::Refused, text));
                }
                None => log::warn!("{} has no option '{name}'", engine.name),
            }
        }
        self.ping()?;
        self.settle()
    }
    /// The name of an option in the engine's spelling.
    fn declared(&self, name: &str) -> Option<String> {
        self.info.option(name).map(|option| option.name.clone())
    }
}
