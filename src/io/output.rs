//! The output of a session: lines in order, written immediately while the client reads, and held back otherwise.
//!
//! A thread that adds a line writes it itself if writing cannot block: a reply then crosses no thread. Otherwise the
//! thread in [`Output::write_on`] writes the line when the client has made room.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::pipe::Pipe;

/// The most bytes that are written together: a pipe with room takes as many without blocking. POSIX names the number
/// `PIPE_BUF`. It is at least 512, and 4096 on Linux and macOS.
const PIECE_BYTES: usize = 4096;
/// `info` lines are dropped while more than this waits for the client.
const INFO_BYTES: usize = 64 << 10;
/// No command is handled while more than this waits for the client.
const REPLY_BYTES: usize = 256 << 10;

/// Where the lines go.
pub struct Port {
    writer: Box<dyn Write + Send>,
    pipe: Option<Pipe>,
}

impl Port {
    /// A writer that may block at any time: lines are written by a thread of their own.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Box::new(writer), pipe: None }
    }

    /// The standard output. Unix tells whether it would block; there lines are written immediately.
    ///
    /// # Errors
    /// The system has no further file descriptor.
    pub fn stdout() -> io::Result<Self> {
        let (pipe, writer) = Pipe::stdout()?;
        Ok(Self { writer: Box::new(writer), pipe: Some(pipe) })
    }

    /// Whether [`PIECE_BYTES`] can be written without blocking.
    fn has_room(&self) -> bool {
        self.pipe.as_ref().is_some_and(Pipe::has_room)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)?;
        self.writer.flush()
    }
}

/// Lines on their way to the client.
pub(super) struct Output {
    state: Mutex<State>,
    /// There is something to write for [`Output::write_on`]. A line that is written immediately does not signal this
    /// condition, so it wakes no thread.
    work: Condvar,
    /// A piece has been written, or the output has ended.
    progress: Condvar,
}

struct State {
    /// What waits: whole lines. A part of the first may have been written.
    waiting: Vec<u8>,
    /// How many bytes at the front of `waiting` are written.
    written: usize,
    outlet: Outlet,
    /// Pieces written so far: distinguishes a slow client from one that does not read.
    pieces: u64,
}

enum Outlet {
    Free(Port),
    /// A thread has taken it to write outside the lock.
    Taken,
    Closed,
}

impl State {
    const fn waiting_bytes(&self) -> usize {
        self.waiting.len() - self.written
    }

    fn add(&mut self, line: &impl Display) {
        if !self.is_closed() {
            // Writing to a vector does not fail.
            let _ = writeln!(self.waiting, "{line}");
        }
    }

    const fn has_room(&self) -> bool {
        self.waiting_bytes() <= REPLY_BYTES
    }

    const fn is_closed(&self) -> bool {
        matches!(self.outlet, Outlet::Closed)
    }

    /// Whether any thread can write immediately what waits.
    fn is_writable_at_once(&self) -> bool {
        let is_piece = (1..=PIECE_BYTES).contains(&self.waiting_bytes());
        is_piece && matches!(&self.outlet, Outlet::Free(port) if port.has_room())
    }

    /// Takes the port and the next piece. `None` if this thread has nothing to do.
    fn take_piece(&mut self) -> Option<(Port, Vec<u8>)> {
        let rest = &self.waiting[self.written..];
        if rest.is_empty() || !matches!(self.outlet, Outlet::Free(_)) {
            return None;
        }
        let piece = rest[..rest.len().min(PIECE_BYTES)].to_vec();
        self.written += piece.len();
        // Drop the written part only now and then: dropping it moves the rest.
        if self.written > self.waiting.len() / 2 {
            self.waiting.drain(..self.written);
            self.written = 0;
        }
        match std::mem::replace(&mut self.outlet, Outlet::Taken) {
            Outlet::Free(port) => Some((port, piece)),
            Outlet::Taken | Outlet::Closed => None,
        }
    }

    /// Gives the port back after a piece, unless it failed or was closed meanwhile.
    fn put_back(&mut self, port: Port, result: &io::Result<()>) {
        self.pieces += 1;
        match result {
            Ok(()) if !self.is_closed() => self.outlet = Outlet::Free(port),
            _ => self.close(),
        }
    }

