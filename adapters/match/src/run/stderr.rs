//! Logs of the engines' standard error: bounded files that keep the newest text.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most bytes of a file. Each log has two files: the newest text, and what came before it.
const FILE_BYTES: u64 = 1 << 20;
/// The suffix of the older file's name.
const OLDER: &str = ".1";
/// How long to wait for the last output of an engine that was dismissed.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The logs of one worker's engines.
#[derive(Debug)]
pub(crate) struct StderrLogs {
    dir: PathBuf,
    worker: usize,
    logs: HashMap<PathBuf, StderrLog>,
}

impl StderrLogs {
    /// Creates the logs of a worker in a directory.
    pub(crate) fn new(dir: PathBuf, worker: usize) -> Self {
        Self { dir, worker, logs: HashMap::new() }
    }

    /// The log of an engine. Engines whose names have the same letters and digits share one.
    pub(crate) fn of(&mut self, name: &str) -> StderrLog {
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = name.chars().map(safe).collect();
        let path = self.dir.join(format!("{name}.{}.txt", self.worker));
        self.logs.entry(path.clone()).or_insert_with(|| StderrLog::new(path)).clone()
    }
}

/// A log in two files. Clones refer to the same log.
#[derive(Clone, Debug)]
pub(crate) struct StderrLog(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    state: Mutex<State>,
    /// An engine has closed its standard error.
    closed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The newer file, once there is something to write.
    file: Option<File>,
    /// The length of the newer file.
    length: u64,
    /// Bytes received in this run.
    total: u64,
    /// Engines that may still write.
    writers: usize,
}

/// An engine that may still write to the log.
struct Writer(StderrLog);

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.state().writers -= 1;
        self.0.0.closed.notify_all();
    }
}

impl StderrLog {
    /// Opens a log that appends to existing files.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(Arc::new(Shared { path, state: Mutex::default(), closed: Condvar::new() }))
    }

    /// Returns a pipe for the engine's standard error. If that fails, the match goes on without it.
    pub(crate) fn open(&self) -> Stdio {
        self.pipe().unwrap_or_else(|_| Stdio::null())
    }

    /// The pipe is always drained, so that no engine blocks, whatever happens to the file.
    fn pipe(&self) -> io::Result<Stdio> {
        let (mut reader, stdio) = io::pipe()?;
        self.state().writers += 1;
        let writer = Writer(self.clone());
        let read = move || {
            let mut piece = vec![0; 1 << 16];
            loop {
                match reader.read(&mut piece) {
                    Ok(length @ 1..) => writer.0.add(&piece[..length]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    _ => return,
                }
            }
        };
        thread::Builder::new().name("engine-stderr".to_owned()).spawn(read)?;
        Ok(Stdio::from(stdio))
    }

    /// Waits for the last output of engines that have exited.
    pub(crate) fn settle(&self) {
        let state = self.state();
        let waiting = |state: &mut State| state.writers > 0;
        let _ = self.0.closed.wait_timeout_while(state, LAST_WORDS, waiting);
    }

    /// The file's name.
    pub(crate) fn name(&self) -> Option<&OsStr> {
        self.0.path.file_name()
    }

    /// The total number of bytes received so far.
    pub(crate) fn total(&self) -> u64 {
        self.state().total
    }

    /// The bytes received since the total was `total`; at most the last `most` of them.
    pub(crate) fn since(&self, total: u64, most: usize) -> Vec<u8> {
        let state = self.state();
        let wanted = usize::try_from(state.total - total).unwrap_or(most).min(most);
        // An unreadable file counts as empty.
        let read = |path: &Path| fs::read(path).unwrap_or_default();
        let mut text = [read(&older(&self.0.path)), read(&self.0.path)].concat();
        text.split_off(text.len().saturating_sub(wanted))
    }

    fn add(&self, piece: &[u8]) {
        let mut state = self.state();
        // What cannot be written is lost: a full disk must not block an engine.
        if state.make_room(&self.0.path, piece.len() as u64).is_ok() {
            state.write(piece);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Ensures that the file is open and may grow by this much.
    fn make_room(&mut self, path: &Path, length: u64) -> io::Result<()> {
        if self.file.is_none() {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            self.length = file.metadata()?.len();
            self.file = Some(file);
        }
        if self.length + length > FILE_BYTES {
            self.begin_anew(path)?;
        }
        Ok(())
    }

    /// Renames the newer file to the older one, replacing that.
    fn begin_anew(&mut self, path: &Path) -> io::Result<()> {
        let older = older(path);
        // If that fails, the text is truncated instead.
        let _ = fs::rename(path, &older);
        self.file = Some(File::create(path)?);
        self.length = 0;
        let name = older.file_name().unwrap_or_default().to_string_lossy();
        let total = self.total;
        self.write(
            format!(
                "(leap: {total} bytes came before; older text than that in {name} was dropped)\n"
            )
            .as_bytes(),
        );
        Ok(())
    }

    fn write(&mut self, piece: &[u8]) {
        let Some(file) = &mut self.file else { return };
        match file.write_all(piece) {
            Ok(()) => {
                self.length += piece.len() as u64;
                self.total += piece.len() as u64;
            }
            // It is unknown how much was written: the next write measures the file again.
            Err(_) => self.file = None,
        }
    }
}

fn older(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(OLDER);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of numbered lines, 16 bytes each.
    fn lines(numbers: std::ops::Range<u32>) -> Vec<u8> {
        numbers.flat_map(|number| format!("line {number:010}\n").into_bytes()).collect()
    }

    #[test]
    fn a_flood_leaves_its_end_in_two_files_of_bounded_size() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("stderr").join("a.1.txt");
        let log = StderrLog::new(path.clone());
        let piece = 4096;
        for begin in (0..1_000_000).step_by(piece) {
            log.add(&lines(begin..begin + piece as u32));
        }
        let [new, old] = [&path, &older(&path)].map(|path| fs::read(path).unwrap());
        assert!(new.len() as u64 <= FILE_BYTES && old.len() as u64 <= FILE_BYTES);
        for text in [&new, &old] {
            assert!(text.starts_with(b"(leap: "), "{}", String::from_utf8_lossy(&text[..99]));
        }
        assert!(new.ends_with(b"line 0001003519\n"), "the newest text is there");
        let before = log.total();
        log.add(b"last words\n");
        assert_eq!(log.since(before, 100), b"last words\n");
        assert_eq!(log.since(0, 1 << 18).len(), 1 << 18);
    }

    #[test]
    fn what_was_there_before_counts() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.1.txt");
        fs::write(&path, lines(0..65_530)).unwrap();
        let log = StderrLog::new(path.clone());
        log.add(&lines(0..4096));
        assert_eq!(fs::read(older(&path)).unwrap(), lines(0..65_530));
        assert!(fs::metadata(&path).unwrap().len() < FILE_BYTES);
        assert_eq!(log.since(0, 1 << 20).len() as u64, log.total());
    }

    #[test]
    fn little_text_is_kept_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.1.txt");
        let log = StderrLog::new(path.clone());
        log.add(b"one\n");
        let before = log.total();
        log.add(b"two\n");
        assert_eq!(log.since(before, 100), b"two\n");
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        assert!(!older(&path).exists());
    }
}
