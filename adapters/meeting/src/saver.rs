//! Writes the files of games in a thread, so that no game waits for the disk.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use leap_base::{files, terminal};

/// The waits before a file that could not be written is tried again: each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The most files that wait for a disk which takes none.
const MOST_WAITING: usize = 512;

/// A file that is to be written.
#[derive(Debug)]
struct Entry {
    path: PathBuf,
    /// The newest content; `None` if the file is to be removed.
    content: Option<String>,
    /// When it is tried again, and the wait that led there; `None` if it has not failed.
    again: Option<(Instant, Duration)>,
}

/// The files that are to be written: whoever waits the longest is next.
#[derive(Debug, Default)]
struct Queue {
    entries: VecDeque<Entry>,
    /// Whether a file has failed and none was written since.
    has_failed: bool,
}

impl Queue {
    /// Takes the newest content of a file. The file keeps its place, and its time of another try. Returns the path that is
    /// given up because too many wait.
    fn push(&mut self, path: PathBuf, content: Option<String>) -> Option<PathBuf> {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.path == path) {
            entry.content = content;
            return None;
        }
        self.entries.push_back(Entry { path, content, again: None });
        if self.entries.len() <= MOST_WAITING {
            return None;
        }
        // A state is worth more than the record of an earlier round.
        let is_state = |entry: &Entry| entry.path.extension().is_some_and(|end| end == "json");
        let at = self.entries.iter().position(|entry| !is_state(entry)).unwrap_or(0);
        self.entries.remove(at).map(|entry| entry.path)
    }

    /// The next file that may be tried now.
    fn next(&mut self, now: Instant) -> Option<Entry> {
        let is_due = |entry: &Entry| entry.again.is_none_or(|(at, _)| at <= now);
        let at = self.entries.iter().position(is_due)?;
        self.entries.remove(at)
    }

    /// When a file may be tried again; `None` if none waits.
    fn wakes_at(&self) -> Option<Instant> {
        self.entries.iter().filter_map(|entry| entry.again).map(|(at, _)| at).min()
    }

    /// Takes a file back that could not be written. Returns whether it is the first that fails.
    fn take_back(&mut self, entry: Entry, now: Instant) -> bool {
        let wait = entry.again.map_or(FIRST_WAIT, |(_, wait)| (2 * wait).min(LONGEST_WAIT));
        let again = Some((now + wait, wait));
        // Meanwhile there may be newer content.
        match self.entries.iter_mut().find(|newer| newer.path == entry.path) {
            Some(newer) => newer.again = again,
            None => self.entries.push_back(Entry { again, ..entry }),
        }
        !std::mem::replace(&mut self.has_failed, true)
    }
}

#[derive(Debug, Default)]
struct Waiting {
    queue: Queue,
    is_over: bool,
}

