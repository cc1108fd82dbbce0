//! Every thread of the daemon, and its standard input and output.
//!
//! A reader turns bytes into lines, the session (on the calling thread) turns events into effects, a worker runs one job
//! at a time, and a writer alone owns the output. Replies wait for a slow client, `info` lines do not.

use std::fmt::Display;
use std::io::{BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use leap_protocol::{ErrorCode, ErrorReply, LineReader, Reply};

use crate::engine::Job;
use crate::search::Control;
use crate::session::{Effect, Event, JobId, Session};

/// Lines read ahead of the session. Few, since each may be 1 MiB long.
const INPUT_QUEUE: usize = 4;
/// Reports of the worker on their way to the session.
const REPORT_QUEUE: usize = 64;
/// Lines on their way to the output; `info` lines are dropped when it is full.
const OUTPUT_QUEUE: usize = 64;
/// The search recurses once a ply; its frames are a few hundred bytes to a few KiB.
const WORKER_STACK_BYTES: usize = 64 << 20;

/// A job with what tells it to stop.
type Work = (JobId, Job, Arc<Control>);

/// Runs a session until `quit`, until the input has ended and everything is answered, or until nobody reads the output.
///
/// # Errors
/// A thread cannot be started.
pub fn serve<R, W>(mut session: Session, input: R, output: W) -> Result<()>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let (lines_in, mut lines) = bounded(INPUT_QUEUE);
    let (reports_in, reports) = bounded(REPORT_QUEUE);
    let (work, work_out) = bounded(1);
    let (replies, replies_out) = bounded(OUTPUT_QUEUE);
    spawn("reader", None, move || read(input, &lines_in))?;
    spawn("worker", Some(WORKER_STACK_BYTES), move || run_jobs(&work_out, &reports_in))?;
    let writer = spawn("writer", None, move || write(output, &replies_out))?;

    let mut effects = Vec::new();
    loop {
        let event = select! {
            recv(lines) -> event => event.unwrap_or_else(|_| {
                lines = never();
                Event::EndOfInput
            }),
            recv(reports) -> event => event.context("the worker has ended")?,
        };
        session.handle(event, &mut effects);
        let outlet = Outlet { work: &work, replies: &replies };
        if !effects.drain(..).all(|effect| outlet.carry_out(effect)) {
            break;
        }
    }
    drop(replies);
    // The writer ends once it has written what is queued. It panics for nobody.
    let _ = writer.join();
    Ok(())
}

/// Writes lines as far as somebody reads them.
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

/// Where effects go.
struct Outlet<'a> {
    work: &'a Sender<Work>,
    replies: &'a Sender<Reply>,
}

impl Outlet<'_> {
    /// Carries out an effect; `false` when the session is over.
    fn carry_out(&self, effect: Effect) -> bool {
        match effect {
            Effect::Reply(reply) => self.replies.send(reply).is_ok(),
            Effect::Info(reply) => {
                !matches!(self.replies.try_send(reply), Err(error) if error.is_disconnected())
            }
            Effect::Start(id, job, control) => self.work.send((id, job, control)).is_ok(),
            Effect::Exit => false,
        }
    }
}

fn spawn<T: Send + 'static>(
    name: &str,
    stack_bytes: Option<usize>,
    body: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>> {
    let builder = thread::Builder::new().name(name.to_owned());
    let builder = match stack_bytes {
        Some(bytes) => builder.stack_size(bytes),
        None => builder,
    };
    builder.spawn(body).with_context(|| format!("cannot start the {name} thread"))
}

/// Reads lines until the input ends; dropping the channel tells the session.
fn read(input: impl Read, lines: &Sender<Event>) {
    for line in LineReader::new(BufReader::new(input)) {
        match line {
            Ok(line) => {
                if lines.send(Event::Line(line, Instant::now())).is_err() {
                    return;
                }
            }
            Err(error) => {
                log::warn!("the input ends: {error}");
                return;
            }
        }
    }
}

fn run_jobs(work: &Receiver<Work>, reports: &Sender<Event>) {
    for (id, job, control) in work {
        let mut report = |reply: Reply| {
            // The session outlives its jobs, but for the end of the process.
            let _ = match reply {
                Reply::Info(_) => reports.try_send(Event::Report(id, reply)).is_ok(),
                _ => reports.send(Event::Report(id, reply)).is_ok(),
            };
        };
        // A fault in a search is reported like any other; the session goes on.
        let last = catch_unwind(AssertUnwindSafe(|| job(&control, &mut report)));
        let last = last.unwrap_or_else(|_| {
            ErrorReply::new(ErrorCode::Internal, "the search failed; please report this game")
                .into()
        });
        if reports.send(Event::Done(id, last)).is_err() {
            return;
        }
    }
}

/// Writes until the session or the reader of the output is gone.
fn write(output: impl Write, replies: &Receiver<Reply>) {
    let mut output = BufWriter::new(output);
    while let Ok(reply) = replies.recv() {
        let flush_now = replies.is_empty();
        let written = writeln!(output, "{reply}");
        if written.and_then(|()| if flush_now { output.flush() } else { Ok(()) }).is_err() {
            return;
        }
    }
    let _ = output.flush();
}
