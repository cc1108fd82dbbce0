//! A conversation with an engine: greeting, options, game, position, questions, moves.

mod greeting;
mod questions;
mod settings;
#[cfg(all(test, unix))]
mod tests;

use std::fmt;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use leap_protocol::{Command, Dialect, Go, Info, Line, Reply};

use super::{Client, ClientError, EngineCommand, EngineInfo, StderrTail, pipes};

/// How long a search without a clock may take, unless [`Session::set_hang_timeout`] says otherwise.
const HANG_TIMEOUT: Duration = Duration::from_secs(600);
/// Lines that an idle engine may write in a row.
const MOST_LINES: u32 = 10_000;

/// The answer to a `go`, with the time at which it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move; `None` if the game is over.
    pub mv: Option<String>,
    /// The reply that the engine expects, if it names one.
    pub ponder: Option<String>,
    /// When the line was read.
    pub at: Instant,
}

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the engine.
    To,
    /// From the engine.
    From,
}

type Observer = Box<dyn FnMut(Direction, &str) + Send>;

/// A running engine and what it has announced. Every wait has a deadline. Dropping it kills the engine.
///
/// An engine that refuses a command stays usable: the error is [`ClientError::Refused`]. After any other error the
/// engine and this end may disagree about what is being answered, so the session should be dropped.
pub struct Session {
    client: Client,
    info: EngineInfo,
    dialect: Dialect,
    reply_timeout: Duration,
    hang_timeout: Duration,
    /// The deadline for all replies, if there is one.
    until: Option<Instant>,
    /// Pings that have not been answered yet.
    pings: u32,
    is_strict: bool,
    observer: Option<Observer>,
    awaited: &'static str,
}

impl Session {
    /// Starts an engine and greets it in UGI. If that fails, the error ends with the engine's standard error.
    ///
    /// `reply_timeout` is how long a reply may take that needs no thinking.
    ///
    /// # Errors
    /// [`ClientError::Start`], [`ClientError::Greeting`].
    pub fn start(command: &EngineCommand, reply_timeout: Duration) -> Result<Self, ClientError> {
        Self::start_showing(command, false, reply_timeout)
    }

    /// Like [`Session::start`], but copies the engine's standard error to ours if `show_stderr` is set.
    ///
    /// # Errors
    /// As [`Session::start`].
    pub fn start_showing(
        command: &EngineCommand,
        show_stderr: bool,
        reply_timeout: Duration,
    ) -> Result<Self, ClientError> {
        let (client, tail) = if show_stderr {
            (Client::start_showing(command, true)?, None)
        } else {
            let (tail, stdio) =
                StderrTail::start().map_err(|error| ClientError::start(command, &error))?;
            (Client::start(command, stdio)?, Some(tail))
        };
        let mut session = Self::new(client, Dialect::Ugi, reply_timeout);
        let Err(error) = session.greet() else { return Ok(session) };
        let (cause, speaks) = match error {
            ClientError::Closed => {
                (format!("the engine has ended: {}", session.client.how_it_ended()), None)
            }
            ClientError::Speaks(dialect) => (error.to_string(), Some(dialect)),
            error => (error.to_string(), None),
        };
        // The standard error of a dead engine is complete.
        drop(session);
        let stderr = tail.map(|tail| tail.summary()).unwrap_or_default();
        Err(ClientError::Greeting { asked: Dialect::Ugi, speaks, cause, stderr })
    }

    /// A session with an engine that has been started. Nothing is sent before [`Session::greet`].
    #[must_use]
    pub fn new(client: Client, dialect: Dialect, reply_timeout: Duration) -> Self {
        Self {
            client,
            info: EngineInfo::default(),
            dialect,
            reply_timeout,
            hang_timeout: HANG_TIMEOUT,
            until: None,
            pings: 0,
            is_strict: false,
            observer: None,
            awaited: "",
        }
    }

    /// Passes all lines from now on to an observer. What is sent together is passed on together.
    pub fn observe(&mut self, observer: impl FnMut(Direction, &str) + Send + 'static) {
        self.observer = Some(Box::new(observer));
    }

