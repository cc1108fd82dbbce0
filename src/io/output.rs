//! The output of a session: lines in order, written immediately while the client reads, and held back otherwise.
//!
//! While much waits for a slow client, a new `info` line takes the place of an older one of its search and rank. So the
//! newest line of each rank always comes.
//!
//! A piece that would block is left to a thread of its own, which says when the piece is written.

use std::collections::VecDeque;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use crossbeam_channel::{Receiver, Sender, bounded};
use leap_protocol::Reply;

use super::pipe::{self, Pipe};

/// The most bytes that are written together: a pipe with room takes as many without blocking. POSIX names the number
/// `PIPE_BUF`. It is at least 512, and 4096 on Linux and macOS.
const PIECE_BYTES: usize = 4096;
/// A new `info` line replaces an older one while more than this waits for the client.
const INFO_BYTES: usize = 64 << 10;
/// No command is handled while more than this waits for the client. The `info` lines since the last other line do not
/// count.
const REPLY_BYTES: usize = 256 << 10;

/// Lines on their way to the client.
pub(super) struct Output {
    /// What is written next: the rest of a line of which a part is written, and lines that are written with it.
    begun: VecDeque<u8>,
    /// The lines after that.
    lines: VecDeque<Waiting>,
    /// The bytes of all that waits.
    bytes: usize,
    /// The pipe, if it tells whether it has room.
    pipe: Option<Pipe>,
    /// To the writer, which gets a piece at a time.
    writer: Sender<Vec<u8>>,
    /// Whether the writer could write the piece that it has.
    pub(super) written: Receiver<bool>,
    /// The writer has a piece.
    is_writing: bool,
    /// The client has closed the output.
    pub(super) is_closed: bool,
}

/// A line that waits, with its end.
struct Waiting {
    text: String,
    /// The rank of the line of play that an `info` line is about. `None` for a line that must not be dropped.
    rank: Option<u32>,
}

impl Output {
    /// Starts the writer. What the `pipe` has room for is written without it.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn new(writer: impl Write + Send + 'static, pipe: Option<Pipe>) -> Result<Self> {
        let (to_writer, pieces) = bounded(1);
        let (result, written) = bounded(1);
        super::spawn("writer", move || write_on(writer, &pieces, &result))?;
        Ok(Self {
            begun: VecDeque::new(),
            lines: VecDeque::new(),
            bytes: 0,
            pipe,
            writer: to_writer,
            written,
            is_writing: false,
            is_closed: false,
        })
    }

    /// Adds a line. A slow client may miss an `info` line if there is a newer one of its rank (SPEC 5.25).
    pub(super) fn add(&mut self, line: &Reply) {
        let rank = if let Reply::Info(info) = line { info.multipv } else { None };
        if let Some(rank) = rank.filter(|_| self.bytes > INFO_BYTES) {
            self.drop_info(rank);
        }
        let text = format!("{line}\n");
        self.bytes += text.len();
        self.lines.push_back(Waiting { text, rank });
    }

    /// Writes what can be written without blocking, and leaves the next piece to the writer.
    pub(super) fn flush(&mut self) {
        while self.bytes > 0 && !self.is_writing && !self.is_closed {
            while self.begun.len() < PIECE_BYTES
                && let Some(line) = self.lines.pop_front()
            {
                self.begun.extend(line.text.into_bytes());
            }
            let piece: Vec<u8> = self.begun.drain(..self.begun.len().min(PIECE_BYTES)).collect();
            self.bytes -= piece.len();
            match self.pipe.as_mut().filter(|pipe| pipe::has_room(pipe)) {
                Some(pipe) => self.is_closed = !write(pipe, &piece),
                None => {
                    self.is_writing = true;
                    self.is_closed = self.writer.send(piece).is_err();
                }
            }
        }
    }

    /// Goes on after the piece that the writer had.
    pub(super) fn go_on(&mut self, is_written: bool) {
        self.is_writing = false;
        self.is_closed |= !is_written;
        self.flush();
    }

    /// Whether the client leaves little enough unread that a command may be handled.
    pub(super) fn has_room(&self) -> bool {
        let of_infos = || self.infos().map(|line| line.text.len()).sum::<usize>();
        self.bytes <= REPLY_BYTES || self.bytes - of_infos() <= REPLY_BYTES
    }

    /// Waits until all is written, no longer than until the client has read nothing for this time.
    pub(super) fn drain(mut self, patience: Duration) {
        self.flush();
        while self.is_writing && !self.is_closed {
            let is_written = self.written.recv_timeout(patience);
            self.go_on(is_written == Ok(true));
        }
    }

    /// The `info` lines since the last other line, the newest first. They are those of one search.
    fn infos(&self) -> impl Iterator<Item = &Waiting> {
        self.lines.iter().rev().take_while(|line| line.rank.is_some())
    }

    /// Drops the oldest of these lines that has this rank.
    fn drop_info(&mut self, rank: u32) {
        let first = self.lines.len() - self.infos().count();
        let old = self.lines.range(first..).position(|line| line.rank == Some(rank));
        if let Some(dropped) = old.and_then(|index| self.lines.remove(first + index)) {
            self.bytes -= dropped.text.len();
        }
    }
}

