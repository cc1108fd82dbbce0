//! Every thread of the daemon, and its standard input and output.
//!
//! The threads share no state. They pass messages:
//!
//! - `reader` reads lines, at most 1 MiB ahead of the session.
//! - `session` owns the session and the lines that wait for the client. It never blocks on the client.
//! - `worker` runs one job after another, and reports to the session.
//! - `writer` writes what would block the session.
//!
//! A command goes from the reader to the session, which writes the reply itself if the pipe has room.

mod input;
mod output;
mod pipe;
mod progress;

use std::fmt::Display;
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use crossbeam_channel::{Receiver, Sender, after, bounded, never, select};
use leap_engine::Job;
use leap_engine::session::{Action, Event, Session};
use leap_protocol::{ErrorCode, ErrorReply, Reply, Visible};
use leap_search::Control;

use input::Input;
use output::Output;
pub use progress::Progress;

/// A job waits while this many of its reports wait for the session.
const REPORTS: usize = 1024;
/// The longest time by which a client that reads nothing, or a search, delays the end after `quit` (SPEC 3.23).
const QUIT_PATIENCE: Duration = Duration::from_millis(50);
/// The stack of a thread. The search recurses once a ply, with frames of a few hundred bytes to a few KiB.
const STACK_BYTES: usize = 64 << 20;

/// A job and the handle that stops it.
type Work = (Job, Arc<Control>);

/// Runs a session on the standard input and output. Returns after `quit`, when the input has ended and everything is
/// answered, or when nobody reads the output.
///
/// # Errors
/// A thread cannot be started, or the system has no further file descriptor.
pub fn serve(session: Session) -> Result<()> {
    let pipe = || pipe::stdout().context("cannot use the standard output");
    let output = Output::new(pipe()?, Some(pipe()?))?;
    let input = Input::read(std::io::stdin())?;
    let (work, jobs) = bounded(1);
    let (report, reports) = bounded(REPORTS);
    spawn("worker", move || run_jobs(&jobs, &report))?;
    let daemon = Daemon { session, input, work, reports, output, is_counting: false };
    let has_ended = spawn("session", move || daemon.run())?.join().is_ok();
    ensure!(has_ended, "the session failed");
    Ok(())
}

/// Calls `end` once the reader of standard output has closed it, even if nothing is being written.
///
/// This works on Unix alone. Elsewhere the next written line fails, and nothing ends earlier.
///
/// # Errors
/// The thread that waits cannot be started.
pub fn when_closed(end: impl FnOnce() + Send + 'static) -> Result<()> {
    spawn("watch", || {
        pipe::wait_until_closed();
        end();
    })?;
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

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
    builder.spawn(body).with_context(|| format!("cannot start the {name} thread"))
}

/// Runs jobs until the session is gone.
fn run_jobs(jobs: &Receiver<Work>, session: &Sender<Event>) {
    for (job, control) in jobs {
        let mut report = |reply| {
            // The process ends with its session.
            let _ = session.send(Event::Report(reply));
        };
        let last = guarded("the search", || job(&control, &mut report));
        let _ = session.send(Event::Done(last.unwrap_or_else(Reply::from)));
    }
}

/// The session and what it talks to.
struct Daemon {
    session: Session,
    input: Input,
    work: Sender<Work>,
    reports: Receiver<Event>,
    output: Output,
    /// The job reports lines that must not be dropped: a `perft`, which waits for the client.
    is_counting: bool,
}

impl Daemon {
    /// Handles one event after another until the session is over.
    fn run(mut self) {
        let (no_lines, no_reports) = (never(), never());
        let (mut has_quit, mut deadline) = (false, never());
        while !self.output.is_closed {
            let has_room = self.output.has_room();
            let lines = if has_room { &self.input.lines } else { &no_lines };
            let reports = if has_room || !self.is_counting { &self.reports } else { &no_reports };
            let (end, is_progress) = select! {
                recv(lines) -> line => {
                    let event = match line {
                        Ok((line, at)) => {
                            self.input.release(&line);
                            Event::Line(line, at)
                        }
                        Err(_) => {
                            self.input.lines = never();
                            Event::EndOfInput
                        }
                    };
                    (self.handle(event), true)
                }
                recv(reports) -> event => (event.map_or(None, |event| self.handle(event)), false),
                recv(self.output.written) -> is_written => {
                    self.output.go_on(is_written == Ok(true));
                    (None, true)
                }
                recv(self.input.quit) -> quit => {
                    self.input.quit = never();
                    has_quit = quit.is_ok();
                    (None, true)
                }
                recv(deadline) -> _ => {
                    // If this thread was given no processor, what has come meanwhile counts.
                    let is_progress = !lines.is_empty() || !self.output.written.is_empty();
                    ((!is_progress).then_some(QUIT_PATIENCE), is_progress)
                }
            };
            if let Some(patience) = end {
                return self.output.drain(patience);
            }
            if has_quit && is_progress {
                deadline = after(QUIT_PATIENCE);
            }
        }
    }

    /// Passes an event to the session and carries out what it asks for.
    ///
    /// At the end of the session, returns how long a client that reads nothing is waited for.
    fn handle(&mut self, event: Event) -> Option<Duration> {
        if let Event::Report(reply) = &event {
            self.is_counting = !matches!(reply, Reply::Info(_));
        }
        let mut actions = Vec::new();
        let handled = guarded("the session", || self.session.handle(event, &mut actions));
        actions.extend(handled.err().map(|fault| Action::Reply(fault.into())));
        let mut end = None;
        for action in actions {
            match action {
                Action::Reply(reply) => self.output.add(&reply),
                Action::Start(job, control) => {
                    // The session starts a job only when the one before has ended: there is room.
                    let _ = self.work.send((job, control));
                }
                Action::Quit => end = Some(QUIT_PATIENCE),
                Action::Finish => end = Some(Duration::MAX),
            }
        }
        self.output.flush();
        end
    }
}

/// Runs a part of the program. If it panics, the client hears of the fault and the session goes on.
fn guarded<T>(what: &str, run: impl FnOnce() -> T) -> std::result::Result<T, ErrorReply> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| {
        let text = format!("{what} failed; please report this game");
        ErrorReply::new(ErrorCode::Internal, text)
    })
}