    /// From now on a `bestmove` that nobody asked for and a line that is no text are errors. Other sessions skip them.
    /// More options or answers than any engine has are an error too ([`ClientError::Endless`]).
    pub fn be_strict(&mut self) {
        self.is_strict = true;
    }

    /// Sets how long a search without a clock may take. It is ten minutes at first.
    pub fn set_hang_timeout(&mut self, hang_timeout: Duration) {
        self.hang_timeout = hang_timeout;
    }

    /// Sets one deadline for all replies from now on. Without one, each reply has the reply timeout. Searches do not
    /// count.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.until = deadline;
    }

    /// What the engine has announced.
    #[must_use]
    pub fn info(&self) -> &EngineInfo {
        &self.info
    }

    /// Whether the engine has announced the extension to [`Session::discover`] (SPEC 4.6).
    #[must_use]
    pub fn supports(&self, extension: &str) -> bool {
        self.info.supports(extension)
    }

    /// The dialect in which the engine is addressed.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What was awaited last, for messages: `'readyok'`, with its quotes.
    #[must_use]
    pub fn awaited(&self) -> &'static str {
        self.awaited
    }

    /// The connection below, for those who look at how an engine ends.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// The engine's lines at a channel, as [`Client::listen`] makes it.
    ///
    /// # Errors
    /// As [`Client::listen`].
    pub fn listen(&mut self) -> Result<Receiver<(Line, Instant)>, ClientError> {
        self.client.listen()
    }

    /// Sends lines; the last one comes without its line end.
    ///
    /// # Errors
    /// As [`Client::send_bytes`].
    pub fn send(&mut self, lines: &str) -> Result<(), ClientError> {
        self.observed(Direction::To, lines);
        self.awaited = "to read its input";
        self.client.send_line(lines)
    }

    /// Receives the next line. `awaited` is what it should be, for [`Session::awaited`].
    ///
    /// # Errors
    /// As [`Client::receive`]; [`ClientError::NoText`] if this session is [strict](Session::be_strict).
    pub fn receive(
        &mut self,
        deadline: Instant,
        awaited: &'static str,
    ) -> Result<(Reply, Instant), ClientError> {
        let (line, at) = self.receive_text(deadline, awaited)?;
        Ok((Reply::parse(&line), at))
    }

    fn receive_text(
        &mut self,
        deadline: Instant,
        awaited: &'static str,
    ) -> Result<(String, Instant), ClientError> {
        self.awaited = awaited;
        let (line, at) = self.client.receive_any(deadline)?;
        let fault = match line {
            Line::Text(_) => None,
            Line::TooLong => Some("a line without end"),
            Line::NotUtf8 => Some("a line that is no text"),
        };
        let text = pipes::text(line);
        self.observed(Direction::From, &text);
        match fault.filter(|_| self.is_strict) {
            Some(fault) => Err(ClientError::NoText(fault)),
            None => Ok((text, at)),
        }
    }

    fn observed(&mut self, direction: Direction, text: &str) {
        if let Some(observer) = &mut self.observer {
            observer(direction, text);
        }
    }

    /// The deadline of a reply that needs no thinking.
    fn deadline(&self) -> Instant {
        let deadline = Instant::now() + self.reply_timeout;
        self.until.map_or(deadline, |until| until.min(deadline))
    }

    /// Sends `isready` and waits for `readyok`.
    ///
    /// # Errors
    /// As [`Session::settle`].
    pub fn ready(&mut self) -> Result<(), ClientError> {
        self.ping()?;
        self.settle()
    }

    /// Sends an `isready` whose answer [`Session::settle`] awaits. Meanwhile other engines can be used.
    ///
    /// # Errors
    /// As [`Session::send`].
    pub fn ping(&mut self) -> Result<(), ClientError> {
        self.pings += 1;
        self.send("isready")
    }

    /// Waits for the answers to all pings.
    ///
    /// # Errors
    /// As [`Session::receive`]; [`ClientError::Refused`] with the first error that the engine has answered to an
    /// earlier command; [`ClientError::Unasked`] if this session is strict.
    pub fn settle(&mut self) -> Result<(), ClientError> {
        let (deadline, mut refused) = (self.deadline(), None);
        while self.pings > 0 {
            match self.receive(deadline, "'readyok'") {
                Ok((Reply::Error(error), _)) => refused = refused.or(Some(error)),
                Ok((reply, _)) => self.idle(&reply)?,
                Err(error) => return Err(refused.map_or(error, ClientError::Refused)),
            }
        }
        match refused {
            Some(error) => Err(ClientError::Refused(error)),
            None if self.is_strict => self.expect_silence(),
            None => Ok(()),
        }
    }

    /// Looks at the lines of an idle engine that have already arrived.
    fn expect_silence(&mut self) -> Result<(), ClientError> {
        for _ in 0..MOST_LINES {
            match self.receive(Instant::now(), "silence") {
                Ok((Reply::Error(error), _)) => return Err(ClientError::Refused(error)),
                Ok((reply, _)) => self.idle(&reply)?,
                Err(_) => return Ok(()),
            }
        }
        Err(ClientError::Endless("lines while idle"))
    }

    /// Handles a line of an idle engine.
    fn idle(&mut self, reply: &Reply) -> Result<(), ClientError> {
        match reply {
            Reply::ReadyOk => self.pings = self.pings.saturating_sub(1),
            Reply::BestMove { mv, .. } if self.is_strict => {
                return Err(ClientError::Unasked(mv.clone().unwrap_or_else(|| "none".to_owned())));
            }
            _ => {}
        }
        Ok(())
    }

    /// Lets the engine think about the position. Every `info` before its move is passed to `on_info`, with distances in
    /// moves.
    ///
    /// # Errors
    /// As [`Session::receive`]. [`ClientError::Refused`] if the engine refuses, [`ClientError::Unexpected`] if its
    /// `bestmove` has no move. [`ClientError::Timeout`] after its time and the reply timeout, or after the hang timeout
    /// where no clock is set.
    pub fn go(&mut self, go: &Go, on_info: impl FnMut(Info)) -> Result<BestMove, ClientError> {
        let timeout = match super::allowed(go) {
            Some(allowed) => allowed.saturating_add(self.reply_timeout),
            None => self.hang_timeout,
        };
        let line = Go { clocks: self.dialect, ..go.clone() }.to_string();
        self.search(&line, timeout, on_info)
    }

    /// Stops a search that was begun by other means, and waits for its move.
    ///
    /// # Errors
    /// As [`Session::go`].
    pub fn stop(&mut self) -> Result<BestMove, ClientError> {
        let timeout = self.deadline().saturating_duration_since(Instant::now());
        self.search(&Command::Stop.to_string(), timeout, |_| ())
    }

    /// Sends lines, of which the last one ends in a `bestmove`, and waits for it.
    ///
    /// # Errors
    /// As [`Session::go`].
    pub fn search(
        &mut self,
        lines: &str,
        timeout: Duration,
        mut on_info: impl FnMut(Info),
    ) -> Result<BestMove, ClientError> {
        let deadline = Instant::now() + timeout;
        self.send(lines)?;
        loop {
            match self.receive(deadline, "'bestmove'")? {
                (Reply::BestMove { mv, ponder, .. }, at) => return Ok(BestMove { mv, ponder, at }),
                (Reply::Info(info), _) => on_info(self.info.in_moves(info)),
                (Reply::Error(error), _) => return Err(ClientError::Refused(error)),
                (Reply::Other(line), _) if line.trim_start().starts_with("bestmove") => {
                    let expected = "'bestmove <move>'";
                    return Err(ClientError::Unexpected { expected, found: line });
                }
                _ => {}
            }
        }
    }

    /// Sends `quit` and waits for the engine to exit; returns whether it exited by itself and successfully.
    ///
    /// # Errors
    /// As [`Client::quit`].
    pub fn quit(self) -> Result<bool, ClientError> {
        let timeout = self.reply_timeout;
        self.quit_within(timeout)
    }

    /// Like [`Session::quit`], with a time of its own.
    ///
    /// # Errors
    /// As [`Client::quit`].
    pub fn quit_within(mut self, timeout: Duration) -> Result<bool, ClientError> {
        self.observed(Direction::To, &Command::Quit.to_string());
        self.client.quit(timeout)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { client, info, pings, .. } = self;
        let mut session = f.debug_struct("Session");
        session.field("client", client).field("info", info).field("pings", pings);
        session.finish_non_exhaustive()
    }
}
