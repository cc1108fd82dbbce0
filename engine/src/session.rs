//! The session: a pure state machine. Events go in, actions come out.
//!
//! It has no thread, no clock and no I/O. Tests of the order of answers (SPEC 7) therefore need none of these.

use std::sync::Arc;

use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::{Command, Dialect, ErrorCode, ErrorReply, IdKey, Info, Line, Reply};

use crate::options::Scope;
use crate::{Engines, Job};
use leap_search::clock::Instant;
use leap_search::{Control, Lag, TranspositionTable, TranspositionTableError};

/// What a session is told.
#[derive(Debug)]
pub enum Event {
    /// A line of input, with the moment at which it was read.
    Line(Line, Instant),
    /// There will be no more input.
    EndOfInput,
    /// The job in progress reports something.
    Report(Reply),
    /// The job in progress has ended with its last reply.
    Done(Reply),
}

/// What a session asks its driver to do.
#[expect(clippy::large_enum_variant, reason = "nearly every action is a reply")]
pub enum Action {
    /// Write this line. A client that is slow to read may miss an `info` line with a rank (SPEC 5.25).
    Reply(Reply),
    /// Run this job on the worker; its reports come back as events.
    Start(Job, Arc<Control>),
    /// End the process (SPEC 3.23).
    Quit,
    /// Write what is still to be written and end the process (SPEC 7.6).
    Finish,
}

/// The work in progress. A finished search is held until it is released, so its `bestmove` never comes early.
struct Running {
    control: Arc<Control>,
    /// An `infinite` search answers no earlier than `stop`.
    infinite: bool,
    /// A `ponder` search answers no earlier than `ponderhit` or `stop`.
    ponder: bool,
    /// The answer of a search that has ended before it was released.
    held: Option<Reply>,
}

impl Running {
    const fn is_held(&self) -> bool {
        self.infinite || self.ponder
    }
}

/// One client's session. The crate's documentation has an example.
pub struct Session {
    engines: Engines,
    dialect: Dialect,
    table: Arc<TranspositionTable>,
    lag: Arc<Lag>,
    poll: Option<fn()>,
    running: Option<Running>,
    /// The session ends with the work in progress.
    closing: Option<Closing>,
}

/// Why a session ends with its work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// The input has ended.
    EndOfInput,
    /// The client said `quit`, and nothing that follows counts.
    Quit,
}

impl Session {
    /// A session with these engines and their options.
    ///
    /// # Errors
    /// The transposition table does not fit into memory.
    pub fn new(engines: Engines) -> Result<Self, TranspositionTableError> {
        let table = Arc::new(TranspositionTable::new(engines.settings.hash_mib)?);
        Ok(Self {
            engines,
            dialect: Dialect::default(),
            table,
            lag: Arc::default(),
            poll: None,
            running: None,
            closing: None,
        })
    }

    /// The session of a driver with a single thread. A job calls `poll` whenever it checks whether to stop. In `poll`
    /// the driver passes on what it has heard meanwhile.
    #[must_use]
    pub fn polling(self, poll: fn()) -> Self {
        Self { poll: Some(poll), ..self }
    }

    /// Takes one event and appends what is to be done, in order.
    pub fn handle(&mut self, event: Event, actions: &mut Vec<Action>) {
        match event {
            Event::Line(..) | Event::EndOfInput if self.closing == Some(Closing::Quit) => {}
            Event::Line(line, at) => {
                let done = match line {
                    Line::Text(text) => self.line(&text, at, actions),
                    Line::TooLong => {
                        let text = format!(
                            "expected a line of at most {MAX_LINE_BYTES} bytes, found a longer one"
                        );
                        Err(ErrorReply::new(ErrorCode::TooLong, text))
                    }
                    Line::NotUtf8 => {
                        let text = "expected UTF-8, found other bytes";
                        Err(ErrorReply::new(ErrorCode::NotUtf8, text))
                    }
                };
                actions.extend(done.err().map(|error| Action::Reply(error.into())));
            }
            Event::EndOfInput => self.close(Closing::EndOfInput, actions),
            // The engine counts plies to the end. UCI counts moves (SPEC 5.20).
            Event::Report(Reply::Info(info)) if self.dialect == Dialect::Uci => {
                actions.push(Action::Reply(info.in_moves().into()));
            }
            Event::Report(reply) => actions.push(Action::Reply(reply)),
            Event::Done(reply) => {
                if let Some(running) = &mut self.running {
                    running.held = Some(reply);
                }
                self.answer_if_released(actions);
            }
        }
    }

