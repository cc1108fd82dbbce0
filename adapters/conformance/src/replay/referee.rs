//! An engine that decides which moves are legal (SPEC 16.19).

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, anyhow};
use leap_client::{Client, ClientError, EngineCommand, Session};
use leap_protocol::payload::{Legality, ProtocolInfo};
use leap_protocol::{Command, Dialect, ErrorCode, Line, Query, Reply};
use leap_transcript::{Entry, Expected, Rule, Sent, Transcript};

use crate::runner::{Divergence, Matcher, Stop, header_lines};

/// The moves of a `bestmove`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Moves {
    best: String,
    ponder: Option<String>,
}

impl Moves {
    /// The moves of a line, as far as they stand before a wildcard; `None` if it has none.
    pub(super) fn of(line: &str) -> Option<Self> {
        let fixed = match line.split_once("...") {
            Some((before, _)) => before.rsplit_once(' ')?.0.trim_end_matches(" ponder"),
            None => line,
        };
        match Reply::parse(fixed) {
            Reply::BestMove { mv: Some(best), ponder, .. } => Some(Self { best, ponder }),
            _ => None,
        }
    }

    /// Whether this is the move that is to be made, not the expected reply.
    pub(super) fn is_best(&self, mv: &str) -> bool {
        self.best == mv
    }
}

/// A move that may not be made.
#[derive(Debug)]
pub(super) struct IllegalMove {
    pub(super) mv: String,
    pub(super) why: Legality,
}

/// The referee. Its process is started when it is first asked.
pub(super) struct Referee<'a> {
    command: EngineCommand,
    patience: Duration,
    session: Option<Session>,
    /// What it announces, once it has been asked.
    known: Option<Vec<String>>,
    /// The lines that set up the position, each with the index of its entry.
    lines: Vec<(usize, String)>,
    /// How many of them the referee has received.
    sent: usize,
    entries: &'a [Entry],
    /// The entries that are a `go`.
    searches: Vec<usize>,
}

impl<'a> Referee<'a> {
    pub(super) fn new(
        transcript: &'a Transcript,
        command: &EngineCommand,
        patience: Duration,
    ) -> Self {
        let header = header_lines(transcript).into_iter();
        let entries = &transcript.entries;
        let lines = header.chain(position_lines(entries)).collect();
        let is_search = |index: &usize| {
            let Entry::Sent(Sent::Line(line)) = &entries[*index] else { return false };
            matches!(Command::parse(line), Ok(Some(Command::Go(_))))
        };
        let searches = (0..entries.len()).filter(is_search).collect();
        let command = command.clone();
        let (session, known, sent) = (None, None, 0);
        Self { command, patience, session, known, lines, sent, entries, searches }
    }

    /// Checks that the engine's moves are legal, and then those of the transcript: one that expects an illegal move proves
    /// nothing. Where any legal move is right, somebody must know the rules.
    ///
    /// # Errors
    /// A move is illegal, or the referee fails.
    pub(super) fn judge(
        &mut self,
        index: usize,
        line: &Line,
        matcher: &Matcher,
    ) -> Result<(), Stop> {
        let expected = match &self.entries[index] {
            Entry::Expected(
                Expected::Default(text) | Expected::Exact(text) | Expected::AnyMove(text),
            ) => text.as_str(),
            _ => "",
        };
        let must_know = matches!(matcher.rules().get(index), Some(Rule::AnyMove { .. }));
        if matches!(line, Line::Text(found) if found != expected) {
            self.judge_found(index, line, must_know)?;
        }
        let Some(moves) = Moves::of(expected) else { return Ok(()) };
        self.illegal_of(index, &moves, must_know)?.map_or(Ok(()), |IllegalMove { mv, why }| {
            Err(Divergence::IllegalExpected(format!("{mv}: {why}")).into())
        })
    }

