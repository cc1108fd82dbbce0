//! One of the two engines: what it supports and how it answers.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use leap_client::{Client, ClientError, EngineCommand, EngineInfo};
use leap_protocol::{Command, Reply};

use super::LineOfPlay;

/// How many times longer than a reply a perft may take.
const PERFT_PATIENCE: u32 = 100;

/// An engine, and what it announces.
pub(super) struct ComparedEngine {
    client: Client,
    patience: Duration,
    info: EngineInfo,
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
        patience: Duration,
        options: &[(String, String)],
    ) -> anyhow::Result<Self> {
        log::debug!("starting engine {name}: {command}");
        let command = EngineCommand::from_text(command)?;
        let (mut client, mut info) = Client::open(&command, show_stderr, patience)?;
        let setting = |(name, value): &(String, String)| info.setting(name, value);
        let settings: Vec<_> = options.iter().map(setting).collect::<Result<_, _>>()?;
        client.set_options(settings, patience).context("the options")?;
        client.discover(&mut info, patience).context("no answer to 'isready'")?;
        Ok(Self { client, patience, info, game: None, dead: None })
    }

    pub(super) fn games(&self) -> &[String] {
        &self.info.games
    }

    /// The name of the option that selects the game.
    pub(super) fn game_option(&self) -> &str {
        self.info.game_option().map_or("Game", |option| &option.name)
    }

    pub(super) fn has(&self, extension: &str) -> bool {
        self.info.supports(extension)
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
        let patience = self.patience;
        let lines = self.unless_dead(command, |client| client.replies(command, patience))?;
        Ok(lines.join("\n"))
    }

    /// Perft counts by move: the engine's lines, without times.
    pub(super) fn perft(&mut self, depth: u32) -> String {
        let command = format!("perft {depth}");
        let patience = self.patience * PERFT_PATIENCE;
        self.unless_dead(&command, |client| perft(client, &command, patience))
            .unwrap_or_else(|fault| fault)
    }

    fn unless_dead<T>(
        &mut self,
        command: &str,
        ask: impl FnOnce(&mut Client) -> Result<T, ClientError>,
    ) -> Result<T, String> {
        if let Some(fault) = &self.dead {
            return Err(fault.clone());
        }
        ask(&mut self.client).map_err(|error| {
            let fault = format!("(no answer to '{command}': {error})");
            self.dead = Some(fault.clone());
            fault
        })
    }
}

/// `isready` is answered while a perft is still running, so its own last line must be awaited.
fn perft(client: &mut Client, command: &str, patience: Duration) -> Result<String, ClientError> {
    client.send_line(command)?;
    let deadline = Instant::now() + patience;
    let mut lines = String::new();
    loop {
        let (line, _) = client.receive_line(deadline)?;
        match Reply::parse(&line) {
            Reply::Info(_) => {}
            Reply::PerftTotal { depth, nodes, .. } => {
                return Ok(format!("{lines}perft {depth} nodes {nodes}\n"));
            }
            Reply::Error(_) => return Ok(line),
            _ => lines = lines + &line + "\n",
        }
    }
}