impl Waiting {
    /// Notes what has become of a file. Returns what the user is told.
    fn note(&mut self, entry: Entry, done: io::Result<()>) -> Option<String> {
        let path = entry.path.display().to_string();
        match done {
            Ok(()) => {
                let had_failed = std::mem::take(&mut self.queue.has_failed);
                had_failed.then(|| "leap: games are saved again".to_owned())
            }
            Err(error) if self.is_over => Some(format!("leap: not saved: {path}: {error}")),
            Err(error) => {
                let is_first = self.queue.take_back(entry, Instant::now());
                is_first.then(|| format!("leap: cannot save {path}, trying again: {error}"))
            }
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    news: Condvar,
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes files in a thread. Of several contents of a file only the newest is written. A file that cannot be written is
/// tried again and again.
#[derive(Debug)]
pub(super) struct Saver {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Saver {
    /// Starts the thread.
    ///
    /// # Errors
    /// If there can be no thread.
    pub(super) fn start() -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let its = Arc::clone(&shared);
        let thread = thread::Builder::new().name("saver".to_owned()).spawn(move || work(&its))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Writes a file, which only the user can read, or removes it.
    pub(super) fn write(&self, path: PathBuf, content: Option<String>) {
        let given_up = self.shared.waiting().queue.push(path, content);
        self.shared.news.notify_one();
        if let Some(path) = given_up {
            crate::report(format!("{}: not saved, since too many files wait", path.display()));
        }
    }
}

impl Drop for Saver {
    /// Waits until everything is written. What then fails is named.
    fn drop(&mut self) {
        self.shared.waiting().is_over = true;
        self.shared.news.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(shared: &Shared) {
    while let Some(entry) = wait_for_next(shared) {
        let done = put(&entry);
        // A terminal that was stopped holds up this thread alone: by now the lock is free.
        let told = shared.waiting().note(entry, done);
        told.into_iter().for_each(terminal::warn);
    }
}

/// The next file; `None` at the end. At the end all files are due.
fn wait_for_next(shared: &Shared) -> Option<Entry> {
    let mut waiting = shared.waiting();
    loop {
        if waiting.is_over {
            return waiting.queue.entries.pop_front();
        }
        let now = Instant::now();
        if let Some(entry) = waiting.queue.next(now) {
            return Some(entry);
        }
        waiting = match waiting.queue.wakes_at() {
            Some(at) => {
                let woken = shared.news.wait_timeout(waiting, at.saturating_duration_since(now));
                woken.unwrap_or_else(PoisonError::into_inner).0
            }
            None => shared.news.wait(waiting).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

fn put(entry: &Entry) -> io::Result<()> {
    match &entry.content {
        Some(content) => files::replace_private(&entry.path, content),
        None => remove(&entry.path),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &mut Queue, path: &str, content: &str) {
        assert_eq!(queue.push(path.into(), Some(content.to_owned())), None);
    }

    /// The path and the content of the next file.
    fn next(queue: &mut Queue, now: Instant) -> Option<(String, String)> {
        let entry = queue.next(now)?;
        Some((entry.path.to_str().unwrap().to_owned(), entry.content.unwrap()))
    }

    fn pair(path: &str, content: &str) -> Option<(String, String)> {
        Some((path.to_owned(), content.to_owned()))
    }

    #[test]
    fn a_game_that_is_saved_often_goes_before_no_other() {
        let now = Instant::now();
        let mut queue = Queue::default();
        for path in ["b", "a", "c"] {
            push(&mut queue, path, "old");
        }
        push(&mut queue, "a", "new");
        assert_eq!(next(&mut queue, now), pair("b", "old"));
        push(&mut queue, "b", "new");
        for (path, content) in [("a", "new"), ("c", "old"), ("b", "new")] {
            assert_eq!(next(&mut queue, now), pair(path, content));
        }
        assert_eq!((next(&mut queue, now), queue.wakes_at()), (None, None));
    }

    #[test]
    fn a_file_that_failed_is_tried_again_later_and_holds_no_other_one() {
        let mut now = Instant::now();
        let mut queue = Queue::default();
        push(&mut queue, "a", "old");
        for (count, seconds) in [1, 2, 4, 8, 16, 32, 60, 60].into_iter().enumerate() {
            let entry = queue.next(now).unwrap();
            assert_eq!(queue.take_back(entry, now), count == 0, "it is named once");
            let at = now + Duration::from_secs(seconds);
            assert_eq!(queue.wakes_at(), Some(at));
            push(&mut queue, "b", "other");
            push(&mut queue, "a", "new");
            assert_eq!(next(&mut queue, now), pair("b", "other"));
            assert_eq!(next(&mut queue, now), None);
            now = at;
        }
        assert_eq!(next(&mut queue, now), pair("a", "new"));
    }

    #[test]
    fn content_that_comes_during_a_failed_try_is_kept() {
        let now = Instant::now();
        let mut queue = Queue::default();
        push(&mut queue, "a", "old");
        let entry = queue.next(now).unwrap();
        push(&mut queue, "a", "new");
        queue.take_back(entry, now);
        assert_eq!(next(&mut queue, now + FIRST_WAIT), pair("a", "new"));
        assert_eq!(next(&mut queue, now + LONGEST_WAIT), None);
    }

    #[test]
    fn a_disk_that_takes_nothing_fills_no_memory_and_states_are_kept() {
        let mut queue = Queue::default();
        push(&mut queue, "a.json", "");
        for round in 0..MOST_WAITING - 1 {
            push(&mut queue, &format!("a-{round}.ugr"), "");
        }
        assert_eq!(queue.push("b.json".into(), None), Some("a-0.ugr".into()));
        assert_eq!(queue.entries.len(), MOST_WAITING);
    }

    #[test]
    fn a_save_that_failed_leaves_no_file_and_succeeds_once_it_can() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("folder");
        let saver = Saver::start().unwrap();
        saver.write(folder.join("a"), Some("old".to_owned()));
        while !saver.shared.waiting().queue.has_failed {
            thread::yield_now();
        }
        fs::create_dir(&folder).unwrap();
        saver.write(folder.join("a"), Some("new".to_owned()));
        drop(saver);
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}
