//! One of the two engines: what it can do and what it answers.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use leap_protocol::payload::{ProtocolInfo, Tokens};
use leap_protocol::{Dialect, OptionDecl, OptionKind, Reply};

use super::Line;
use crate::client::{Client, ClientError, EngineCommand};

/// How much longer than a reply a perft may take.
const PERFT_PATIENCE: u32 = 100;

/// An engine with what it announces.
pub(super) struct Engine {
    client: Client,
    patience: Duration,
    extensions: Vec<String>,
    options: Vec<OptionDecl>,
    games: Vec<String>,
    /// The game that is set up.
    game: Option<String>,
    /// Why the engine answers no more, once it does not.
    dead: Option<String>,
}

impl Engine {
    /// Starts and greets an engine and sets its options. `command` is a program, or a command line in the quoting of a
    /// shell.
    pub(super) fn start(
        name: &'static str,
        command: &str,
        show_stderr: bool,
        patience: Duration,
        options: &[(String, String)],
    ) -> anyhow::Result<Engine> {
        log::debug!("starting engine {name}: {command}");
        let mut client = Client::start_showing(&parse_command(command)?, show_stderr)?;
        let greeting = client.greet(Dialect::Ugi, patience).context("no answer to 'ugi'")?;
        let mut engine = Engine {
            client,
            patience,
            extensions: Vec::new(),
            options: greeting.options,
            games: Vec::new(),
            game: None,
            dead: None,
        };
        engine.find_out().context("no answer to 'isready'")?;
        for (name, value) in options {
            engine.client.send_line(&format!("setoption name {name} value {value}"))?;
            engine.client.ready(patience).with_context(|| format!("option {name}"))?;
        }
        Ok(engine)
    }

    fn find_out(&mut self) -> Result<(), ClientError> {
        if let Some(Ok(info)) = self.answer("query protocol")?.map(|body| body.parse()) {
            let ProtocolInfo { extensions, .. } = info;
            self.extensions = extensions;
        }
        let option = self.options.iter().find(|option| option.name == self.game_option());
        if let Some(OptionDecl { kind: OptionKind::Combo { vars, .. }, .. }) = option {
            self.games.clone_from(vars);
        }
        if self.has("games")
            && let Some(Ok(Tokens(games))) = self.answer("query games")?.map(|body| body.parse())
        {
            self.games = games;
        }
        Ok(())
    }

    pub(super) fn games(&self) -> &[String] {
        &self.games
    }

    /// The name of the option that picks the game.
    pub(super) fn game_option(&self) -> &str {
        let option = |name: &str| self.options.iter().find(|o| o.name.eq_ignore_ascii_case(name));
        option("Game").or_else(|| option("UCI_Variant")).map_or("Game", |option| &option.name)
    }

    pub(super) fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|name| name == extension)
    }

    /// Sends a command; what the engine answers to it, if anything but `info`, in one text. A dead engine answers so.
    pub(super) fn say(&mut self, command: &str) -> String {
        self.lines(command, self.patience).unwrap_or_else(|fault| fault).trim_end().to_owned()
    }

    /// Puts a position up; the error that the engine answers, or what it died of.
    pub(super) fn set(&mut self, line: &Line) -> Result<(), String> {
        if line.game.is_some() && line.game != self.game {
            let game = line.game.clone().unwrap_or_default();
            self.silent(&format!("setoption name {} value {game}", self.game_option()))?;
            self.game = Some(game);
        }
        self.silent(&line.command())
    }

    fn silent(&mut self, command: &str) -> Result<(), String> {
        match self.lines(command, self.patience)? {
            lines if lines.is_empty() => Ok(()),
            lines => Err(lines.trim_end().to_owned()),
        }
    }

    /// The lines between a command and the `readyok` after it; `info` lines only of a perft.
    fn lines(&mut self, command: &str, patience: Duration) -> Result<String, String> {
        if let Some(fault) = &self.dead {
            return Err(fault.clone());
        }
        self.try_lines(command, patience).map_err(|error| {
            let fault = format!("(no answer to '{command}': {error})");
            self.dead = Some(fault.clone());
            fault
        })
    }

    fn try_lines(&mut self, command: &str, patience: Duration) -> Result<String, ClientError> {
        self.client.send_line(command)?;
        // A perft is still running when `isready` is answered, so that its own end counts.
        let perft = command.starts_with("perft");
        if !perft {
            self.client.send_line("isready")?;
        }
        let deadline = Instant::now() + patience;
        let mut lines = String::new();
        loop {
            let (line, _) = self.client.receive_line(deadline)?;
            let reply = Reply::parse(&line);
            match reply {
                Reply::ReadyOk if !perft => return Ok(lines),
                Reply::Info(_) => {}
                Reply::PerftTotal { depth, nodes, .. } => {
                    return Ok(format!("{lines}perft {depth} nodes {nodes}\n"));
                }
                Reply::Error(_) if perft => return Ok(line),
                _ => lines = lines + &line + "\n",
            }
        }
    }

    /// Perft counts by move: the lines of the engine without times.
    pub(super) fn perft(&mut self, depth: u32) -> String {
        let lines = self.lines(&format!("perft {depth}"), self.patience * PERFT_PATIENCE);
        lines.unwrap_or_else(|fault| fault)
    }

    /// What follows `response`, if the engine answers a question so.
    fn answer(&mut self, question: &str) -> Result<Option<String>, ClientError> {
        let lines = self.try_lines(question, self.patience)?;
        Ok(lines.trim_end().strip_prefix("response ").map(str::to_owned))
    }
}

fn parse_command(command: &str) -> anyhow::Result<EngineCommand> {
    if Path::new(command).is_file() {
        return Ok(EngineCommand::new(command));
    }
    let words = shlex::split(command).context("expected a command line, found an open quote")?;
    match words.split_first() {
        Some((program, args)) => {
            Ok(EngineCommand { args: args.to_vec(), ..EngineCommand::new(program) })
        }
        None => bail!("expected a program, found nothing"),
    }
}
