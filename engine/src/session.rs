//! The session: a pure state machine. Events go in, effects come out.
//!
//! It has no thread, no clock and no I/O. Tests of the order of answers (SPEC 7) therefore need none of these.

use std::fmt::{self, Write};
use std::sync::Arc;

use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::{Command, Dialect, ErrorCode, ErrorReply, Go, IdKey, Info, Line, Reply};

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
pub enum Effect {
    /// Write this line.
    Reply(Reply),
    /// Write this line, unless the client is slow to read.
    Info(Reply),
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

/// One client's session.
///
/// ```
/// use leap_engine::session::{Effect, Event, Session};
/// use leap_engine::{Engines, game};
/// use leap_games::alquerque::Alquerque;
/// use leap_protocol::Line;
/// use leap_search::clock::Instant;
///
/// let mut session = Session::new(Engines::new([game::<Alquerque>()]))?;
/// let mut effects = Vec::new();
/// session.handle(Event::Line(Line::Text("query p1turn".to_owned()), Instant::now()), &mut effects);
/// let [Effect::Reply(reply)] = &effects[..] else { unreachable!("one reply") };
/// assert_eq!(reply.to_string(), "response true");
/// # Ok::<(), leap_search::TranspositionTableError>(())
/// ```
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
        let table = Arc::new(TranspositionTable::new(engines.settings.table_mib())?);
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
    pub fn handle(&mut self, event: Event, effects: &mut Vec<Effect>) {
        match event {
            Event::Line(..) | Event::EndOfInput if self.closing == Some(Closing::Quit) => {}
            Event::Line(Line::Text(text), at) => self.line(&text, at, effects),
            Event::Line(Line::TooLong, _) => effects.push(error(
                ErrorCode::TooLong,
                format!("expected a line of at most {MAX_LINE_BYTES} bytes, found a longer one"),
            )),
            Event::Line(Line::NotUtf8, _) => {
                effects.push(error(ErrorCode::NotUtf8, "expected UTF-8, found other bytes"));
            }
            Event::EndOfInput => self.close(Closing::EndOfInput, effects),
            Event::Report(reply) => self.report(reply, effects),
            Event::Done(reply) => self.done(reply, effects),
        }
    }

    fn line(&mut self, text: &str, at: Instant, effects: &mut Vec<Effect>) {
        match Command::parse_in(text, self.dialect) {
            Ok(Some(command)) => {
                if let Err(error) = self.command(command, at, effects) {
                    effects.push(Effect::Reply(error.into()));
                }
            }
            Ok(None) => {}
            Err(error) => effects.push(Effect::Reply(error.into())),
        }
    }

