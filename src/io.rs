//! Every thread of the daemon, and its standard input and output.
//!
//! The session is a state machine behind a lock. The reader thread passes each line to it, and the worker thread
//! passes the reports of its job. The thread that passed an event also writes the effects, if writing cannot block.
//! A question is therefore answered by the thread that has read it.
//!
//! Replies wait for a slow client. A newer `info` line replaces one that waits. While too many replies wait, the reader
//! reads ahead and leaves the commands to the writer.

mod ahead;
mod output;
mod pipe;
mod progress;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{BufReader, Read, Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, Sender, bounded};
use leap_protocol::{ErrorCode, ErrorReply, Line, LineReader, Reply, Visible};

use ahead::Ahead;
use leap_engine::Job;
use leap_engine::session::{Effect, Event, JobId, Session};
use leap_search::Control;
use leap_search::clock::Instant;
use output::Output;
pub use output::Port;
pub use progress::Progress;

/// While this many `info` lines wait for the session, a new one replaces an older one of its rank.
const BACKLOG: usize = 64;
/// The longest time by which a client that reads nothing, or a search, delays the end after `quit` (SPEC 3.23).
const QUIT_PATIENCE: Duration = Duration::from_millis(50);
/// The stack of a thread. The search recurses once a ply, with frames of a few hundred bytes to a few KiB.
const STACK_BYTES: usize = 64 << 20;

/// A job and the handle that stops it.
type Work = (JobId, Job, Arc<Control>);

/// Why a session is over.
enum End {
    /// The client said `quit`.
    Quit,
    /// The input has ended and everything is answered.
    Finished,
    /// Nobody reads the output any more.
    Closed,
}

/// Runs a session until `quit`, until the input has ended and everything is answered, or until nobody reads the output.
///
/// # Errors
/// A thread cannot be started.
pub fn serve<R: Read + Send + 'static>(session: Session, input: R, output: Port) -> Result<()> {
    let (work, jobs) = bounded(1);
    let (end, ends) = bounded(1);
    let output = Output::new(output);
    let (session, ahead) = (Mutex::new(session), Ahead::default());
    let daemon = Arc::new(Daemon { session, ahead, output, work, end });
    spawn("writer", &daemon, |daemon| daemon.write())?;
    spawn("worker", &daemon, move |daemon| daemon.run_jobs(&jobs))?;
    spawn("reader", &daemon, move |daemon| daemon.read(input))?;
    match ends.recv() {
        Ok(End::Quit) => daemon.output.drain(Some(QUIT_PATIENCE)),
        Ok(End::Finished) => daemon.output.drain(None),
        Ok(End::Closed) | Err(_) => {}
    }
    daemon.output.close();
    Ok(())
}

/// Calls `end` once the reader of standard output has closed it, even if nothing is being written.
///
/// This works on Unix alone. Elsewhere the next written line fails, and nothing ends earlier.
///
/// # Errors
/// The thread that waits cannot be started.
pub fn when_closed(end: impl FnOnce() + Send + 'static) -> Result<()> {
    let wait = || {
        pipe::wait_until_closed();
        end();
    };
    let builder = thread::Builder::new().name("watch".to_owned());
    builder.spawn(wait).context("cannot start the watch thread")?;
    Ok(())
}

/// Writes lines until they are all written or the reader has closed the output.
///
/// # Errors
/// The output fails, other than by being closed.
pub fn print<T: Display>(mut output: impl Write, lines: impl IntoIterator<Item = T>) -> Result<()> {
    for line in lines {
        match writeln!(output, "{line}").and_then(|()| output.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => break,
            result => result.context("cannot write to the standard output")?,
        }
    }
    Ok(())
}

/// Writes a line to standard error, with control characters escaped.
pub fn complain(line: &str) {
    // If standard error is closed, there is nobody left to tell.
    let _ = writeln!(stderr(), "{}", Visible(line));
}

/// What the threads share.
struct Daemon {
    session: Mutex<Session>,
    ahead: Ahead,
    output: Output,
    work: Sender<Work>,
    end: Sender<End>,
}

fn spawn(
    name: &str,
    daemon: &Arc<Daemon>,
    body: impl FnOnce(&Daemon) + Send + 'static,
) -> Result<()> {
    let daemon = Arc::clone(daemon);
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
    builder
        .spawn(move || body(&daemon))
        .with_context(|| format!("cannot start the {name} thread"))?;
    Ok(())
}

impl Daemon {
    /// Reads lines until the input ends or the session is over.
    fn read(&self, input: impl Read) {
        for line in LineReader::new(BufReader::new(input)) {
            let line = match line {
                Ok(line) => line,
                Err(error) => {
                    log::warn!("the input ends: {error}");
                    break;
                }
            };
            if !self.hear(Event::Line(line, Instant::now())) {
                return;
            }
        }
        self.hear(Event::EndOfInput);
    }