    fn close(&mut self) {
        self.outlet = Outlet::Closed;
        self.waiting = Vec::new();
        self.written = 0;
    }

    const fn is_taken(&self) -> bool {
        matches!(self.outlet, Outlet::Taken)
    }
}

impl Output {
    pub(super) fn new(port: Port) -> Self {
        let outlet = Outlet::Free(port);
        let state = State { waiting: Vec::new(), written: 0, outlet, pieces: 0 };
        Self { state: Mutex::new(state), work: Condvar::new(), progress: Condvar::new() }
    }

    /// Adds a line that must not be dropped.
    pub(super) fn reply(&self, line: &impl Display) {
        self.state().add(line);
    }

    /// Adds a line that a slow client may miss.
    pub(super) fn info(&self, line: &impl Display) {
        let mut state = self.state();
        if state.waiting_bytes() <= INFO_BYTES {
            state.add(line);
        }
    }

    /// Writes what can be written without blocking, and leaves the rest to [`Output::write_on`].
    pub(super) fn flush(&self) {
        let mut state = self.state();
        while state.is_writable_at_once() {
            state = self.write_piece(state);
        }
        if state.waiting_bytes() > 0 || state.is_closed() {
            self.work.notify_one();
        }
    }

    /// Writes whatever is added, until the output is closed. Calls `when_room` whenever there is room for replies.
    pub(super) fn write_on(&self, when_room: impl Fn()) {
        let mut state = self.state();
        while !state.is_closed() {
            if state.has_room() {
                drop(state);
                when_room();
                state = self.state();
            }
            let is_idle = state.is_taken() || state.waiting_bytes() == 0;
            state = if is_idle { wait(&self.work, state) } else { self.write_piece(state) };
        }
    }

    /// Whether the client leaves little enough unread that a command may be handled.
    pub(super) fn has_room(&self) -> bool {
        self.state().has_room()
    }

    /// Waits while the client leaves too much unread.
    pub(super) fn wait_for_room(&self) {
        let mut state = self.state();
        while !state.has_room() {
            state = wait(&self.progress, state);
        }
    }

    /// Waits until all is written; with `patience` no longer than until the client has read nothing for that time.
    pub(super) fn drain(&self, patience: Option<Duration>) {
        let mut state = self.state();
        while !state.is_closed() && (state.is_taken() || state.waiting_bytes() > 0) {
            let Some(patience) = patience else {
                state = wait(&self.progress, state);
                continue;
            };
            let pieces = state.pieces;
            state = self.wait_for_piece(state, patience);
            if state.pieces == pieces {
                return;
            }
        }
    }

    /// Waits for the next piece. `false` if no reply has room and the client reads nothing for this time.
    pub(super) fn goes_on(&self, patience: Duration) -> bool {
        let state = self.state();
        let pieces = state.pieces;
        let state = self.wait_for_piece(state, patience);
        !state.is_closed() && (state.pieces != pieces || state.has_room())
    }

    /// Waits until a piece is written or the output closed, no longer than for this time.
    fn wait_for_piece<'a>(
        &self,
        state: MutexGuard<'a, State>,
        patience: Duration,
    ) -> MutexGuard<'a, State> {
        let pieces = state.pieces;
        let same = |state: &mut State| state.pieces == pieces && !state.is_closed();
        let waited = self.progress.wait_timeout_while(state, patience, same);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Writes no more. Drops the port as soon as no thread uses it, so that its reader sees the end.
    pub(super) fn close(&self) {
        self.state().close();
        self.work.notify_one();
        self.progress.notify_all();
    }

    /// Writes one piece outside the lock, so that others can add lines meanwhile.
    fn write_piece<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let Some((mut port, piece)) = state.take_piece() else { return state };
        drop(state);
        let result = port.write(&piece);
        let mut state = self.state();
        state.put_back(port, &result);
        self.progress.notify_all();
        state
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'a>(event: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    event.wait(state).unwrap_or_else(PoisonError::into_inner)
}
