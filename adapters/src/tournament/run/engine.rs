//! An engine of a worker, player or referee: started with its options, spoken to with a deadline for every answer, and each
//! direction in which it can fail told apart.

mod start;
mod think;

use std::rc::Rc;
use std::time::{Duration, Instant};

use leap_protocol::payload::ProtocolInfo;
use leap_protocol::transcript::Exit;
use leap_protocol::{Command, Dialect, ErrorReply, Line, Query, Reply};
use thiserror::Error;

use super::wire::{Direction, WireLog};
use crate::client::{Client, ClientError, EngineInfo, exit};
use crate::terminal::shown;
use crate::tournament::events::Reason;

pub(crate) use think::SearchResult;

/// How long an engine that has closed its output may take to end.
const LAST_BREATH: Duration = Duration::from_millis(200);
/// Lines that an idle engine may write at a time.
const MOST_LINES: u32 = 10_000;
/// Answers to a few questions that are listened to.
const MOST_ANSWERS: usize = 100;

/// An engine has failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub(crate) struct EngineError {
    /// In which way.
    pub(crate) kind: Reason,
    /// What was expected and what was found.
    pub(crate) text: String,
}

impl EngineError {
    pub(crate) fn new(kind: Reason, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
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
    /// A failure of the engine, where it must not refuse.
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
    stall: Duration,
    info: EngineInfo,
    /// Pings that have not been answered yet.
    pings: u32,
    /// A search on the opponent's time runs.
    pondering: bool,
    wire: WireLog,
}

impl Engine {
    /// Whether the engine announces the extension (SPEC 4.6).
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.info.supports(extension)
    }

    /// Whether questions of UGI can be asked.
    pub(crate) fn answers(&self) -> bool {
        let extends = |protocol: &ProtocolInfo| !protocol.extensions.is_empty();
        self.dialect == Dialect::Ugi || self.info.protocol.as_ref().is_some_and(extends)
    }

    /// Sends lines, the last one without its end.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        self.wire.note(&self.name, Direction::To, lines);
        let sent = self.client.send_bytes(format!("{lines}\n").into_bytes());
        sent.map_err(|error| self.error(&error, "to read its input"))
    }

    /// The next line; `what` says what is expected.
    fn receive(&mut self, deadline: Instant, what: &str) -> Result<(Reply, Instant), EngineError> {
        match self.client.receive_any(deadline) {
            Ok((Line::Text(text), at)) => {
                self.wire.note(&self.name, Direction::From, &text);
                Ok((Reply::parse(&text), at))
            }
            Ok((line, _)) => {
                let found = match line {
                    Line::TooLong => "a line without end",
                    _ => "a line that is no text",
                };
                self.wire.note(&self.name, Direction::From, &format!("({found})"));
                Err(EngineError::new(Reason::Garbage, format!("expected {what}, found {found}")))
            }
            Err(error) => Err(self.error(&error, what)),
        }
    }

    fn error(&mut self, error: &ClientError, what: &str) -> EngineError {
        if let ClientError::Timeout(_) = error {
            return EngineError::new(Reason::Stall, format!("expected {what}, found none in time"));
        }
        if let ClientError::Flood(bytes) = error {
            // How fast an engine writes what nobody asked for must not tell which fault it is.
            let text = format!("expected {what}, found none in {bytes} bytes");
            return EngineError::new(Reason::Stall, text);
        }
        let end = match self.client.ended(LAST_BREATH) {
            Ok(Some(status)) => match exit(status) {
                Exit::Code(code) => format!("exit status {code}"),
                Exit::Signal(signal) => format!("signal {signal}"),
            },
            _ => "its output closed".to_owned(),
        };
        self.wire.note(&self.name, Direction::From, &format!("({end})"));
        EngineError::new(Reason::Crash, format!("expected {what}, found the engine dead: {end}"))
    }

    /// Asks for a sign of life, which is waited for before the next command that needs an idle engine. Meanwhile others
    /// can be spoken to.
    pub(crate) fn ping(&mut self) -> Result<(), EngineError> {
        self.pings += 1;
        self.send("isready")
    }

    /// Waits for the answers to all pings. Until then nothing must come that nobody has asked for.
    pub(crate) fn settle(&mut self) -> Result<(), EngineError> {
        let deadline = Instant::now() + self.patience;
        while self.pings > 0 {
            let reply = self.receive(deadline, "'readyok'")?.0;
            self.idle(reply)?;
        }
        // Lines that are there already.
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

    /// What an engine says while it is idle.
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
                    // An error is the answer to a command before the questions, or to one of these.
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

    /// As [`Engine::ask`] for one question without commands, which must not be refused.
    pub(crate) fn ask_one(&mut self, question: Query) -> Result<String, EngineError> {
        let answers = self.ask("", &[question]).map_err(AskError::into_failure)?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// The responses between now and the engine's `readyok`. For engines of which nobody knows whether they answer at all.
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

    /// Prepares for a game that is another one than before.
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

    /// Ends the engine, first by asking.
    pub(crate) fn quit(self, patience: Duration) {
        // Dropped, it is killed.
        let _ = self.client.quit(patience);
    }
}

/// More of something has come than an engine that comes to an end says.
fn endless(what: &str) -> EngineError {
    EngineError::new(Reason::Garbage, format!("expected some {what}, found no end of them"))
}

fn refused(error: &ErrorReply) -> EngineError {
    let text = format!("expected no error, found '{}'", shown(&error.to_string()));
    EngineError::new(Reason::Refused, text)
}
