//! An engine in another process: started, spoken to, and never waited for without a deadline.

mod error;
mod leapd;
mod process;
mod running;
#[cfg(unix)]
pub(crate) mod signals;
pub(crate) mod stderr;

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use leap_protocol::payload::PayloadError;
use leap_protocol::{Command, Dialect, Go, IdKey, Info, Line, OptionDecl, Query, Reply};

pub use error::ClientError;
pub(crate) use leapd::{engine_or_leapd, find_leapd};
use process::Process;
pub(crate) use process::{MOST_BYTES, exit, spawn};
pub(crate) use running::Group;
#[cfg(unix)]
pub(crate) use running::kill_engines_and_exit;
pub use running::{kill_engines, kill_engines_on_signals};

/// How to start an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program: a path, or a name looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; ours if `None`.
    pub directory: Option<PathBuf>,
}

impl EngineCommand {
    /// A program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> EngineCommand {
        EngineCommand { program: program.into(), ..EngineCommand::default() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> EngineCommand {
        self.args.push(arg.into());
        self
    }
}

/// What an engine says of itself when it is greeted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Greeting {
    /// `id name`.
    pub name: String,
    /// `id author`.
    pub author: String,
    /// Its options.
    pub options: Vec<OptionDecl>,
}

/// The answer to a `go`, with the moment at which it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move; `None` where the game is over.
    pub mv: Option<String>,
    /// The reply that the engine expects, if it says so.
    pub ponder: Option<String>,
    /// When the line was read.
    pub at: Instant,
}

/// A running engine. Dropping it kills its whole process group and reaps it.
#[derive(Debug)]
pub struct Client {
    process: Process,
}