/// Writes piece after piece, until the session is gone.
fn write_on(mut writer: impl Write, pieces: &Receiver<Vec<u8>>, session: &Sender<bool>) {
    for piece in pieces {
        let _ = session.send(write(&mut writer, &piece));
    }
}

fn write(writer: &mut impl Write, piece: &[u8]) -> bool {
    writer.write_all(piece).and_then(|()| writer.flush()).is_ok()
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

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
    fn read_late(add: impl FnOnce(&mut Output)) -> Vec<String> {
        let client = Client::default();
        let mut output = Output::new(client.clone(), None).unwrap();
        add(&mut output);
        output.drain(Duration::MAX);
        let bytes = client.0.lock().unwrap();
        str::from_utf8(&bytes).unwrap().lines().map(str::to_owned).collect()
    }

    fn info(depth: u32, rank: u32) -> Reply {
        Reply::parse(&format!("info depth {depth} multipv {rank} pv {}", "a1b2".repeat(100)))
    }

    fn best(mv: &str) -> Reply {
        Reply::BestMove { mv: Some(mv.to_owned()), ponder: None, id: None }
    }

    #[test]
    fn the_newest_line_of_each_rank_comes_and_the_oldest_go() {
        const DEPTHS: u32 = 60;
        let lines = read_late(|output| {
            for depth in 1..=DEPTHS {
                for rank in 1..=256 {
                    output.add(&info(depth, rank));
                }
            }
            output.add(&best("a1b2"));
        });
        let (last, infos) = lines.split_last().unwrap();
        assert_eq!(last, "bestmove a1b2");
        let deepest: Vec<String> = (1..=256).map(|rank| info(DEPTHS, rank).to_string()).collect();
        assert!(infos.ends_with(&deepest));
        let bytes: usize = infos.iter().map(String::len).sum();
        assert!(
            bytes < 2 * INFO_BYTES + 256 * info(DEPTHS, 256).to_string().len(),
            "{bytes} bytes"
        );
    }

    #[test]
    fn a_search_replaces_no_line_of_the_search_before() {
        let lines = read_late(|output| {
            for search in 1..=3 {
                for rank in 1..=256 {
                    output.add(&info(search, rank));
                }
                output.add(&best(&search.to_string()));
            }
        });
        assert_eq!(lines.len(), 3 * 257);
    }

    /// A client that has gone.
    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_output_that_is_closed_is_not_waited_for() {
        let mut output = Output::new(Gone, None).unwrap();
        output.add(&best("a1b2"));
        output.flush();
        let is_written = output.written.recv();
        output.go_on(is_written == Ok(true));
        assert!(output.is_closed);
        output.add(&Reply::ReadyOk);
        output.drain(Duration::MAX);
    }

    #[test]
    fn commands_wait_for_replies_and_for_lines_of_earlier_searches_alone() {
        let mut output = Output::new(Client::default(), None).unwrap();
        let add = |output: &mut Output, searches: usize| {
            for rank in (1..=256).cycle().take(256 * searches) {
                output.add(&info(1, rank));
            }
        };
        add(&mut output, 100);
        assert!(output.has_room(), "the lines of one search are bounded");
        for _ in 0..3 {
            output.add(&best("a1b2"));
            add(&mut output, 1);
        }
        assert!(!output.has_room());
    }
}
