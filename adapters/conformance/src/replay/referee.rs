//! An engine that decides which moves are legal (SPEC 16.19).

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, anyhow};
use leap_client::{Client, ClientError, EngineCommand};
use leap_protocol::payload::Legality;
use leap_protocol::transcript::{Entry, Expected, Sent, Transcript};
use leap_protocol::{Command, ErrorCode, Query, Reply};

/// The referee. Its process is started when it is first asked.
pub(super) struct Referee {
    command: EngineCommand,
    patience: Duration,
    client: Option<Client>,
    /// The lines that set up the position, each with the index of its entry.
    lines: Vec<(usize, String)>,
    /// How many of them the referee has received.
    sent: usize,
}

impl Referee {
    pub(super) fn new(
        transcript: &Transcript,
        command: &EngineCommand,
        patience: Duration,
    ) -> Self {
        let header = header_lines(transcript).into_iter().map(|line| (0, line));
        let lines = header.chain(position_lines(&transcript.entries)).collect();
        Self { command: command.clone(), patience, client: None, lines, sent: 0 }
    }

    /// Whether the move is legal in the position of the entry with this index.
    ///
    /// # Errors
    /// If the referee cannot be started or does not answer.
    pub(super) fn judge(&mut self, index: usize, mv: &str) -> anyhow::Result<Legality> {
        let context = || format!("cannot ask the referee whether {mv} is legal");
        match self.ask(index, mv) {
            Err(ClientError::Refused(error)) => {
                let hint = "it must know 'query legal'; --referee names another";
                Err(anyhow!("{error} ({hint})")).with_context(context)
            }
            answer => answer.with_context(context),
        }
    }

    fn ask(&mut self, index: usize, mv: &str) -> Result<Legality, ClientError> {
        self.set_up(index)?;
        let client = self.client.as_mut().ok_or(ClientError::Closed)?;
        client.ask_for(Query::Legal(mv.to_owned()), self.patience)
    }

    /// Sends the lines that lead to the position of an entry.
    fn set_up(&mut self, index: usize) -> Result<(), ClientError> {
        if self.client.is_none() {
            self.client = Some(Client::start(&self.command, Stdio::null())?);
        }
        let client = self.client.as_mut().ok_or(ClientError::Closed)?;
        let rest = self.lines.get(self.sent..).unwrap_or_default();
        for (_, line) in rest.iter().take_while(|(at, _)| *at <= index) {
            client.send_line(line)?;
            self.sent += 1;
        }
        match client.ready(self.patience) {
            // The referee must refuse the lines that were refused in the transcript.
            Err(ClientError::Refused(_)) => Ok(()),
            ready => ready,
        }
    }
}

/// The lines that every session starts with (SPEC 16.15).
pub(super) fn header_lines(transcript: &Transcript) -> Vec<String> {
    let options = transcript.options();
    let game = transcript.game().map(|game| ("Game", Some(game)));
    options
        .chain(game)
        .map(|(name, value)| {
            let value = value.map(str::to_owned);
            Command::SetOption { name: name.to_owned(), value }.to_string()
        })
        .collect()
}

/// The lines that affect the position. Those refused during a search do not.
fn position_lines(entries: &[Entry]) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let Entry::Sent(Sent::Line(line)) = entry else { continue };
        let sets_up = matches!(
            Command::parse(line),
            Ok(Some(
                Command::SetOption { .. }
                    | Command::Position { .. }
                    | Command::Move(_)
                    | Command::Undo(_)
                    | Command::NewGame(_)
                    | Command::Hello(_)
            ))
        );
        let was_busy = entries[index + 1..]
            .iter()
            .take_while(|entry| !matches!(entry, Entry::Sent(_)))
            .any(is_busy);
        if sets_up && !was_busy {
            lines.push((index, line.clone()));
        }
    }
    lines
}

fn is_busy(entry: &Entry) -> bool {
    let Entry::Expected(Expected::Default(line) | Expected::Exact(line)) = entry else {
        return false;
    };
    matches!(Reply::parse(line), Reply::Error(error) if error.code == ErrorCode::Busy)
}
