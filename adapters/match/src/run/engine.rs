//! A worker's engine, as player or referee: started with its options, queried with a deadline for every answer, its
//! failures told apart by kind.

mod start;
mod think;

use std::rc::Rc;
use std::time::{Duration, Instant};

use leap_client::{Client, ClientError, EngineInfo};
use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Command, Dialect, ErrorReply, Line, Query, Reply, shown};
use thiserror::Error;

use super::wire::{Direction, WireLog};
use crate::events::Reason;

pub(crate) use think::SearchResult;

/// Lines that an idle engine may write in a row.
const MOST_LINES: u32 = 10_000;
/// The most answers accepted to a batch of questions.
const MOST_ANSWERS: usize = 100;

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

/// Why a question was not answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum AskError {
    /// The engine has answered with an error.
    #[error(transparent)]
    Refused(ErrorReply),
    /// The engine has failed.
    #[error(transparent)]
    Failed(#[from] EngineError),
}

impl AskError {
    /// Turns a refusal into a failure of the engine, where it may not refuse.
    pub(crate) fn into_failure(self) -> EngineError {
        match self {
            Self::Refused(error) => refused(&error),
            Self::Failed(error) => error,
        }
    }
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Engine {
    client: Client,
    name: Rc<str>,
    dialect: Dialect,
    patience: Duration,
    margin: Duration,
    /// What the way to it and back takes, as the configuration says.
    latency: Duration,
    stall: Duration,
    info: EngineInfo,
    /// Pings that have not been answered yet.
    pings: u32,
    /// A search on the opponent's time is running.
    pondering: bool,
    wire: WireLog,
}

impl Engine {
    /// Whether the engine announces the extension (SPEC 4.6).
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.info.supports(extension)
    }

    /// What the engine has announced.
    pub(crate) fn info(&self) -> &EngineInfo {
        &self.info
    }

    /// Whether the questions of UGI can be asked.
    pub(crate) fn answers(&self) -> bool {
        let extends = |protocol: &ProtocolInfo| !protocol.extensions.is_empty();
        self.dialect == Dialect::Ugi || self.info.protocol.as_ref().is_some_and(extends)
    }

