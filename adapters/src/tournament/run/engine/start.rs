//! The start of an engine: greeting, options, game.

use std::rc::Rc;
use std::time::{Duration, Instant};

use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Dialect, OptionDecl, Query, Reply};

use super::{Engine, Trouble, endless};
use crate::client::Client;
use crate::tournament::events::Reason;
use crate::tournament::plan::config::{Config, EngineConfig, Protocol};
use crate::tournament::plan::resolve;
use crate::tournament::run::stderr::Log;
use crate::tournament::run::wire::Wire;

/// The options that pick the game, in the order in which they are looked for.
const GAME_OPTIONS: [&str; 2] = ["Game", "UCI_Variant"];

/// Options that an engine may declare.
const MOST_OPTIONS: usize = 10_000;

impl Engine {
    /// Starts an engine, sets its options and the game, and waits until it is ready. What it writes to standard error is
    /// added to the log.
    pub(crate) fn start(
        engine: &EngineConfig,
        config: &Config,
        stderr: &Log,
        wire: &Wire,
    ) -> Result<Engine, Trouble> {
        let client = Client::start(&engine.command(), stderr.open())
            .map_err(|error| Trouble::new(Reason::Crash, error.to_string()))?;
        let mut started = Engine {
            client,
            name: Rc::from(engine.name.as_str()),
            protocol: engine.protocol,
            patience: Duration::from_millis(config.patience_ms),
            margin: Duration::from_millis(config.margin_ms),
            stall: Duration::from_millis(config.stall_ms),
            extensions: Vec::new(),
            pings: 0,
            pondering: false,
            wire: wire.clone(),
        };
        let declared = started.greet()?;
        started.find_extensions()?;
        started.set_options(engine, config, &declared)?;
        Ok(started)
    }

    fn greet(&mut self) -> Result<Vec<OptionDecl>, Trouble> {
        let (dialect, expected) = match self.protocol {
            Protocol::Ugi => (Dialect::Ugi, "'ugiok'"),
            Protocol::Uci => (Dialect::Uci, "'uciok'"),
        };
        self.send(&dialect.to_string())?;
        let deadline = Instant::now() + self.patience;
        let mut declared = Vec::new();
        loop {
            match self.receive(deadline, expected)?.0 {
                Reply::Option(_) if declared.len() >= MOST_OPTIONS => {
                    return Err(endless("options"));
                }
                Reply::Option(option) => declared.push(option),
                Reply::HelloOk(found) if found == dialect => return Ok(declared),
                _ => {}
            }
        }
    }

    fn find_extensions(&mut self) -> Result<(), Trouble> {
        let (answers, _) = self.ask_if(&Query::Protocol.to_string())?;
        if let Some(Ok(ProtocolInfo { extensions, .. })) = answers.first().map(|body| body.parse())
        {
            self.extensions = extensions;
        }
        Ok(())
    }

    /// An engine that declares no option of a name that all engines are to set does without; one of its own must be there.
    fn set_options(
        &mut self,
        engine: &EngineConfig,
        config: &Config,
        declared: &[OptionDecl],
    ) -> Result<(), Trouble> {
        let find = |name: &str| {
            let named = |option: &&OptionDecl| option.name.eq_ignore_ascii_case(name);
            declared.iter().find(named).map(|option| option.name.clone())
        };
        if let Some(game) = &config.game {
            match GAME_OPTIONS.iter().find_map(|name| find(name)) {
                Some(option) => self.set_option(&option, game)?,
                None => log::warn!("{} has no option for the game", engine.name),
            }
        }
        if config.ponder && find("Ponder").is_some() {
            self.set_option("Ponder", "true")?;
        }
        for (name, (value, own)) in resolve::options(config, engine) {
            match find(name) {
                Some(name) => self.set_option(&name, value)?,
                None if own => {
                    let text = format!("expected an option '{name}', found none of this name");
                    return Err(Trouble::new(Reason::Refused, text));
                }
                None => log::warn!("{} has no option '{name}'", engine.name),
            }
        }
        self.ping()?;
        self.settle()
    }
}
