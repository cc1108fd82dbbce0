//! The event stream on disk: written line by line, and readable whatever it ends with.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail, ensure};
use leap_base::files::{self, Existing, Locked};

use super::games::Games;
use super::validator::Validator;
use super::{Event, Resume, Run, SCHEMA, Stop, StopReason};

/// The name of the records file in the directory of a match.
pub(crate) const RECORDS: &str = "games.ugr";
/// The directory for bundles in the directory of a match.
pub(crate) const FAULTS: &str = "faults";
/// The directory for the engines' standard error in the directory of a match.
pub(crate) const STDERR: &str = "stderr";
/// The name of the stream in the directory of a match.
pub const EVENTS: &str = "events.ndjson";
/// The longest line accepted: far longer than any event of engines that respect the limits of the protocol.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// How often the stream is synced to disk, at most.
const SYNC: Duration = Duration::from_secs(1);

/// An open stream.
#[derive(Debug)]
pub(crate) struct Store(Mutex<Open>);

#[derive(Debug)]
struct Open {
    file: Locked,
    synced: Instant,
    /// An event could not be written: nothing may follow it.
    broken: bool,
    listener: Option<Listener>,
}

/// What hears every event once it is written.
struct Listener(Box<dyn Hear>);

trait Hear: FnMut(&Event) -> anyhow::Result<()> + Send {}

impl<F: FnMut(&Event) -> anyhow::Result<()> + Send> Hear for F {}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Store {
    /// Creates a stream in a directory that has none.
    pub(crate) fn create(dir: &Path, run: Run) -> anyhow::Result<Self> {
        create(dir, run, |_| Ok(()))?;
        Self::open(dir)
    }

    /// Opens an existing stream, with its first event and its games. An incomplete last line is removed: the machine
    /// stopped while it was being written.
    pub(crate) fn resume(dir: &Path) -> anyhow::Result<(Self, Run, Games)> {
        // Locked before reading, so that nobody else can append.
        let mut store = Self::open(dir)?;
        let (run, games) = read_games(dir, |_, _| Ok(()))?;
        let open = store.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let cut = files::whole_lines(&mut open.file).and_then(|length| open.file.set_len(length));
        cut.with_context(|| format!("cannot write {}", dir.join(EVENTS).display()))?;
        Ok((store, run, games))
    }

    fn open(dir: &Path) -> anyhow::Result<Self> {
        let path = dir.join(EVENTS);
        let file = files::open_alone(OpenOptions::new().read(true).append(true), &path);
        let file = file.with_context(|| format!("cannot open {}", path.display()))?;
        Ok(Self(Mutex::new(Open { file, synced: Instant::now(), broken: false, listener: None })))
    }

    /// Lets `listener` hear every event, in the order of the stream. Its error is one of [`Store::write`].
    pub(crate) fn heard_by(
        mut self,
        listener: impl FnMut(&Event) -> anyhow::Result<()> + Send + 'static,
    ) -> Self {
        let open = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        open.listener = Some(Listener(Box::new(listener)));
        self
    }

    /// Appends an event. Once this returns, the event survives the end of this process.
    pub(crate) fn write(&self, event: &Event) -> anyhow::Result<()> {
        let line = line(event)?;
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ensure!(!open.broken, "cannot write the events: an earlier one could not be written");
        if let Err(error) = files::add(&mut open.file, &line) {
            open.broken = true;
            return Err(error).context("cannot write the events");
        }
        // Finished games should survive a power loss too; syncing more often would cost more than short games take.
        if matches!(event, Event::End(_)) && open.synced.elapsed() >= SYNC {
            open.file.sync_data().context("cannot write the events")?;
            open.synced = Instant::now();
        }
        open.listener.as_mut().map_or(Ok(()), |listener| (listener.0)(event))
    }

    /// Writes that the run is over, and syncs everything to disk.
    pub(crate) fn end(&self, why: StopReason) -> anyhow::Result<()> {
        self.write(&Event::Stop(Stop { time: now(), why }))?;
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.file.sync_data().context("cannot write the events")
    }
}

