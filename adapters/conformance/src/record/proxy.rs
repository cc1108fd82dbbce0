//! Passing bytes between a client and an engine unchanged, and recording them.

use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use leap_base::terminal;
use leap_client::{ChildGroup, ClientError, EngineCommand, exit, forward, signals, spawn};
use leap_transcript::Exit;
use process_wrap::std::ChildWrapper;

use super::log::TranscriptWriter;

/// How often the engine is polled. Its end of output usually tells sooner.
const TICK: Duration = Duration::from_millis(20);
/// How often an engine that has closed its output is polled.
const SHORT_TICK: Duration = Duration::from_millis(1);
/// How long an engine may survive a signal or the loss of its client.
const GRACE: Duration = Duration::from_secs(2);
/// How long the output of an engine that has exited is read if another process keeps it open.
const DRAIN: Duration = Duration::from_millis(500);

/// An event of the session.
#[derive(Debug)]
enum Event {
    /// The client has closed our input.
    InputClosed,
    /// The engine has closed its output, and all of it has been passed on.
    OutputClosed,
    /// The client no longer reads.
    ClientGone,
    /// A signal asks us to exit.
    Signal(i32),
}

/// The log, and whether it can still be written to.
#[derive(Clone)]
struct SharedWriter(Arc<Mutex<Option<TranscriptWriter>>>);

impl SharedWriter {
    /// Writes to the log. If that fails, the session goes on without it.
    fn note(&self, write: impl FnOnce(&mut TranscriptWriter) -> io::Result<()>) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = log.as_mut().map(write) {
            terminal::warn(format_args!("leap record: cannot write the transcript: {error}"));
            *log = None;
        }
    }
}

/// Runs the engine until it exits and returns the exit status that stands for the engine's. The log is created once the
/// engine is running.
pub(super) fn run(
    engine: &EngineCommand,
    log: impl FnOnce() -> anyhow::Result<TranscriptWriter>,
) -> anyhow::Result<u8> {
    let (child, stdin, stdout) = spawn(engine, Stdio::inherit())?;
    pass(child, stdin, stdout, log()?)
}

/// Passes lines on until the engine exits.
fn pass(
    mut child: ChildGroup,
    stdin: ChildStdin,
    stdout: ChildStdout,
    log: TranscriptWriter,
) -> anyhow::Result<u8> {
    let log = SharedWriter(Arc::new(Mutex::new(Some(log))));
    let (sender, events) = unbounded();
    let passed = sender.clone();
    let pass_on = move |signal| drop(passed.send(Event::Signal(signal)));
    signals::handle(pass_on).map_err(ClientError::Wait)?;
    start("client", {
        let (log, sender) = (log.clone(), sender.clone());
        move || pass_input(stdin, &log, &sender)
    })?;
    start("engine", {
        let log = log.clone();
        move || pass_output(stdout, &log, &sender)
    })?;
    let ended = Supervisor::new(events).until_end(&mut *child).map_err(ClientError::Wait);
    // No child of the engine must outlive it. Usually there is none left.
    child.kill();
    let (status, cut) = ended?;
    let exit = exit(status);
    log.note(|log| match cut {
        Some(why) => log.cut(&why),
        None => log.received_end(exit),
    });
    Ok(match exit {
        // On Unix an exit status has eight bits.
        Exit::Code(code) => u8::try_from(code & 0xFF).unwrap_or(u8::MAX),
        Exit::Signal(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
    })
}

fn start(name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), ClientError> {
    thread::Builder::new().name(name.to_owned()).spawn(run).map(drop).map_err(ClientError::Wait)
}

/// Passes on the client's bytes until there are no more. Bytes that the engine no longer reads are still recorded.
fn pass_input(mut engine: impl Write, log: &SharedWriter, events: &Sender<Event>) {
    each_piece(io::stdin(), |bytes| {
        log.note(|log| log.sent(bytes));
        // An engine that no longer reads is about to exit: the main thread handles that.
        let _ = engine.write_all(bytes);
        true
    });
    log.note(TranscriptWriter::sent_end);
    let _ = events.send(Event::InputClosed);
}

/// Passes on the engine's bytes until there are no more or nobody reads them.
fn pass_output(engine: impl Read, log: &SharedWriter, events: &Sender<Event>) {
    let mut client = io::stdout().lock();
    let mut is_read = true;
    each_piece(engine, |bytes| {
        log.note(|log| log.received(bytes));
        is_read = client.write_all(bytes).and_then(|()| client.flush()).is_ok();
        is_read
    });
    let _ = events.send(if is_read { Event::OutputClosed } else { Event::ClientGone });
}

/// Calls `pass` with bytes as soon as they arrive, until the end or until it returns false.
fn each_piece(mut from: impl Read, mut pass: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => {
                if !pass(&buffer[..length]) {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The main thread's view of the session.
struct Supervisor {
    events: Receiver<Event>,
    input_closed: bool,
    output_closed: bool,
    /// Why the session was cut, if neither the engine nor the client ended it.
    cut: Option<String>,
    /// When to kill the engine.
    kill_at: Option<Instant>,
}

impl Supervisor {
    fn new(events: Receiver<Event>) -> Self {
        Self { events, input_closed: false, output_closed: false, cut: None, kill_at: None }
    }

    /// Waits for the engine to exit. Returns how it exited and, if we made it exit, why.
    fn until_end(
        mut self,
        child: &mut dyn ChildWrapper,
    ) -> io::Result<(ExitStatus, Option<String>)> {
        let status = loop {
            self.next_event(child, if self.output_closed { SHORT_TICK } else { TICK });
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if self.input_closed && self.kill_at.is_none() && nobody_reads() {
                self.kill_at = Some(Instant::now() + GRACE);
            }
            if self.kill_at.is_some_and(|at| Instant::now() >= at) {
                self.cut.get_or_insert("the engine did not end without its client".to_owned());
                child.start_kill()?;
                break child.wait()?;
            }
        };
        let drained = Instant::now() + DRAIN;
        while !self.output_closed && Instant::now() < drained {
            self.next_event(child, SHORT_TICK);
        }
        Ok((status, self.cut))
    }

    fn next_event(&mut self, child: &mut dyn ChildWrapper, tick: Duration) {
        match self.events.recv_timeout(tick) {
            Ok(Event::InputClosed) => self.input_closed = true,
            Ok(Event::OutputClosed) => self.output_closed = true,
            Ok(Event::ClientGone) => {
                self.output_closed = true;
                self.kill_at.get_or_insert(Instant::now() + GRACE);
            }
            Ok(Event::Signal(signal)) => {
                forward(signal, child);
                self.cut = Some(format!("ended by signal {signal} from outside"));
                self.kill_at.get_or_insert(Instant::now() + GRACE);
            }
            Err(RecvTimeoutError::Timeout) => {}
            // The threads are gone: only the engine is left to wait for.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(tick),
        }
    }
}

/// Whether our output has no reader any more. This is polled once the client has closed our input: an engine that
/// neither writes nor exits would not notice.
#[cfg(unix)]
fn nobody_reads() -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let stdout = io::stdout();
    let mut fds = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    poll(&mut fds, PollTimeout::ZERO).is_ok()
        && fds[0].revents().is_some_and(|found| found.intersects(gone))
}

/// Other systems report this only when something is written.
#[cfg(not(unix))]
fn nobody_reads() -> bool {
    false
}
