//! The output of a session: lines in order, written immediately while the client reads, and held back otherwise.
//!
//! While much waits for a slow client, a new `info` line takes the place of an older one of its search and rank. So the
//! newest line of each rank always comes.
//!
//! A thread that adds a line writes it itself if writing cannot block: a reply then crosses no thread. Otherwise the
//! thread in [`Output::write_on`] writes the line when the client has made room.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::pipe::Pipe;

/// The most bytes that are written together: a pipe with room takes as many without blocking. POSIX names the number
/// `PIPE_BUF`. It is at least 512, and 4096 on Linux and macOS.
const PIECE_BYTES: usize = 4096;
/// A new `info` line replaces an older one while more than this waits for the client.
const INFO_BYTES: usize = 64 << 10;
/// No command is handled while more than this waits for the client, the `info` lines since the last reply not counted.
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
    /// What is written next: the rest of a line of which a part is written, and lines that are written with it.
    begun: VecDeque<u8>,
    /// The lines after that.
    lines: VecDeque<Waiting>,
    /// The bytes of these lines.
    line_bytes: usize,
    outlet: Outlet,
    /// Pieces written so far: distinguishes a slow client from one that does not read.
    pieces: u64,
}

/// A line that waits, with its end.
struct Waiting {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reply,
    /// An `info` line, and the rank that it is about.
    Info(Option<u32>),
}

enum Outlet {
    Free(Port),
    /// A thread has taken it to write outside the lock.
    Taken,
    Closed,
}

impl State {
    fn waiting_bytes(&self) -> usize {
        self.begun.len() + self.line_bytes
    }

    fn add(&mut self, line: &impl Display, kind: Kind) {
        if !self.is_closed() {
            let text = format!("{line}\n");
            self.line_bytes += text.len();
            self.lines.push_back(Waiting { text, kind });
        }
    }

    /// The `info` lines since the last reply, the newest first. They are those of one search.
    fn infos(&self) -> impl Iterator<Item = &Waiting> {
        self.lines.iter().rev().take_while(|line| line.kind != Kind::Reply)
    }

    /// Drops the oldest `info` line of a rank since the last reply.
    fn drop_info(&mut self, rank: u32) {
        let first = self.lines.len() - self.infos().count();
        let is_of_rank = |line: &Waiting| line.kind == Kind::Info(Some(rank));
        let old = self.lines.range(first..).position(is_of_rank);
        if let Some(dropped) = old.and_then(|index| self.lines.remove(first + index)) {
            self.line_bytes -= dropped.text.len();
        }
    }

    fn has_room(&self) -> bool {
        let bytes = self.waiting_bytes();
        let of_infos = || self.infos().map(|line| line.text.len()).sum::<usize>();
        bytes <= REPLY_BYTES || bytes - of_infos() <= REPLY_BYTES
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
        if self.waiting_bytes() == 0 || !matches!(self.outlet, Outlet::Free(_)) {
            return None;
        }
        while self.begun.len() < PIECE_BYTES
            && let Some(line) = self.lines.pop_front()
        {
            self.line_bytes -= line.text.len();
            self.begun.extend(line.text.into_bytes());
        }
        let piece = self.begun.drain(..self.begun.len().min(PIECE_BYTES)).collect();
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
        (self.begun, self.lines, self.line_bytes) = (VecDeque::new(), VecDeque::new(), 0);
    }

    const fn is_taken(&self) -> bool {
        matches!(self.outlet, Outlet::Taken)
    }
}

impl Output {
    pub(super) fn new(port: Port) -> Self {
        let outlet = Outlet::Free(port);
        let (begun, lines) = (VecDeque::new(), VecDeque::new());
        let state = State { begun, lines, line_bytes: 0, outlet, pieces: 0 };
        Self { state: Mutex::new(state), work: Condvar::new(), progress: Condvar::new() }
    }

    /// Adds a line that must not be dropped.
    pub(super) fn reply(&self, line: &impl Display) {
        self.state().add(line, Kind::Reply);
    }

    /// Adds an `info` line of a search. A slow client may miss it if there is a newer one of its rank (SPEC 5.25).
    pub(super) fn info(&self, line: &impl Display, rank: Option<u32>) {
        let mut state = self.state();
        if let Some(rank) = rank.filter(|_| state.waiting_bytes() > INFO_BYTES) {
            state.drop_info(rank);
        }
        state.add(line, Kind::Info(rank));
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
        loop {
            if state.has_room() {
                drop(state);
                when_room();
                state = self.state();
            }
            // Another thread may have closed it while the lock was free.
            if state.is_closed() {
                return;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    /// A client that reads everything, but only once the output is written.
    #[derive(Clone, Default)]
    struct Client(Arc<Mutex<Vec<u8>>>);

    impl Write for Client {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The lines that a client gets, which begins to read after all of them were added.
    fn read_late(add: impl FnOnce(&Output)) -> Vec<String> {
        let client = Client::default();
        let output = Output::new(Port::new(client.clone()));
        add(&output);
        thread::scope(|scope| {
            scope.spawn(|| output.write_on(|| {}));
            output.drain(None);
            output.close();
        });
        let bytes = client.0.lock().unwrap();
        str::from_utf8(&bytes).unwrap().lines().map(str::to_owned).collect()
    }

    fn info(depth: usize, rank: u32) -> String {
        format!("info depth {depth} multipv {rank} pv {}", "a1b2".repeat(100))
    }

    #[test]
    fn the_newest_line_of_each_rank_comes_and_the_oldest_go() {
        const DEPTHS: usize = 60;
        let lines = read_late(|output| {
            for depth in 1..=DEPTHS {
                for rank in 1..=256 {
                    output.info(&info(depth, rank), Some(rank));
                }
            }
            output.reply(&"bestmove a1b2");
        });
        let (last, infos) = lines.split_last().unwrap();
        assert_eq!(last, "bestmove a1b2");
        let deepest: Vec<String> = (1..=256).map(|rank| info(DEPTHS, rank)).collect();
        assert!(infos.ends_with(&deepest));
        let bytes: usize = infos.iter().map(String::len).sum();
        assert!(bytes < 2 * INFO_BYTES + 256 * info(DEPTHS, 256).len(), "{bytes} bytes");
    }

    #[test]
    fn a_search_replaces_no_line_of_the_search_before() {
        let lines = read_late(|output| {
            for search in 1..=3 {
                for rank in 1..=256 {
                    output.info(&info(search, rank), Some(rank));
                }
                output.reply(&format!("bestmove {search}"));
            }
        });
        assert_eq!(lines.len(), 3 * 257);
    }

    #[test]
    fn an_output_that_is_closed_while_room_is_told_ends() {
        let output = Output::new(Port::new(Client::default()));
        output.write_on(|| output.close());
    }

    #[test]
    fn commands_wait_for_replies_and_for_lines_of_earlier_searches_alone() {
        let output = Output::new(Port::new(Client::default()));
        let add = |searches: usize| {
            for rank in (1..=256).cycle().take(256 * searches) {
                output.info(&info(1, rank), Some(rank));
            }
        };
        add(100);
        assert!(output.has_room(), "the lines of one search are bounded");
        for _ in 0..3 {
            output.reply(&"bestmove a1b2");
            add(1);
        }
        assert!(!output.has_room());
    }
}