impl Client {
    /// Starts an engine. Its standard error goes where `stderr` says.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub fn start(command: &EngineCommand, stderr: Stdio) -> Result<Client, ClientError> {
        Ok(Client { process: Process::start(command, stderr)? })
    }

    /// Starts an engine. Its standard error is shown on ours, or nowhere.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub(crate) fn start_showing(
        command: &EngineCommand,
        show_stderr: bool,
    ) -> Result<Client, ClientError> {
        let process = match show_stderr {
            true => Process::start_heard(command)?,
            false => Process::start(command, Stdio::null())?,
        };
        Ok(Client { process })
    }

    /// The process id of the engine.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Closes the engine's input, once all that was sent has been read.
    pub fn end_input(&mut self) {
        self.process.close_input();
    }

    /// Sends a command.
    ///
    /// # Errors
    /// [`ClientError::Closed`] if the engine reads no more.
    pub fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        self.send_line(&command.to_string())
    }

    /// Sends a line as it is.
    ///
    /// # Errors
    /// [`ClientError::Closed`] if the engine reads no more.
    pub fn send_line(&mut self, line: &str) -> Result<(), ClientError> {
        self.send_bytes(format!("{line}\n").into_bytes())
    }

    /// Sends bytes as they are, without a line end of ours.
    ///
    /// # Errors
    /// [`ClientError::Closed`] if the engine reads no more, [`ClientError::Timeout`] if it has left its input unread
    /// for too long.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        self.process.send(bytes)
    }

    /// The next line of the engine, typed, with the moment at which it was read.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] at the deadline, [`ClientError::Closed`] if the engine has ended,
    /// [`ClientError::Flood`] if it writes without end.
    pub fn receive(&mut self, deadline: Instant) -> Result<(Reply, Instant), ClientError> {
        let (line, at) = self.receive_line(deadline)?;
        Ok((Reply::parse(&line), at))
    }

    /// The next line of the engine as it came, without its end, with the moment at which it was read.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn receive_line(&mut self, deadline: Instant) -> Result<(String, Instant), ClientError> {
        let (line, at) = self.receive_any(deadline)?;
        Ok((text(line), at))
    }

    /// As [`Client::receive_line`], with lines that are no text told apart from all texts.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn receive_any(&mut self, deadline: Instant) -> Result<(Line, Instant), ClientError> {
        self.process.receive(deadline)
    }

    /// The engine's lines, to be waited for together with other things. They end when the engine does.
    pub(crate) fn incoming(&self) -> &Receiver<(Line, Instant)> {
        self.process.incoming()
    }

    /// Greets the engine and waits for `ugiok` or `uciok`.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn greet(&mut self, dialect: Dialect, patience: Duration) -> Result<Greeting, ClientError> {
        self.send(&Command::Hello(dialect))?;
        let deadline = Instant::now() + patience;
        let mut greeting = Greeting::default();
        loop {
            match self.receive(deadline)?.0 {
                Reply::Id { key: IdKey::Name, value } => greeting.name = value,
                Reply::Id { key: IdKey::Author, value } => greeting.author = value,
                Reply::Option(option) => greeting.options.push(option),
                Reply::HelloOk(found) if found == dialect => return Ok(greeting),
                _ => {}
            }
        }
    }

    /// Sends `isready` and waits for `readyok`.
    ///
    /// # Errors
    /// As [`Client::receive`]; [`ClientError::Refused`] if the engine reports an error first, of an earlier command.
    pub fn ready(&mut self, patience: Duration) -> Result<(), ClientError> {
        self.send(&Command::IsReady)?;
        let deadline = Instant::now() + patience;
        let mut refused = None;
        loop {
            match self.receive(deadline)?.0 {
                Reply::ReadyOk => return refused.map_or(Ok(()), Err),
                Reply::Error(error) => refused = Some(ClientError::Refused(error)),
                _ => {}
            }
        }
    }

    /// Asks a question and returns what follows `response`.
    ///
    /// # Errors
    /// As [`Client::receive`]; [`ClientError::Refused`] if the engine answers with an error.
    pub fn ask(&mut self, query: Query, patience: Duration) -> Result<String, ClientError> {
        self.send(&Command::Query(query))?;
        let deadline = Instant::now() + patience;
        loop {
            match self.receive(deadline)?.0 {
                Reply::Response(body) => return Ok(body),
                Reply::Error(error) => return Err(ClientError::Refused(error)),
                _ => {}
            }
        }
    }

    /// Asks a question and reads the answer as what it must be, a type of [`leap_protocol::payload`]:
    /// `YesNo`, `GameResult`, `MoveList`, `Status` and so on.
    ///
    /// # Errors
    /// As [`Client::ask`]; [`ClientError::Payload`] if the answer is something else.
    pub fn ask_for<T>(&mut self, query: Query, patience: Duration) -> Result<T, ClientError>
    where
        T: std::str::FromStr<Err = PayloadError>,
    {
        Ok(self.ask(query, patience)?.parse()?)
    }

    /// Asks what the board looks like: the lines of the answer, without the word `board` (SPEC 4.23).
    ///
    /// # Errors
    /// As [`Client::ask`].
    pub fn ask_board(&mut self, patience: Duration) -> Result<Vec<String>, ClientError> {
        self.send(&Command::Query(Query::Board))?;
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.receive(deadline)?.0 {
                Reply::Board(line) => lines.push(line),
                Reply::BoardOk => return Ok(lines),
                Reply::Error(error) => return Err(ClientError::Refused(error)),
                _ => {}
            }
        }
    }

    /// Sends `go` and waits for `bestmove`; every `info` on the way goes to `on_info`.
    ///
    /// # Errors
    /// As [`Client::ask`].
    pub fn go(
        &mut self,
        go: Go,
        patience: Duration,
        mut on_info: impl FnMut(Info),
    ) -> Result<BestMove, ClientError> {
        self.send(&Command::Go(go))?;
        let deadline = Instant::now() + patience;
        loop {
            match self.receive(deadline)? {
                (Reply::BestMove { mv, ponder, .. }, at) => return Ok(BestMove { mv, ponder, at }),
                (Reply::Info(info), _) => on_info(info),
                (Reply::Error(error), _) => return Err(ClientError::Refused(error)),
                _ => {}
            }
        }
    }

    /// Sends `quit` and waits for the engine to end; whether it ended by itself, with success.
    ///
    /// # Errors
    /// The process cannot be waited for.
    pub fn quit(mut self, patience: Duration) -> Result<bool, ClientError> {
        // An engine that has ended already reads no more: what counts is how it ended.
        let _ = self.send(&Command::Quit);
        self.process.wait(Instant::now() + patience)
    }

    /// Closes the engine's input and returns the lines that it still writes before it ends.
    ///
    /// # Errors
    /// [`ClientError::Timeout`] if it does not end in time.
    pub fn close_input(&mut self, patience: Duration) -> Result<Vec<String>, ClientError> {
        self.process.close_input();
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.process.receive(deadline) {
                Ok((line, _)) => lines.push(text(line)),
                Err(ClientError::Closed) => return Ok(lines),
                Err(error) => return Err(error),
            }
        }
    }

    /// Stops reading: the engine's output is closed once it writes another line, and nothing can be received any more.
    pub fn close_output(&mut self) {
        self.process.close_output();
    }

    /// Waits for the engine to end by itself, with its input as it is; `None` if it is still running after `patience`.
    ///
    /// # Errors
    /// The process cannot be waited for.
    pub fn ended(&mut self, patience: Duration) -> Result<Option<ExitStatus>, ClientError> {
        self.process.ended(Instant::now() + patience)
    }
}

/// The time that a `go` gives an engine at most; `None` for what no clock limits.
pub(crate) fn allowed(go: &Go) -> Option<Duration> {
    const DAY_MS: u64 = 86_400_000;
    let clocks = [go.p1time, go.p2time].into_iter().flatten();
    let clocks = clocks.map(|ms| u64::try_from(ms).unwrap_or_default());
    let ms = clocks.chain(go.movetime).max()?;
    // Deadlines are sums: a day keeps them within what clocks can hold.
    Some(Duration::from_millis(ms.min(DAY_MS)))
}

/// A line that is no text is still a line: it must not vanish between others.
fn text(line: Line) -> String {
    match line {
        Line::Text(text) => text,
        Line::TooLong => "(a line that is too long)".to_owned(),
        Line::NotUtf8 => "(a line that is not UTF-8)".to_owned(),
    }
}
