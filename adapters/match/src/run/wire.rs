//! A log of the lines exchanged in a game, for the bundle of a faulty one.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use leap_client::Direction;

/// Bytes that are kept, including overhead. The end is kept, since it shows what went wrong.
const KEPT: usize = 4 << 20;

#[derive(Debug)]
struct Entry {
    after: Duration,
    who: Arc<str>,
    direction: Direction,
    text: String,
}

impl Entry {
    /// The memory it takes: an engine may write any number of empty lines.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len()
    }
}

/// The dialogue of one game with all its engines. Clones refer to the same log.
#[derive(Clone, Debug)]
pub(crate) struct WireLog(Arc<Mutex<Log>>);

#[derive(Debug)]
struct Log {
    begun: Instant,
    entries: VecDeque<Entry>,
    bytes: usize,
    left_out: usize,
}

impl WireLog {
    pub(crate) fn new() -> Self {
        let log = Log { begun: Instant::now(), entries: VecDeque::new(), bytes: 0, left_out: 0 };
        Self(Arc::new(Mutex::new(log)))
    }

    /// Clears the log for the next game.
    pub(crate) fn clear(&self) {
        let mut log = self.log();
        log.begun = Instant::now();
        log.entries.clear();
        (log.bytes, log.left_out) = (0, 0);
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears what is said to an engine and by it.
    pub(crate) fn observer(&self, who: &Arc<str>) -> impl FnMut(Direction, &str) + Send + use<> {
        let (log, who) = (self.clone(), Arc::clone(who));
        move |direction, text| log.note(&who, direction, text)
    }

    /// Records how an engine has ended.
    pub(crate) fn note_end(&self, who: &Arc<str>, end: &str) {
        self.note(who, Direction::From, &format!("({end})"));
    }

    /// Records one or several lines.
    fn note(&self, who: &Arc<str>, direction: Direction, text: &str) {
        let mut log = self.log();
        let after = log.begun.elapsed();
        let entry = Entry { after, who: Arc::clone(who), direction, text: text.to_owned() };
        log.bytes += entry.bytes();
        log.entries.push_back(entry);
        while log.bytes > KEPT && log.entries.len() > 1 {
            log.bytes -= log.entries.pop_front().map_or(0, |entry| entry.bytes());
            log.left_out += 1;
        }
    }

    /// The log as text, one line each: seconds, engine, direction, line.
    pub(crate) fn text(&self) -> String {
        let log = self.log();
        let mut text = String::new();
        if log.left_out > 0 {
            let _ = writeln!(text, "({} entries before)", log.left_out);
        }
        for Entry { after, who, direction, text: lines } in &log.entries {
            let sign = if *direction == Direction::To { '>' } else { '<' };
            for line in lines.lines() {
                let _ = writeln!(text, "{:.6} {who} {sign} {line}", after.as_secs_f64());
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_its_end() {
        let wire = WireLog::new();
        let who: Arc<str> = Arc::from("a");
        wire.note(&who, Direction::To, &"x".repeat(KEPT));
        wire.note(&who, Direction::From, "readyok");
        assert!(wire.text().starts_with("(1 entries before)\n"));
        assert!(wire.text().ends_with(" a < readyok\n"));
        wire.clear();
        assert_eq!(wire.text(), "");
    }

    #[test]
    fn empty_lines_do_not_pile_up() {
        let wire = WireLog::new();
        let who: Arc<str> = Arc::from("a");
        for _ in 0..KEPT {
            wire.note(&who, Direction::From, "");
        }
        assert!(wire.log().entries.len() < KEPT / size_of::<Entry>() + 1);
    }
}