    /// Checks that the moves of a line are legal. If nobody must know, the referee need not.
    ///
    /// # Errors
    /// As [`Self::judge`].
    pub(super) fn judge_found(
        &mut self,
        index: usize,
        line: &Line,
        must_know: bool,
    ) -> Result<(), Stop> {
        let Line::Text(text) = line else { return Ok(()) };
        let Some(moves) = Moves::of(text) else { return Ok(()) };
        let Some(IllegalMove { mv, why }) = self.illegal_of(index, &moves, must_know)? else {
            return Ok(());
        };
        let why = if moves.is_best(&mv) { why.to_string() } else { format!("{mv}: {why}") };
        Err(Divergence::Illegal(line.clone(), why).into())
    }

    /// The illegal one of these moves, in the position of the last search before this entry. The expected reply is asked
    /// about if the referee can make moves.
    fn illegal_of(
        &mut self,
        index: usize,
        moves: &Moves,
        must_know: bool,
    ) -> Result<Option<IllegalMove>, Stop> {
        let searches = self.searches.partition_point(|search| *search < index);
        let search = self.searches[..searches].last().copied().unwrap_or_default();
        let known = if must_know { Ok(true) } else { self.supports(&["legal"]) };
        let answer = known.and_then(|known| if known { self.ask(search, moves) } else { Ok(None) });
        let answer = answer.map_err(|error| match error {
            ClientError::Refused(error) => {
                anyhow!("{error} (it must know 'query legal'; --referee names another)")
            }
            error => error.into(),
        });
        let context = || format!("cannot ask the referee whether {} is legal", moves.best);
        answer.with_context(context).map_err(Stop::Failed)
    }

    fn ask(&mut self, index: usize, moves: &Moves) -> Result<Option<IllegalMove>, ClientError> {
        self.set_up(index)?;
        if let Some(illegal) = self.illegal(&moves.best)? {
            return Ok(Some(illegal));
        }
        let Some(ponder) = &moves.ponder else { return Ok(None) };
        if !self.supports(&["move", "undo"])? {
            return Ok(None);
        }
        self.started()?.set_all([Command::Move(vec![moves.best.clone()])])?;
        let illegal = self.illegal(ponder)?;
        self.started()?.set_all([Command::Undo(1)])?;
        Ok(illegal)
    }

    fn illegal(&mut self, mv: &str) -> Result<Option<IllegalMove>, ClientError> {
        let why = self.started()?.legal(mv)?;
        Ok((why != Legality::Legal).then(|| IllegalMove { mv: mv.to_owned(), why }))
    }

    /// Whether the referee announces all of these extensions.
    fn supports(&mut self, extensions: &[&str]) -> Result<bool, ClientError> {
        if self.known.is_none() {
            let protocol: Option<ProtocolInfo> = self.started()?.ask_if_known(Query::Protocol)?;
            self.known = Some(protocol.map_or(Vec::new(), |protocol| protocol.extensions));
        }
        let known = self.known.iter().flatten();
        let count = known.filter(|known| extensions.contains(&known.as_str())).count();
        Ok(count == extensions.len())
    }

    /// The conversation, which the transcript's own lines begin: the referee is not greeted.
    fn started(&mut self) -> Result<&mut Session, ClientError> {
        if self.session.is_none() {
            let client = Client::start(&self.command, Stdio::null())?;
            self.session = Some(Session::new(client, Dialect::Ugi, self.patience));
        }
        self.session.as_mut().ok_or(ClientError::Closed)
    }

    /// Sends the lines that lead to the position of an entry.
    fn set_up(&mut self, index: usize) -> Result<(), ClientError> {
        self.started()?;
        let session = self.session.as_mut().ok_or(ClientError::Closed)?;
        let rest = self.lines.get(self.sent..).unwrap_or_default();
        for (_, line) in rest.iter().take_while(|(at, _)| *at <= index) {
            session.send(line)?;
            self.sent += 1;
        }
        match session.ready() {
            // The referee must refuse the lines that were refused in the transcript.
            Err(ClientError::Refused(_)) => Ok(()),
            ready => ready,
        }
    }
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
