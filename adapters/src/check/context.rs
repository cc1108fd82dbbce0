//! What the steps are given: the engine, what it announces, and the limits of patience.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use leap_protocol::payload::{ProtocolInfo, Tokens};
use leap_protocol::{OptionDecl, OptionKind, Reply};

use super::step::{Outcome, fail};
use super::talk::Talk;
use crate::client::{Client, ClientError, EngineCommand};

/// What the engine says of itself, asked once before the steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Whether the greeting was completed at all.
    pub(super) greeted: bool,
    pub(super) name: String,
    pub(super) options: Vec<OptionDecl>,
    /// The answer to `query protocol`, if there was one.
    pub(super) protocol: Option<ProtocolInfo>,
    /// The ids of the games; empty if the engine does not tell.
    pub(super) games: Vec<String>,
}

impl Facts {
    /// Greets the engine and asks what it can do. An engine that does not answer leaves the facts as they are; only one
    /// that cannot be started is an error.
    pub(super) fn find(
        engine: &EngineCommand,
        show_stderr: bool,
        patience: Duration,
    ) -> Result<Facts, ClientError> {
        let mut client = Client::start_showing(engine, show_stderr)?;
        let mut facts = Facts::default();
        // What goes wrong from here on is what the steps find out.
        let _ = facts.ask(&mut client, patience);
        Ok(facts)
    }

    fn ask(&mut self, client: &mut Client, patience: Duration) -> Result<(), ClientError> {
        let greeting = client.greet(leap_protocol::Dialect::Ugi, patience)?;
        self.greeted = true;
        self.name = greeting.name;
        self.options = greeting.options;
        self.games = self.game_option().map(|(_, games)| games).unwrap_or_default();
        let protocol = answer(client, "query protocol", patience)?;
        self.protocol = protocol.and_then(|body| body.parse().ok());
        if self.announces("games")
            && let Some(body) = answer(client, "query games", patience)?
            && let Ok(Tokens(games)) = body.parse()
        {
            self.games = games;
        }
        Ok(())
    }

    /// Whether the engine announces the extension; `leap` stands for any.
    pub(super) fn announces(&self, extension: &str) -> bool {
        self.protocol
            .as_ref()
            .is_some_and(|found| extension == super::step::LEAP || found.supports(extension))
    }

    pub(super) fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The name of the option that picks the game, and its values.
    pub(super) fn game_option(&self) -> Option<(&str, Vec<String>)> {
        let option = self.option("Game").or_else(|| self.option("UCI_Variant"))?;
        match &option.kind {
            OptionKind::Combo { vars, .. } => Some((&option.name, vars.clone())),
            _ => None,
        }
    }
}

/// What follows `response`, if the engine answers so before `readyok`: plain UGI engines say nothing to what they do
/// not know.
fn answer(
    client: &mut Client,
    question: &str,
    patience: Duration,
) -> Result<Option<String>, ClientError> {
    client.send_line(question)?;
    client.send_line("isready")?;
    let deadline = Instant::now() + patience;
    let mut found = None;
    loop {
        match client.receive(deadline)?.0 {
            Reply::Response(body) => found = Some(body),
            Reply::ReadyOk => return Ok(found),
            _ => {}
        }
    }
}

/// What a step works with.
pub(super) struct Context<'a> {
    pub(super) engine: &'a EngineCommand,
    pub(super) show_stderr: bool,
    pub(super) facts: &'a Facts,
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
    /// A fresh process that has said nothing yet.
    pub(super) fn start(&self) -> Outcome<Talk<'_>> {
        self.note("(a new process)");
        match Client::start_showing(self.engine, self.show_stderr) {
            Ok(client) => Ok(Talk::new(client, self)),
            Err(error) => fail("the engine to start", error.to_string()),
        }
    }

    /// A fresh process that has been greeted, with the game of this step set up.
    pub(super) fn talk(&self) -> Outcome<Talk<'_>> {
        let mut talk = self.start()?;
        talk.greet()?;
        if let (Some(game), Some((option, _))) = (&self.game, self.facts.game_option()) {
            talk.send(&format!("setoption name {option} value {game}"))?;
        }
        Ok(talk)
    }

    /// Adds a line to the dialogue.
    pub(super) fn note(&self, line: &str) {
        let mut log = self.log.borrow_mut();
        if log.len() == LOG_LINES {
            // The beginning says what was set up, the end what went wrong: the middle can go.
            log.remove(LOG_LINES / 8);
        }
        log.push(shorten(line));
    }

    pub(super) fn has(&self, extension: &str) -> bool {
        self.facts.announces(extension)
    }

    /// The commands that put up the start position and moves from it.
    pub(super) fn position(moves: &[String]) -> String {
        if moves.is_empty() {
            "position startpos".to_owned()
        } else {
            format!("position startpos moves {}", moves.join(" "))
        }
    }
}

/// The beginning of a long line, with what was left out.
pub(super) fn shorten(line: &str) -> String {
    match line.char_indices().nth(LOG_CHARS) {
        Some((at, _)) => format!("{}... ({} bytes)", &line[..at], line.len()),
        None => line.to_owned(),
    }
}