/// Whether a new match can be created in a directory: there must be nothing that it would overwrite. A stream that
/// [holds nothing](is_torn) may be there.
pub(crate) fn is_vacant(dir: &Path) -> anyhow::Result<()> {
    let is_taken = |name: &&str| dir.join(name).exists() && !(*name == EVENTS && is_torn(dir));
    let found = [EVENTS, RECORDS, FAULTS, STDERR].into_iter().find(is_taken);
    let dir = dir.display();
    match found {
        None => Ok(()),
        Some(EVENTS) => bail!(
            "{dir} holds a match already: --resume goes on with it, another --out begins a new one"
        ),
        Some(found) => bail!(
            "{dir}: expected no match, found {found} without {EVENTS}: another --out begins a new one"
        ),
    }
}

/// Whether the stream of a directory holds nothing: it is empty, or its first line was never written to its end.
pub(crate) fn is_torn(dir: &Path) -> bool {
    let path = dir.join(EVENTS);
    let is_file = std::fs::metadata(&path).is_ok_and(|found| found.is_file());
    is_file && File::open(path).is_ok_and(|mut file| holds_nothing(&mut file).unwrap_or(false))
}

/// How every stream begins.
const HEAD: &[u8] = br#"{"event":"run","#;

/// Whether a file is the beginning of the first line of a stream.
fn holds_nothing(file: &mut File) -> io::Result<bool> {
    let mut line = Vec::new();
    BufReader::new(file).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    let is_whole = line.last() == Some(&b'\n') || line.len() as u64 == MAX_LINE_BYTES;
    Ok(!is_whole && (HEAD.starts_with(&line) || line.starts_with(HEAD)))
}

/// Writes a complete stream or nothing, in a directory that has none or a torn one; `more` writes the events after the
/// first.
pub(crate) fn create(
    dir: &Path,
    run: Run,
    more: impl FnOnce(&mut dyn FnMut(&Event) -> anyhow::Result<()>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let path = dir.join(EVENTS);
    let write = |file: &mut dyn Write| {
        let mut put = |event: &Event| anyhow::Ok(file.write_all(&line(event)?)?);
        put(&Event::Run(Box::new(run)))?;
        more(&mut put)
    };
    let done = remove_torn(&path)
        .map_err(anyhow::Error::new)
        .and_then(|()| files::write(&path, Existing::Refuse, write));
    done.map(drop).with_context(|| format!("cannot create {}", path.display()))
}

/// Removes a stream that holds nothing. The lock keeps out a program that begins the same match.
fn remove_torn(path: &Path) -> io::Result<()> {
    let opened = files::open_alone(OpenOptions::new().read(true).append(true), path);
    let mut file = match opened {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    if !holds_nothing(&mut file)? || !files::is_linked(&file)? {
        return Ok(());
    }
    // Windows removes no file that is open.
    #[cfg(windows)]
    drop(file);
    std::fs::remove_file(path)
}

fn line(event: &Event) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads a stream. Every event is passed to `on_event` in order; an incomplete last line is ignored.
///
/// # Errors
/// The file cannot be read, or does not begin with a `run` of a known schema. Or a line is no event, or out of order
/// (SPEC 19).
pub fn read(
    dir: &Path,
    on_event: impl FnMut(&Run, Event) -> anyhow::Result<()>,
) -> anyhow::Result<Run> {
    read_games(dir, on_event).map(|(run, _)| run)
}

/// Like [`read`]; returns the games of the stream too.
pub(crate) fn read_games(
    dir: &Path,
    mut on_event: impl FnMut(&Run, Event) -> anyhow::Result<()>,
) -> anyhow::Result<(Run, Games)> {
    let path = dir.join(EVENTS);
    let file = files::open(&path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow!("expected a match, found no {}", path.display()),
        _ => anyhow::Error::new(error).context(format!("cannot open {}", path.display())),
    })?;
    let mut reader = BufReader::new(file);
    let mut begun: Option<(Run, Validator)> = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let mut bounded = Read::by_ref(&mut reader).take(MAX_LINE_BYTES);
        bounded.read_until(b'\n', &mut line).with_context(|| path.display().to_string())?;
        let place = || format!("{}, line {number}", path.display());
        if line.last() != Some(&b'\n') {
            ensure!(
                (line.len() as u64) < MAX_LINE_BYTES,
                "{}: expected a line of at most {MAX_LINE_BYTES} bytes, found more",
                place()
            );
            break;
        }
        match (serde_json::from_slice(&line).with_context(place)?, &mut begun) {
            (Event::Run(run), None) => {
                if run.schema != SCHEMA {
                    bail!("{}: expected schema {SCHEMA}, found {}", place(), run.schema);
                }
                let validator = Validator::new(&run).with_context(place)?;
                begun = Some((*run, validator));
            }
            (_, None) => bail!("{}: expected 'run' first, found something else", place()),
            (event, Some((run, validator))) => {
                validator.next(&event).with_context(place)?;
                if let Event::Resume(Resume { grown: Some(grown), .. }) = &event {
                    run.grow(grown);
                    validator.grow(run).with_context(place)?;
                }
                on_event(run, event).with_context(place)?;
            }
        }
    }
    let begun = begun.with_context(|| format!("{}: expected events, found none", path.display()));
    begun.map(|(run, validator)| (run, validator.games))
}

