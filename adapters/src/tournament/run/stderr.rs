//! What engines write to standard error: kept in files of bounded size, the newest text, however much comes.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most bytes of one file. Of each text there are two files: the newest text, and what came before it.
const FILE_BYTES: u64 = 1 << 20;
/// What the name of the older file has at its end.
const OLDER: &str = ".1";
/// How long the last words of an engine that was sent away are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The texts of the engines of one worker.
#[derive(Debug)]
pub(crate) struct StderrLogs {
    dir: PathBuf,
    worker: usize,
    logs: HashMap<PathBuf, StderrLog>,
}

impl StderrLogs {
    /// Those of a worker, in a directory.
    pub(crate) fn new(dir: PathBuf, worker: usize) -> Self {
        Self { dir, worker, logs: HashMap::new() }
    }

    /// That of an engine. Engines whose names differ in no letter or digit share one.
    pub(crate) fn of(&mut self, name: &str) -> StderrLog {
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = name.chars().map(safe).collect();
        let path = self.dir.join(format!("{name}.{}.txt", self.worker));
        self.logs.entry(path.clone()).or_insert_with(|| StderrLog::new(path)).clone()
    }
}

/// A text in two files. Clones are the same.
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
    /// Its length.
    length: u64,
    /// Bytes that have come in this run.
    total: u64,
    /// Engines that may still write.
    writers: usize,
}

/// An engine that may still write.
struct Writer(StderrLog);

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.state().writers -= 1;
        self.0.0.closed.notify_all();
    }
}

impl StderrLog {
    /// A text that is added to that of the file.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(Arc::new(Shared { path, state: Mutex::default(), closed: Condvar::new() }))
    }

    /// What to give to an engine as its standard error. Where that cannot be kept, the match is not held up by it.
    pub(crate) fn open(&self) -> Stdio {
        self.pipe().unwrap_or_else(|_| Stdio::null())
    }

    /// The pipe is always read, so that no engine ever waits, and whatever becomes of the file.
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

    /// Waits for what the engines that have ended wrote last.
    pub(crate) fn settle(&self) {
        let state = self.state();
        let waiting = |state: &mut State| state.writers > 0;
        let _ = self.0.closed.wait_timeout_while(state, LAST_WORDS, waiting);
    }

    /// The file's name.
    pub(crate) fn name(&self) -> Option<&OsStr> {
        self.0.path.file_name()
    }

    /// How many bytes have come so far.
    pub(crate) fn total(&self) -> u64 {
        self.state().total
    }

    /// What has come since there were `total` bytes, at most `most` bytes of its end.
    pub(crate) fn since(&self, total: u64, most: usize) -> Vec<u8> {
        let state = self.state();
        let wanted = usize::try_from(state.total - total).unwrap_or(most).min(most);
        // A file that cannot be read is as good as empty.
        let read = |path: &Path| fs::read(path).unwrap_or_default();
        let mut text = [read(&older(&self.0.path)), read(&self.0.path)].concat();
        text.split_off(text.len().saturating_sub(wanted))
    }

    fn add(&self, piece: &[u8]) {
        let mut state = self.state();
        // What cannot be written is lost: an engine must not be held up by a full disk.
        if state.make_room(&self.0.path, piece.len() as u64).is_ok() {
            state.write(piece);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Sees to it that the file is open and may grow by this much.
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

    /// The file becomes the older one, in the place of that.
    fn begin_anew(&mut self, path: &Path) -> io::Result<()> {
        let older = older(path);
        // Where that fails, the older text is cut off here.
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
            // Nobody knows how much of it was written: the next one measures.
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