    /// Reads a line and carries out its command: the one place where commands are routed. An error has changed nothing.
    fn line(
        &mut self,
        text: &str,
        at: Instant,
        actions: &mut Vec<Action>,
    ) -> Result<(), ErrorReply> {
        let Some(command) = Command::parse_in(text, self.dialect)? else { return Ok(()) };
        let engines = &mut self.engines;
        match command {
            Command::IsReady => actions.push(Action::Reply(Reply::ReadyOk)),
            Command::Stop => self.stop(actions),
            Command::PonderHit => self.ponderhit(actions),
            Command::Quit => self.close(Closing::Quit, actions),
            Command::Query(query) => {
                let replies = engines.engine().answer(&query, &engines.settings)?;
                actions.extend(replies.into_iter().map(Action::Reply));
            }
            Command::Diagram => {
                actions.extend(engines.engine().diagram().into_iter().map(Action::Reply));
            }
            Command::Debug(_) => {}
            _ if self.running.is_some() => return Err(busy(text)),
            Command::Hello(dialect) => {
                self.dialect = dialect;
                hello(engines, dialect, actions);
            }
            Command::NewGame(_) => {
                self.table.clear();
                self.lag = Arc::default();
                engines.engine_mut().start();
            }
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref(), actions)?;
            }
            Command::Position { start, moves } => engines.engine_mut().set_up(&start, &moves)?,
            Command::Move(moves) => engines.engine_mut().play(&moves)?,
            Command::Undo(count) => engines.engine_mut().undo(count)?,
            Command::Go(go) => {
                let (table, lag) = (Arc::clone(&self.table), Arc::clone(&self.lag));
                let job = engines.engine().search(&go, &engines.settings, table, lag)?;
                self.start(job, at, go.is_unbounded(), go.ponder, actions);
            }
            Command::Perft(depth) => {
                let job = engines.engine().perft(depth);
                self.start(job, at, false, false, actions);
            }
            Command::DrawOffer => {
                let reply = engines.engine().consider_draw(&engines.settings)?;
                actions.push(Action::Reply(reply));
            }
            Command::Eval => actions.push(Action::Reply(engines.engine().evaluation())),
        }
        Ok(())
    }

    fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        actions: &mut Vec<Action>,
    ) -> Result<(), ErrorReply> {
        let before = self.engines.settings.hash_mib;
        let scope = self.engines.set(name, value)?;
        match scope {
            Scope::ExactValues => {
                let notes = self.engines.settings.tables.notes().iter();
                actions.extend(notes.map(|note| Action::Reply(Info::string(note).into())));
            }
            Scope::TranspositionTable => {
                let resized = self.resize_table(self.engines.settings.hash_mib);
                resized.inspect_err(|_| self.engines.settings.hash_mib = before)?;
            }
            _ => {}
        }
        if scope.outdates_scores() {
            self.table.clear();
        }
        Ok(())
    }

    /// Exchanges the table for an empty one. A large table is freed before a smaller one is allocated.
    fn resize_table(&mut self, mib: usize) -> Result<(), ErrorReply> {
        let new = |mib| match TranspositionTable::new(mib) {
            Ok(table) => Ok(Arc::new(table)),
            Err(error) => Err(ErrorReply::new(ErrorCode::OutOfRange, error.to_string())),
        };
        if mib < self.table.mib() {
            self.table = new(1)?;
        }
        self.table = new(mib)?;
        Ok(())
    }

    fn start(
        &mut self,
        job: Job,
        began: Instant,
        infinite: bool,
        ponder: bool,
        actions: &mut Vec<Action>,
    ) {
        let control = Arc::new(Control::since(began, self.poll));
        actions.push(Action::Start(job, Arc::clone(&control)));
        self.running = Some(Running { control, infinite, ponder, held: None });
    }

    /// Stops the work in progress. No other place does.
    fn stop(&mut self, actions: &mut Vec<Action>) {
        if let Some(running) = &mut self.running {
            running.control.stop.raise();
            (running.infinite, running.ponder) = (false, false);
        }
        self.answer_if_released(actions);
    }

    fn ponderhit(&mut self, actions: &mut Vec<Action>) {
        let Some(running) = self.running.as_mut().filter(|running| running.ponder) else { return };
        running.ponder = false;
        running.control.ponderhit();
        self.answer_if_released(actions);
    }

    /// Answers a `go` once its work has ended and nothing holds the answer back. No other place does.
    fn answer_if_released(&mut self, actions: &mut Vec<Action>) {
        let Some(running) = self.running.as_mut().filter(|running| !running.is_held()) else {
            return;
        };
        let Some(reply) = running.held.take() else { return };
        self.running = None;
        actions.push(Action::Reply(reply));
        actions.extend(self.closing.map(Closing::last_effect));
    }

    /// Ends the session with its work. At the end of input bounded work is completed (SPEC 7.6). All other work is
    /// stopped and answered.
    fn close(&mut self, closing: Closing, actions: &mut Vec<Action>) {
        self.closing = Some(closing);
        match &self.running {
            None => actions.push(closing.last_effect()),
            Some(running) if running.is_held() || closing == Closing::Quit => self.stop(actions),
            Some(_) => {}
        }
    }
}

impl Closing {
    const fn last_effect(self) -> Action {
        match self {
            Self::EndOfInput => Action::Finish,
            Self::Quit => Action::Quit,
        }
    }
}

fn hello(engines: &Engines, dialect: Dialect, actions: &mut Vec<Action>) {
    let program = concat!("leapd ", env!("CARGO_PKG_VERSION"));
    // A program with one game is that game's.
    let program = match &*engines.settings.games {
        [game] => format!("{game} ({program})"),
        _ => program.to_owned(),
    };
    let player = engines.settings.agent.name();
    let name = player.map_or_else(|| program.clone(), |name| format!("{program} {name}"));
    let mut say = |reply| actions.push(Action::Reply(reply));
    say(Reply::Id { key: IdKey::Name, value: name });
    say(Reply::Id { key: IdKey::Author, value: env!("CARGO_PKG_AUTHORS").to_owned() });
    engines.options().for_each(|row| say(Reply::Option(row.declaration())));
    if dialect == Dialect::Uci {
        say(Reply::Option(engines.uci_variant()));
    }
    say(Reply::HelloOk(dialect));
}

/// The error for the command of a line that has to wait.
fn busy(line: &str) -> ErrorReply {
    let word = line.split_whitespace().next().unwrap_or_default();
    let text = format!("'{word}' has to wait until the search has answered; 'stop' ends it");
    ErrorReply::new(ErrorCode::Busy, text)
}