    /// Handles an event, or leaves it to the writer while too many replies wait. `false` once the session is over.
    fn hear(&self, event: Event) -> bool {
        let is_quit = is_quit(&event);
        let goes_on = match self.ahead.admit(event, || self.output.has_room()) {
            Some(event) => self.handle(event),
            None => {
                if is_quit {
                    self.wait_for_quit();
                }
                true
            }
        };
        if goes_on && is_quit {
            // The session ends as soon as its search has answered. It is late if this thread still runs then.
            thread::sleep(QUIT_PATIENCE);
            self.end(End::Quit);
        }
        goes_on && !is_quit
    }

    /// Waits until the writer has reached `quit`. Ends the session if the client does not read the replies before it.
    fn wait_for_quit(&self) {
        while !self.ahead.is_empty() {
            if !self.output.goes_on(QUIT_PATIENCE) {
                return self.end(End::Closed);
            }
        }
    }

    /// Runs jobs until the session is gone.
    fn run_jobs(&self, jobs: &Receiver<Work>) {
        for (id, job, control) in jobs {
            let mut reports = Reports { daemon: self, id, backlog: VecDeque::new() };
            // A fault in a job is reported like any other; the session goes on.
            let last =
                catch_unwind(AssertUnwindSafe(|| job(&control, &mut |reply| reports.add(reply))));
            let last = last.unwrap_or_else(|_| failed("the search"));
            reports.backlog.push_back(Event::Done(id, last));
            reports.deliver(self.session());
        }
    }

    /// Writes what other threads could not write, and handles what was read ahead. A closed output ends the session.
    fn write(&self) {
        self.output.write_on(|| {
            self.ahead.handle(
                || self.output.has_room(),
                |event| {
                    self.handle(event);
                },
            );
        });
        self.end(End::Closed);
    }

    /// Passes an event to the session; `false` once the session is over.
    fn handle(&self, event: Event) -> bool {
        self.handle_all(self.session(), [event])
    }

    fn handle_all(
        &self,
        mut session: MutexGuard<'_, Session>,
        events: impl IntoIterator<Item = Event>,
    ) -> bool {
        let mut goes_on = true;
        let mut effects = Vec::new();
        for event in events {
            let handled = catch_unwind(AssertUnwindSafe(|| session.handle(event, &mut effects)));
            if handled.is_err() {
                effects.push(Effect::Reply(failed("the session")));
            }
            for effect in effects.drain(..) {
                goes_on &= self.carry_out(effect);
            }
        }
        // The order of the lines is fixed by now. Other threads may use the session while the lines are written.
        drop(session);
        self.output.flush();
        goes_on
    }

    /// Carries out an effect; `false` for the last.
    fn carry_out(&self, effect: Effect) -> bool {
        match effect {
            Effect::Reply(reply) => self.output.reply(&reply),
            Effect::Info(reply) => self.output.info(&reply, rank(&reply)),
            Effect::Start(id, job, control) => {
                // The session starts a job only when the one before has ended: there is room.
                let _ = self.work.send((id, job, control));
            }
            Effect::Quit => {
                self.end(End::Quit);
                return false;
            }
            Effect::Finish => {
                self.end(End::Finished);
                return false;
            }
        }
        true
    }

    fn end(&self, end: End) {
        // The first reason counts.
        let _ = self.end.try_send(end);
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a client says `quit`. The session acts on it; the reader only learns that nothing follows.
fn is_quit(event: &Event) -> bool {
    matches!(event, Event::Line(Line::Text(text), _) if text.trim_matches([' ', '\t']) == "quit")
}

/// The rank of the line of play that an `info` line is about.
const fn rank(reply: &Reply) -> Option<u32> {
    if let Reply::Info(info) = reply { info.multipv } else { None }
}

fn failed(what: &str) -> Reply {
    let text = format!("{what} failed; please report this game");
    ErrorReply::new(ErrorCode::Internal, text).into()
}

/// What a job reports, on its way to the session.
struct Reports<'a> {
    daemon: &'a Daemon,
    id: JobId,
    /// What came while another thread held the session.
    backlog: VecDeque<Event>,
}

impl Reports<'_> {
    /// Adds a reply. An `info` line never blocks the search.
    fn add(&mut self, reply: Reply) {
        let is_info = matches!(reply, Reply::Info(_));
        if is_info && self.backlog.len() >= BACKLOG {
            let rank = rank(&reply);
            let is_older = |event: &Event| matches!(event, Event::Report(_, older) if rank.is_some() && self::rank(older) == rank);
            self.backlog.iter().position(is_older).map(|index| self.backlog.remove(index));
        }
        self.backlog.push_back(Event::Report(self.id, reply));
        if !is_info {
            self.deliver(self.daemon.session());
            self.daemon.output.wait_for_room();
            return;
        }
        match self.daemon.session.try_lock() {
            Ok(session) => self.deliver(session),
            Err(TryLockError::Poisoned(error)) => self.deliver(error.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
    }

    fn deliver(&mut self, session: MutexGuard<'_, Session>) {
        self.daemon.handle_all(session, self.backlog.drain(..));
    }
}
