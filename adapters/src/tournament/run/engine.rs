//! An engine of a worker, player or referee: started with its options, spoken to with a deadline for every answer, and each
//! direction in which it can fail told apart.

mod start;
mod think;

use std::rc::Rc;
use std::time::{Duration, Instant};

use leap_protocol::{ErrorReply, Line, Query, Reply};
use thiserror::Error;

use super::wire::{Direction, Wire};
use crate::client::{Client, ClientError, exit};
use crate::terminal::shown;
use crate::tournament::events::Reason;
use crate::tournament::plan::config::Protocol;

pub(crate) use think::Thought;

/// How long an engine that has closed its output may take to end.
const LAST_BREATH: Duration = Duration::from_millis(200);
/// Lines that an idle engine may write at a time.
const MOST_LINES: u32 = 10_000;
/// Answers to a few questions that are listened to.
const MOST_ANSWERS: usize = 100;

/// An engine has failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub(crate) struct Trouble {
    /// In which way.
    pub(crate) kind: Reason,
    /// What was expected and what was found.
    pub(crate) text: String,
}

impl Trouble {
    pub(crate) fn new(kind: Reason, text: impl Into<String>) -> Trouble {
        Trouble { kind, text: text.into() }
    }
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Engine {
    client: Client,
    name: Rc<str>,
    protocol: Protocol,
    patience: Duration,
    margin: Duration,
    stall: Duration,
    extensions: Vec<String>,
    /// Pings that have not been answered yet.
    pings: u32,
    /// A search on the opponent's time runs.
    pondering: bool,
    wire: Wire,
}

impl Engine {
    /// Whether the engine announces the extension (SPEC 4.6).
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|name| name == extension)
    }

    /// Whether questions of UGI can be asked.
    pub(crate) fn answers(&self) -> bool {
        self.protocol == Protocol::Ugi || !self.extensions.is_empty()
    }

    /// Sends lines, the last one without its end.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), Trouble> {
        self.wire.note(&self.name, Direction::To, lines);
        let sent = self.client.send_bytes(format!("{lines}\n").into_bytes());
        sent.map_err(|error| self.trouble(&error, "to read its input"))
    }

    /// The next line; `what` says what is expected.
    fn receive(&mut self, deadline: Instant, what: &str) -> Result<(Reply, Instant), Trouble> {
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
                Err(Trouble::new(Reason::Garbage, format!("expected {what}, found {found}")))
            }
            Err(error) => Err(self.trouble(&error, what)),
        }
    }

    fn trouble(&mut self, error: &ClientError, what: &str) -> Trouble {
        if let ClientError::Timeout(_) = error {
            return Trouble::new(Reason::Stall, format!("expected {what}, found none in time"));
        }
        if let ClientError::Flood(bytes) = error {
            // How fast an engine writes what nobody asked for must not tell which fault it is.
            let text = format!("expected {what}, found none in {bytes} bytes");
            return Trouble::new(Reason::Stall, text);
        }
        let end = match self.client.ended(LAST_BREATH) {
            Ok(Some(status)) => match exit(status) {
                leap_protocol::transcript::Exit::Code(code) => format!("exit status {code}"),
                leap_protocol::transcript::Exit::Signal(signal) => format!("signal {signal}"),
            },
            _ => "its output closed".to_owned(),
        };
        self.wire.note(&self.name, Direction::From, &format!("({end})"));
        Trouble::new(Reason::Crash, format!("expected {what}, found the engine dead: {end}"))
    }

    /// Asks for a sign of life, which is waited for before the next command that needs an idle engine. Meanwhile others
    /// can be spoken to.
    pub(crate) fn ping(&mut self) -> Result<(), Trouble> {
        self.pings += 1;
        self.send("isready")
    }

    /// Waits for the answers to all pings. Until then nothing must come that nobody has asked for.
    pub(crate) fn settle(&mut self) -> Result<(), Trouble> {
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
        Err(Trouble::new(Reason::Garbage, "expected silence while idle, found no end of lines"))
    }

    /// What an engine says while it is idle.
    fn idle(&mut self, reply: Reply) -> Result<(), Trouble> {
        match reply {
            Reply::ReadyOk => self.pings = self.pings.saturating_sub(1),
            Reply::BestMove { mv, .. } => {
                let mv = mv.unwrap_or_else(|| "none".to_owned());
                let text = format!("expected nothing while idle, found 'bestmove {}'", shown(&mv));
                return Err(Trouble::new(Reason::ExtraBestmove, text));
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
    ) -> Result<Result<Vec<String>, ErrorReply>, Trouble> {
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
                        return Ok(Err(error));
                    }
                }
                other => self.idle(other)?,
            }
        }
        Ok(refusal.map_or(Ok(answers), Err))
    }

    /// As [`Engine::ask`] for one question without commands, which must not be refused.
    pub(crate) fn ask_one(&mut self, question: Query) -> Result<String, Trouble> {
        let answers = self.ask("", &[question])?.map_err(|error| refused(&error))?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// What the engine says between now and its `readyok`: responses, and whether there was an error. For engines of
    /// which nobody knows whether they answer at all.
    pub(crate) fn ask_if(
        &mut self,
        lines: &str,
    ) -> Result<(Vec<String>, Option<ErrorReply>), Trouble> {
        self.settle()?;
        self.send(lines)?;
        self.ping()?;
        let deadline = Instant::now() + self.patience;
        let (mut answers, mut refusal) = (Vec::new(), None);
        while self.pings > 0 {
            match self.receive(deadline, "'readyok'")?.0 {
                Reply::Response(_) if answers.len() >= MOST_ANSWERS => {
                    return Err(endless("answers"));
                }
                Reply::Response(body) => answers.push(body),
                Reply::Error(error) => refusal = refusal.or(Some(error)),
                other => self.idle(other)?,
            }
        }
        Ok((answers, refusal))
    }

    /// Prepares for a game that is another one than before.
    pub(crate) fn new_game(&mut self) -> Result<(), Trouble> {
        self.settle()?;
        self.send(match self.protocol {
            Protocol::Ugi => "uginewgame",
            Protocol::Uci => "ucinewgame",
        })?;
        self.ping()?;
        self.settle()
    }

    /// Sets an option.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        self.send(&format!("setoption name {name} value {value}"))?;
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
fn endless(what: &str) -> Trouble {
    Trouble::new(Reason::Garbage, format!("expected some {what}, found no end of them"))
}

fn refused(error: &ErrorReply) -> Trouble {
    let text = format!("expected no error, found '{}'", shown(&error.to_string()));
    Trouble::new(Reason::Refused, text)
}