    /// Carries out a command. An error has changed nothing.
    fn command(
        &mut self,
        command: Command,
        at: Instant,
        effects: &mut Vec<Effect>,
    ) -> Result<(), ErrorReply> {
        match command {
            Command::IsReady => effects.push(Effect::Reply(Reply::ReadyOk)),
            Command::Stop => self.stop(effects),
            Command::PonderHit => self.ponderhit(effects),
            Command::Quit => self.close(Closing::Quit, effects),
            Command::Query(query) => {
                let replies = self.engines.answer(&query)?;
                effects.extend(replies.into_iter().map(Effect::Reply));
            }
            Command::Diagram => {
                effects.extend(self.engines.engine().diagram().into_iter().map(Effect::Reply));
            }
            Command::Debug(_) => {}
            command if self.running.is_some() => return Err(busy(&command)),
            Command::Hello(dialect) => {
                self.dialect = dialect;
                hello(&self.engines, dialect, effects);
            }
            Command::NewGame(_) => self.new_game(),
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref(), effects)?;
            }
            Command::Position { start, moves } => {
                self.engines.engine_mut().set_up(&start, &moves)?
            }
            Command::Move(moves) => self.engines.engine_mut().play(&moves)?,
            Command::Undo(count) => self.engines.engine_mut().undo(count)?,
            Command::Go(go) => self.go(go, at, effects)?,
            Command::Perft(depth) => {
                let job = self.engines.engine().perft(depth);
                self.start(job, at, false, false, effects);
            }
            Command::DrawOffer => {
                let reply = self.engines.engine().consider_draw(&self.engines.settings)?;
                effects.push(Effect::Reply(reply));
            }
            Command::Eval => effects.push(Effect::Reply(self.engines.engine().evaluation())),
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.lag = Arc::default();
        self.engines.engine_mut().start();
    }

    fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), ErrorReply> {
        let before = self.engines.settings.hash_mib;
        let scope = self.engines.set(name, value)?;
        match scope {
            Scope::ExactValues => {
                let notes = self.engines.settings.tables.notes().iter();
                effects.extend(notes.map(|note| Effect::Reply(Info::string(note).into())));
            }
            Scope::TranspositionTable => {
                let resized = self.resize_table(self.engines.settings.table_mib());
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

    fn go(&mut self, go: Go, at: Instant, effects: &mut Vec<Effect>) -> Result<(), ErrorReply> {
        let job = self.engines.search(&go, Arc::clone(&self.table), Arc::clone(&self.lag))?;
        self.start(job, at, go.is_unbounded(), go.ponder, effects);
        Ok(())
    }

    fn start(
        &mut self,
        job: Job,
        began: Instant,
        infinite: bool,
        ponder: bool,
        effects: &mut Vec<Effect>,
    ) {
        let control = Arc::new(Control::since(began, self.poll));
        effects.push(Effect::Start(job, Arc::clone(&control)));
        self.running = Some(Running { control, infinite, ponder, held: None });
    }

    /// The only place that stops a search.
    fn cancel(&self) {
        if let Some(running) = &self.running {
            running.control.stop.raise();
        }
    }

    fn stop(&mut self, effects: &mut Vec<Effect>) {
        self.cancel();
        if let Some(running) = &mut self.running {
            (running.infinite, running.ponder) = (false, false);
        }
        self.answer_if_released(effects);
    }

    fn ponderhit(&mut self, effects: &mut Vec<Effect>) {
        let Some(running) = self.running.as_mut().filter(|running| running.ponder) else { return };
        running.ponder = false;
        running.control.ponderhit();
        self.answer_if_released(effects);
    }

    fn report(&self, reply: Reply, effects: &mut Vec<Effect>) {
        effects.push(match reply {
            // The engine counts plies to the end. UCI counts moves (SPEC 5.20).
            Reply::Info(info) if self.dialect == Dialect::Uci => {
                Effect::Info(Reply::Info(info.in_moves()))
            }
            Reply::Info(_) => Effect::Info(reply),
            _ => Effect::Reply(reply),
        });
    }

    fn done(&mut self, reply: Reply, effects: &mut Vec<Effect>) {
        if let Some(running) = &mut self.running {
            running.held = Some(reply);
        }
        self.answer_if_released(effects);
    }

    /// Answers a `go` once its work has ended and nothing holds the answer back. No other place does.
    fn answer_if_released(&mut self, effects: &mut Vec<Effect>) {
        let Some(running) = self.running.as_mut().filter(|running| !running.is_held()) else {
            return;
        };
        let Some(reply) = running.held.take() else { return };
        self.running = None;
        effects.push(Effect::Reply(reply));
        effects.extend(self.closing.map(Closing::last_effect));
    }

    /// Ends the session with its work. At the end of input bounded work is completed (SPEC 7.6). All other work is
    /// stopped and answered.
    fn close(&mut self, closing: Closing, effects: &mut Vec<Effect>) {
        self.closing = Some(closing);
        match &self.running {
            None => effects.push(closing.last_effect()),
            Some(running) if running.is_held() || closing == Closing::Quit => self.stop(effects),
            Some(_) => {}
        }
    }
}

impl Closing {
    const fn last_effect(self) -> Effect {
        match self {
            Self::EndOfInput => Effect::Finish,
            Self::Quit => Effect::Quit,
        }
    }
}

fn hello(engines: &Engines, dialect: Dialect, effects: &mut Vec<Effect>) {
    let program = concat!("leapd ", env!("CARGO_PKG_VERSION"));
    let player = engines.settings.agent.name();
    let name = player.map_or(program.to_owned(), |name| format!("{program} {name}"));
    let mut say = |reply| effects.push(Effect::Reply(reply));
    say(Reply::Id { key: IdKey::Name, value: name });
    say(Reply::Id { key: IdKey::Author, value: env!("CARGO_PKG_AUTHORS").to_owned() });
    engines.options().for_each(|row| say(Reply::Option(row.declaration())));
    if dialect == Dialect::Uci {
        say(Reply::Option(engines.uci_variant()));
    }
    say(Reply::HelloOk(dialect));
}

fn error(code: ErrorCode, text: impl Into<String>) -> Effect {
    Effect::Reply(ErrorReply::new(code, text).into())
}

fn busy(command: &Command) -> ErrorReply {
    let mut word = FirstWord(String::new());
    // Ends with an error after the word, before the moves of a long game are printed.
    let _ = write!(word, "{command} ");
    let text = format!("'{}' has to wait until the search has answered; 'stop' ends it", word.0);
    ErrorReply::new(ErrorCode::Busy, text)
}

/// Takes what is printed up to the first blank.
struct FirstWord(String);

impl Write for FirstWord {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (head, is_over) = text.split_once(' ').map_or((text, false), |(head, _)| (head, true));
        self.0.push_str(head);
        if is_over { Err(fmt::Error) } else { Ok(()) }
    }
}