    /// Sends lines; the last one comes without its line end.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.wire.note(&self.name, Direction::To, lines);
        let sent = self.client.send_bytes(format!("{lines}\n").into_bytes());
        sent.map_err(|error| self.error(&error, "to read its input"))
    }

    /// Receives the next line; `what` describes what is expected.
    fn receive(&mut self, deadline: Instant, what: &str) -> Result<(Reply, Instant), EngineError> {
        let late = || self::error(Reason::Stall, what, "none in time");
        self.receive_before(deadline, what)?.ok_or_else(late)
    }

    /// Receives the next line; `None` if there is none before the deadline.
    fn receive_before(
        &mut self,
        deadline: Instant,
        what: &str,
    ) -> Result<Option<(Reply, Instant)>, EngineError> {
        match self.client.receive_any(deadline) {
            Ok((Line::Text(text), at)) => {
                self.wire.note(&self.name, Direction::From, &text);
                Ok(Some((Reply::parse(&text), at)))
            }
            Ok((line, _)) => {
                let found = match line {
                    Line::TooLong => "a line without end",
                    _ => "a line that is no text",
                };
                self.wire.note(&self.name, Direction::From, &format!("({found})"));
                Err(error(Reason::Garbage, what, found))
            }
            Err(ClientError::Timeout(_)) => Ok(None),
            Err(error) => Err(self.error(&error, what)),
        }
    }

    fn error(&mut self, error: &ClientError, what: &str) -> EngineError {
        match error {
            ClientError::Timeout(_) => return self::error(Reason::Stall, what, "none in time"),
            // A flood of unsolicited lines is the same fault as silence, however fast the engine writes.
            ClientError::Flood(bytes) => {
                return self::error(Reason::Stall, what, &format!("none in {bytes} bytes"));
            }
            _ => {}
        }
        let end = self.client.how_it_ended();
        self.wire.note(&self.name, Direction::From, &format!("({end})"));
        let error = self::error(Reason::Crash, what, &format!("the engine dead: {end}"));
        match self.client.lacked_memory() {
            true => error.by_machine_since("the system lacks memory"),
            false => error,
        }
    }

    /// Sends an `isready` whose answer is awaited before the next command that needs an idle engine. Meanwhile other
    /// engines can be used.
    pub(crate) fn ping(&mut self) -> Result<(), EngineError> {
        self.pings += 1;
        self.send("isready")
    }

    /// Waits for the answers to all pings. The engine may not write anything unsolicited before them.
    pub(crate) fn settle(&mut self) -> Result<(), EngineError> {
        let deadline = Instant::now() + self.patience;
        while self.pings > 0 {
            let reply = self.receive(deadline, "'readyok'")?.0;
            self.idle(reply)?;
        }
        // Only lines that have already arrived are read.
        for _ in 0..MOST_LINES {
            match self.client.receive_any(Instant::now()) {
                Ok((Line::Text(text), _)) => {
                    self.wire.note(&self.name, Direction::From, &text);
                    self.idle(Reply::parse(&text))?;
                }
                _ => return Ok(()),
            }
        }
        Err(EngineError::new(Reason::Garbage, "expected silence while idle, found no end of lines"))
    }

    /// Handles a line of an idle engine.
    fn idle(&mut self, reply: Reply) -> Result<(), EngineError> {
        match reply {
            Reply::ReadyOk => self.pings = self.pings.saturating_sub(1),
            Reply::BestMove { mv, .. } => {
                let mv = mv.unwrap_or_else(|| "none".to_owned());
                let text = format!("expected nothing while idle, found 'bestmove {}'", shown(&mv));
                return Err(EngineError::new(Reason::ExtraBestmove, text));
            }
            Reply::Error(error) => return Err(refused(&error)),
            _ => {}
        }
        Ok(())
    }

    /// Sends commands and questions, and returns the answers: what follows `response`, one for each question, or the
    /// first error.
    pub(crate) fn ask(
        &mut self,
        commands: &str,
        questions: &[Query],
    ) -> Result<Vec<String>, AskError> {
        let mut lines = commands.to_owned();
        for question in questions {
            if !lines.is_empty() {
                lines.push('\n');
            }
            lines += &question.to_string();
        }
        self.send(&lines)?;
        let deadline = Instant::now() + self.patience;
        let (mut answers, mut refusal) = (Vec::new(), None);
        while answers.len() < questions.len() {
            match self.receive(deadline, "'response'")?.0 {
                Reply::Response(body) => answers.push(body),
                Reply::Error(error) => {
                    // An error answers either a command before the questions or one of the questions.
                    if !commands.is_empty() && refusal.is_none() && answers.is_empty() {
                        refusal = Some(error);
                    } else {
                        return Err(AskError::Refused(error));
                    }
                }
                other => self.idle(other)?,
            }
        }
        refusal.map_or(Ok(answers), |error| Err(AskError::Refused(error)))
    }

    /// Like [`Engine::ask`], for a single question that must not be refused.
    pub(crate) fn ask_one(&mut self, question: Query) -> Result<String, EngineError> {
        let answers = self.ask("", &[question]).map_err(AskError::into_failure)?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// The responses up to the engine's `readyok`, for engines that may not answer at all.
    pub(crate) fn ask_if_known(&mut self, lines: &str) -> Result<Vec<String>, AskError> {
        self.settle()?;
        self.send(lines)?;
        self.ping()?;
        let deadline = Instant::now() + self.patience;
        let (mut answers, mut refusal) = (Vec::new(), None);
        while self.pings > 0 {
            match self.receive(deadline, "'readyok'")?.0 {
                Reply::Response(_) if answers.len() >= MOST_ANSWERS => {
                    return Err(endless("answers").into());
                }
                Reply::Response(body) => answers.push(body),
                Reply::Error(error) => refusal = refusal.or(Some(error)),
                other => self.idle(other)?,
            }
        }
        refusal.map_or(Ok(answers), |error| Err(AskError::Refused(error)))
    }

    /// Prepares for a new game.
    pub(crate) fn new_game(&mut self) -> Result<(), EngineError> {
        self.settle()?;
        self.send(&Command::NewGame(self.dialect).to_string())?;
        self.ping()?;
        self.settle()
    }

    /// Sets an option.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let (name, value) = (name.to_owned(), Some(value.to_owned()));
        self.send(&Command::SetOption { name, value }.to_string())?;
        self.ping()?;
        self.settle()
    }

    /// Quits the engine politely first.
    pub(crate) fn quit(self, patience: Duration) {
        // Dropping it kills it.
        let _ = self.client.quit(patience);
    }
}

fn error(kind: Reason, expected: &str, found: &str) -> EngineError {
    EngineError::new(kind, format!("expected {expected}, found {found}"))
}

/// The engine wrote more than any complete answer would have.
fn endless(what: &str) -> EngineError {
    EngineError::new(Reason::Garbage, format!("expected some {what}, found no end of them"))
}

fn refused(error: &ErrorReply) -> EngineError {
    let text = format!("expected no error, found '{}'", shown(&error.to_string()));
    EngineError::new(Reason::Refused, text)
}
