//! The engine's process, and the client's lines that come while it is busy.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never, select};
use leap_base::terminal;
use leap_client::{Client, EngineCommand, MOST_BYTES, pipes};
use leap_protocol::Line;

use crate::fault::Broken;

/// Lines of the client that are read ahead.
const READ_AHEAD: usize = 64;
/// Lines of the client that wait while the engine is busy. UGI sends none but `isready`, `stop` and `quit` then.
const MOST_WAITING: usize = 10_000;
/// Lines of one answer.
const MOST_LINES: usize = 10_000;
/// How long the engine may take to end after its `quit`.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(2);

/// The engine, and the client's input.
pub(crate) struct Link {
    client: Client,
    engine: Receiver<(Line, Instant)>,
    input: Receiver<Line>,
    /// Lines of the client that came while the engine was busy.
    waiting: VecDeque<Line>,
    /// Whether the client's input has ended while the engine was busy.
    is_ended: bool,
    stall: Duration,
    /// The command that is being answered, for messages.
    command: String,
    lines: usize,
    bytes: usize,
    deadline: Instant,
    /// Whether the engine is choosing a move, so that the client may hear `readyok` meanwhile.
    pub(crate) is_searching: bool,
    /// Whether the client has said `stop` since the search began.
    pub(crate) is_stopped: bool,
}

impl Link {
    /// Starts the engine, whose standard error is copied to ours, and begins to read the client's lines.
    pub(crate) fn start(command: &EngineCommand, stall: Duration) -> Result<Self, Broken> {
        let mut client = Client::start_showing(command, true)?;
        let engine = client.listen()?;
        let (sender, input) = bounded(READ_AHEAD);
        pipes::read_lines("input", io::stdin(), move |line| sender.send(line).is_ok())?;
        // Some engines greet before they are asked anything.
        let (command, deadline) = ("the start".to_owned(), Instant::now() + stall);
        let waiting = VecDeque::new();
        let (is_searching, is_stopped, lines) = (false, false, 0);
        Ok(Self {
            client,
            engine,
            input,
            waiting,
            is_ended: false,
            stall,
            command,
            lines,
            bytes: 0,
            deadline,
            is_searching,
            is_stopped,
        })
    }

    /// The next line of the client; `None` at the end of its input.
    pub(crate) fn next_command(&mut self) -> Option<Line> {
        self.waiting.pop_front().or_else(|| self.input.recv().ok())
    }

    /// Sends a line to the engine. Its answer has to come within the time that `--stall` allows.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Broken> {
        line.clone_into(&mut self.command);
        (self.lines, self.bytes, self.deadline) = (0, 0, Instant::now() + self.stall);
        log::debug!("to the engine: {line}");
        self.client.send_line(line).map_err(|_| self.ended())
    }

    /// The next line of the engine. The client's lines are looked at meanwhile if the engine is choosing a move.
    pub(crate) fn receive(&mut self) -> Result<String, Broken> {
        let idle = never();
        loop {
            let is_full = self.waiting.len() >= MOST_WAITING;
            let is_heard = self.is_searching && !is_full && !self.is_ended;
            let input = if is_heard { &self.input } else { &idle };
            let heard = select! {
                recv(self.engine) -> line => match line {
                    Ok((line, _)) => return self.heard(line),
                    Err(_) => return Err(self.ended()),
                },
                recv(input) -> line => line.ok(),
                default(self.deadline.saturating_duration_since(Instant::now())) => {
                    let command = self.command.clone();
                    return Err(Broken::Silent { command, ms: self.stall.as_millis() });
                }
            };
            match heard {
                Some(line) => self.meanwhile(line)?,
                // The end of the input ends no search.
                None => self.is_ended = true,
            }
        }
    }

    fn heard(&mut self, line: Line) -> Result<String, Broken> {
        let text = pipes::text(line);
        (self.lines, self.bytes) = (self.lines + 1, self.bytes + text.len());
        if self.lines > MOST_LINES || self.bytes > MOST_BYTES {
            return Err(Broken::Endless(self.command.clone()));
        }
        log::debug!("from the engine: {text}");
        Ok(text)
    }

    /// A line of the client while the engine chooses a move.
    fn meanwhile(&mut self, line: Line) -> Result<(), Broken> {
        let word = match &line {
            Line::Text(text) => text.trim(),
            _ => "",
        };
        match word {
            "isready" if self.waiting.is_empty() => write("readyok"),
            "stop" => {
                self.is_stopped = true;
                Ok(())
            }
            "quit" => Err(Broken::Quit),
            _ => {
                self.waiting.push_back(line);
                Ok(())
            }
        }
    }

    /// Sends the engine its word for the end, and waits for it a little.
    pub(crate) fn quit(&mut self, word: &str) {
        if self.client.send_line(word).is_ok() {
            let _ = self.client.ended(LAST_WORDS);
        }
    }

    fn ended(&mut self) -> Broken {
        let command = self.command.clone();
        Broken::Ended { command, end: self.client.how_it_ended() }
    }
}

/// Writes a line to the client.
pub(crate) fn write(line: &str) -> Result<(), Broken> {
    match terminal::show(format_args!("{line}\n"))? {
        true => Ok(()),
        false => Err(Broken::Quit),
    }
}
