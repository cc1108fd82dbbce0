//! The greeting, which finds out whether an engine speaks the dialect asked for.

use std::time::{Duration, Instant};

use leap_protocol::payload::Tokens;
use leap_protocol::{Command, Dialect, Query, Reply};

use super::{Client, ClientError, EngineCommand, EngineInfo, StderrTail};

/// How long an engine may leave the greeting unanswered before it is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(1);

/// A greeting that is being answered.
///
/// An engine that does not know `ugi` is silent, or complains in words of its own. An engine that starts slowly is
/// silent too. `isready` tells them apart: engines answer in order, so a `readyok` before `ugiok` shows that the
/// greeting was ignored. The client then greets in the other dialect, and the error names the one that works.
#[derive(Debug)]
pub struct Greeting {
    dialect: Dialect,
    begun: Instant,
    patience: Duration,
    stage: Stage,
    /// What the engine has announced so far.
    pub info: EngineInfo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Only the greeting was sent.
    Greeted,
    /// `isready` was sent too.
    Asked,
    /// The greeting has been answered; only `readyok` is still to come.
    Welcomed,
    /// The greeting was ignored, and that of the other dialect was sent.
    Ignored,
}

/// What to do after a line, or when there is none.
pub enum Next {
    /// Wait for a line.
    Wait,
    /// Send this, and wait for a line.
    Send(Command),
    /// The engine has been greeted.
    Done,
}

impl Greeting {
    /// Creates the greeting; [`Command::Hello`] is to be sent now.
    pub fn new(dialect: Dialect, patience: Duration) -> Self {
        let (begun, info) = (Instant::now(), EngineInfo::default());
        Self { dialect, begun, patience, stage: Stage::Greeted, info }
    }

    /// When to call [`Greeting::silence`] if no line arrives.
    pub fn deadline(&self) -> Instant {
        match self.stage {
            Stage::Greeted => self.begun + SILENCE.min(self.patience / 2),
            _ => self.begun + self.patience,
        }
    }

    /// Handles the deadline: no line has arrived before it.
    pub fn silence(&mut self) -> Result<Next, ClientError> {
        match self.stage {
            Stage::Greeted => {
                self.stage = Stage::Asked;
                Ok(Next::Send(Command::IsReady))
            }
            Stage::Asked | Stage::Welcomed => Err(ClientError::Timeout(self.patience)),
            Stage::Ignored => Err(ClientError::Ignored(self.dialect)),
        }
    }

    /// Handles a line.
    pub fn note(&mut self, reply: Reply) -> Result<Next, ClientError> {
        let other = match self.dialect {
            Dialect::Ugi => Dialect::Uci,
            Dialect::Uci => Dialect::Ugi,
        };
        match (self.stage, reply) {
            (Stage::Asked, Reply::ReadyOk) => {
                self.stage = Stage::Ignored;
                Ok(Next::Send(Command::Hello(other)))
            }
            (Stage::Welcomed, Reply::ReadyOk) => Ok(Next::Done),
            (Stage::Ignored, Reply::HelloOk(found)) if found == other => {
                Err(ClientError::Speaks(other))
            }
            (Stage::Ignored, _) => Ok(Next::Wait),
            (stage, reply) => Ok(match (self.info.note(reply, self.dialect), stage) {
                (true, Stage::Greeted) => Next::Done,
                (true, _) => {
                    self.stage = Stage::Welcomed;
                    Next::Wait
                }
                (false, _) => Next::Wait,
            }),
        }
    }
}

impl Client {
    /// Starts an engine and greets it. Its standard error is copied to ours, or the end of it becomes part of the
    /// error.
    pub fn open(
        command: &EngineCommand,
        show_stderr: bool,
        patience: Duration,
    ) -> Result<(Self, EngineInfo), ClientError> {
        let (mut client, tail) = if show_stderr {
            (Self::start_showing(command, true)?, None)
        } else {
            let (tail, stdio) =
                StderrTail::start().map_err(|error| ClientError::start(command, &error))?;
            (Self::start(command, stdio)?, Some(tail))
        };
        match client.greet(Dialect::Ugi, patience) {
            Ok(info) => Ok((client, info)),
            Err(error) => Err(client.not_greeted(&error, tail)),
        }
    }

    /// Whether a program is an engine: it answers the greeting of either dialect.
    ///
    /// # Errors
    /// [`ClientError::Greeting`] if it does not, or if it cannot be started.
    pub fn try_greeting(command: &EngineCommand, patience: Duration) -> Result<(), ClientError> {
        let (tail, stdio) =
            StderrTail::start().map_err(|error| ClientError::start(command, &error))?;
        let mut client = Self::start(command, stdio)?;
        match client.greet(Dialect::Ugi, patience) {
            Ok(_) | Err(ClientError::Speaks(_)) => Ok(()),
            Err(error) => Err(client.not_greeted(&error, Some(tail))),
        }
    }

    /// The error of an engine that could not be greeted.
    fn not_greeted(mut self, error: &ClientError, tail: Option<StderrTail>) -> ClientError {
        let cause = match error {
            ClientError::Closed => format!("the engine has ended: {}", self.how_it_ended()),
            error => error.to_string(),
        };
        // The standard error of a dead engine is complete.
        drop(self);
        let stderr = tail.map(|tail| tail.summary()).unwrap_or_default();
        ClientError::Greeting { asked: Dialect::Ugi, speaks: None, cause, stderr }
    }

    /// Greets the engine and waits for `ugiok` or `uciok`.
    ///
    /// # Errors
    /// As [`Client::receive`]; [`ClientError::Speaks`] if it answers only the other greeting, [`ClientError::Ignored`]
    /// if it answers neither.
    pub fn greet(
        &mut self,
        dialect: Dialect,
        patience: Duration,
    ) -> Result<EngineInfo, ClientError> {
        let mut greeting = Greeting::new(dialect, patience);
        let mut next = Next::Send(Command::Hello(dialect));
        loop {
            match next {
                Next::Done => return Ok(greeting.info),
                Next::Send(command) => self.send(&command)?,
                Next::Wait => {}
            }
            next = match self.receive(greeting.deadline()) {
                Ok((reply, _)) => greeting.note(reply)?,
                Err(ClientError::Timeout(_)) => greeting.silence()?,
                Err(error) => return Err(error),
            };
        }
    }

    /// Asks an engine that has been greeted for its extensions and games.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use leap_client::{Client, ClientError};
    /// # use leap_protocol::Dialect;
    /// fn games(client: &mut Client, patience: Duration) -> Result<Vec<String>, ClientError> {
    ///     let mut info = client.greet(Dialect::Ugi, patience)?;
    ///     client.discover(&mut info, patience)?;
    ///     Ok(info.games)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn discover(
        &mut self,
        info: &mut EngineInfo,
        patience: Duration,
    ) -> Result<(), ClientError> {
        info.games = info.game_values().map(<[String]>::to_vec).unwrap_or_default();
        info.protocol = self.ask_if_known(Query::Protocol, patience)?;
        if info.supports("games")
            && let Some(Tokens(games)) = self.ask_if_known(Query::Games, patience)?
        {
            info.games = games;
        }
        Ok(())
    }
}