/// The current time in the format of events.
pub(crate) fn now() -> String {
    let now = jiff::Timestamp::now();
    format!("{now:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop() -> Event {
        Event::Stop(Stop { time: now(), why: StopReason::Complete })
    }

    fn run() -> Run {
        let config = crate::plan::config_of(2, "");
        let (by, time) = ("leap test".to_owned(), now());
        Run { schema: SCHEMA, by, time, plan: "0".repeat(64), games: Some(2), config }
    }

    /// The message with which a stream is refused.
    fn refusal(dir: &Path) -> String {
        format!("{:#}", read(dir, |_, _| Ok(())).unwrap_err())
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path(), run()).unwrap();
        store.write(&stop()).unwrap();
        let path = dir.path().join(EVENTS);
        let whole = std::fs::read(&path).unwrap();
        let torn = [&whole[..], br#"{"event":"sto"#].concat();
        std::fs::write(&path, torn).unwrap();
        let mut events = 0;
        let count = |_: &Run, _| {
            events += 1;
            Ok(())
        };
        read(dir.path(), count).unwrap();
        assert_eq!(events, 1);
        let other = format!("{:#}", Store::resume(dir.path()).unwrap_err());
        assert!(other.contains("another program"), "{other}");
        drop(store);
        Store::resume(dir.path()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_line_that_is_broken_or_may_not_stand_where_it_does_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path(), run()).unwrap();
        store.write(&stop()).unwrap();
        store.write(&stop()).unwrap();
        let message = refusal(dir.path());
        assert!(
            message.ends_with("line 3: expected nothing but 'resume' after 'stop'"),
            "{message}"
        );
        let path = dir.path().join(EVENTS);
        let first = std::fs::read_to_string(&path).unwrap().lines().next().unwrap().to_owned();
        std::fs::write(&path, first + "\ngarbage\n").unwrap();
        assert!(refusal(dir.path()).contains("line 2: "), "{}", refusal(dir.path()));
    }

    #[test]
    fn a_line_without_end_is_not_held_in_memory() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::create(dir.path(), run()).unwrap());
        let file = OpenOptions::new().write(true).open(dir.path().join(EVENTS)).unwrap();
        // A sparse file takes no space on disk.
        file.set_len(1 << 40).unwrap();
        let message = refusal(dir.path());
        assert!(message.contains("line 2: expected a line of at most"), "{message}");
    }

    /// A match directory may be torn at any byte of its first lines.
    #[test]
    fn a_stream_cut_anywhere_is_begun_anew_or_gone_on_with() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(dir.path(), run()).unwrap();
        store.write(&stop()).unwrap();
        drop(store);
        let path = dir.path().join(EVENTS);
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
        let lengths = leap_testing::sample(&Vec::from_iter(0..whole.len()));
        for length in lengths.into_iter().chain([first, first + 1]) {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(is_torn(dir.path()), length <= first, "{length}");
            assert_eq!(is_vacant(dir.path()).is_ok(), length <= first, "{length}");
            if length > first {
                Store::resume(dir.path()).unwrap();
            } else {
                Store::create(dir.path(), run()).unwrap();
            }
            assert!(read(dir.path(), |_, _| Ok(())).is_ok(), "{length}");
        }
    }

    #[test]
    fn a_file_that_is_no_torn_stream_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(EVENTS);
        for text in ["notes", "{\"event\":\"stop\"", "{\"event\":\"run\",\n", "\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(!is_torn(dir.path()) && is_vacant(dir.path()).is_err(), "{text}");
            assert!(Store::create(dir.path(), run()).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn nothing_of_another_match_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(EVENTS), "").unwrap();
        std::fs::write(dir.path().join(RECORDS), "games").unwrap();
        assert!(is_vacant(dir.path()).is_err());
        Store::create(dir.path(), run()).unwrap();
        assert!(Store::create(dir.path(), run()).is_err());
    }
}
