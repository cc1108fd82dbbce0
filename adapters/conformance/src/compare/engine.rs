//! One of the two engines: what it supports and how it answers.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use leap_client::{ClientError, EngineCommand, Session};
use leap_protocol::{Command, Reply};

use super::LineOfPlay;

/// How many times longer than a reply a perft may take.
const PERFT_TIMEOUT: u32 = 100;

/// An engine, and what has been said to it.
pub(super) struct ComparedEngine {
    session: Session,
    perft_timeout: Duration,
    /// The current game.
    game: Option<String>,
    /// Why the engine no longer answers; `None` while it does.
    dead: Option<String>,
}

impl ComparedEngine {
    /// Starts and greets an engine and sets its options. `command` is a program, or a command line quoted as in a
    /// shell.
    pub(super) fn start(
        name: &'static str,
        command: &str,
        show_stderr: bool,
        reply_timeout: Duration,
        options: &[(String, String)],
    ) -> anyhow::Result<Self> {
        log::debug!("starting engine {name}: {command}");
        let command = EngineCommand::from_text(command)?;
        let mut session = Session::start_showing(&command, show_stderr, reply_timeout)?;
        let setting = |(name, value): &(String, String)| session.info().setting(name, value);
        let settings: Vec<_> = options.iter().map(setting).collect::<Result<_, _>>()?;
        session.set_all(settings).context("the options")?;
        session.discover().context("no answer to 'isready'")?;
        let perft_timeout = reply_timeout * PERFT_TIMEOUT;
        Ok(Self { session, perft_timeout, game: None, dead: None })
    }

    pub(super) fn games(&self) -> &[String] {
        &self.session.info().games
    }

    /// The name of the option that selects the game.
    pub(super) fn game_option(&self) -> &str {
        self.session.info().game_option().map_or("Game", |option| &option.name)
    }

    pub(super) fn has(&self, extension: &str) -> bool {
        self.session.supports(extension)
    }

    /// Sends a command and returns the reply as one text, without `info`. For a dead engine it is the cause of death.
    pub(super) fn say(&mut self, command: &str) -> String {
        self.lines(command).unwrap_or_else(|fault| fault).trim_end().to_owned()
    }

    /// Sets up a position; returns the error that the engine answers, or why it died.
    pub(super) fn set(&mut self, line: &LineOfPlay) -> Result<(), String> {
        if line.game.is_some() && line.game != self.game {
            let game = line.game.clone().unwrap_or_default();
            let name = self.game_option().to_owned();
            let choose = Command::SetOption { name, value: Some(game.clone()) };
            self.silent(&choose.to_string())?;
            self.game = Some(game);
        }
        self.silent(&line.command())
    }

    fn silent(&mut self, command: &str) -> Result<(), String> {
        match self.lines(command)? {
            lines if lines.is_empty() => Ok(()),
            lines => Err(lines),
        }
    }

    /// Joins the lines between a command and the `readyok` after it.
    fn lines(&mut self, command: &str) -> Result<String, String> {
        let lines = self.unless_dead(command, |session| session.replies(command))?;
        Ok(lines.join("\n"))
    }

    /// Perft counts by move: the engine's lines, without times.
    pub(super) fn perft(&mut self, depth: u32) -> String {
        let command = format!("perft {depth}");
        let timeout = self.perft_timeout;
        self.unless_dead(&command, |session| perft(session, &command, timeout))
            .unwrap_or_else(|fault| fault)
    }

    fn unless_dead<T>(
        &mut self,
        command: &str,
        ask: impl FnOnce(&mut Session) -> Result<T, ClientError>,
    ) -> Result<T, String> {
        if let Some(fault) = &self.dead {
            return Err(fault.clone());
        }
        ask(&mut self.session).map_err(|error| {
            let fault = format!("(no answer to '{command}': {error})");
            self.dead = Some(fault.clone());
            fault
        })
    }
}

/// `isready` is answered while a perft is still running, so its own last line must be awaited.
fn perft(session: &mut Session, command: &str, timeout: Duration) -> Result<String, ClientError> {
    session.send(command)?;
    let deadline = Instant::now() + timeout;
    let mut lines = String::new();
    loop {
        match session.receive(deadline, "'perft'")?.0 {
            Reply::Info(_) => {}
            Reply::PerftTotal { depth, nodes, .. } => {
                return Ok(format!("{lines}perft {depth} nodes {nodes}\n"));
            }
            Reply::Error(error) => return Ok(error.to_string()),
            reply => lines += &format!("{reply}\n"),
        }
    }
}
