//! The event stream on disk: written a line at a time, read back whatever it ends with.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use super::event::{Event, Run, SCHEMA};

/// The stream's name in the directory of a match.
pub const EVENTS: &str = "events.ndjson";
/// How often the stream is forced onto the disk, at most.
const SYNC: Duration = Duration::from_secs(1);

/// An open stream.
#[derive(Debug)]
pub(super) struct Store(Mutex<Open>);

#[derive(Debug)]
struct Open {
    file: Locked,
    synced: Instant,
}

/// A file that no other runner writes to.
#[cfg(unix)]
type Locked = nix::fcntl::Flock<File>;
#[cfg(not(unix))]
type Locked = File;

#[cfg(unix)]
fn lock(file: File) -> std::io::Result<Locked> {
    use nix::fcntl::{Flock, FlockArg};
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| match error {
        nix::errno::Errno::EWOULDBLOCK => {
            std::io::Error::new(std::io::ErrorKind::WouldBlock, "another match is writing to it")
        }
        error => error.into(),
    })
}

#[cfg(not(unix))]
fn lock(file: File) -> std::io::Result<Locked> {
    Ok(file)
}

impl Store {
    /// Begins a stream in a directory that has none.
    pub(super) fn create(dir: &Path, run: Run) -> anyhow::Result<Store> {
        let path = dir.join(EVENTS);
        let file = OpenOptions::new().append(true).create_new(true).open(&path);
        let file = file.and_then(lock);
        let file = file.with_context(|| format!("cannot create {}", path.display()))?;
        let store = Store(Mutex::new(Open { file, synced: Instant::now() }));
        store.write(&Event::Run(Box::new(run)))?;
        store.sync()?;
        Ok(store)
    }

    /// Goes on with a stream. A last line that is not whole is cut off: the machine stopped while it was written.
    pub(super) fn resume(dir: &Path) -> anyhow::Result<Store> {
        let path = dir.join(EVENTS);
        let open = || {
            let mut file = lock(OpenOptions::new().read(true).append(true).open(&path)?)?;
            let length = whole_lines(&mut file)?;
            file.set_len(length)?;
            std::io::Result::Ok(file)
        };
        let file = open().with_context(|| format!("cannot open {}", path.display()))?;
        Ok(Store(Mutex::new(Open { file, synced: Instant::now() })))
    }

    /// Appends an event. It survives the end of this process as soon as this returns, however it ends.
    pub(super) fn write(&self, event: &Event) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.file.write_all(&line).context("cannot write the events")?;
        // What has ended shall survive a loss of power too; doing this more often would cost more than short games.
        if matches!(event, Event::End(_)) && open.synced.elapsed() >= SYNC {
            open.file.sync_data().context("cannot write the events")?;
            open.synced = Instant::now();
        }
        Ok(())
    }

    /// Forces all onto the disk.
    pub(super) fn sync(&self) -> anyhow::Result<()> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.file.sync_data().context("cannot write the events")
    }
}

/// The length of a file up to its last line end.
fn whole_lines(file: &mut File) -> std::io::Result<u64> {
    const PIECE: u64 = 1 << 16;
    let mut end = file.metadata()?.len();
    let mut piece = Vec::new();
    while end > 0 {
        let begin = end.saturating_sub(PIECE);
        file.seek(SeekFrom::Start(begin))?;
        piece.clear();
        Read::by_ref(file).take(end - begin).read_to_end(&mut piece)?;
        if let Some(at) = piece.iter().rposition(|byte| *byte == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// Reads a stream. Every event goes to `on_event`, in the order of the file; a last line that is not whole is left out.
///
/// # Errors
/// The file cannot be read, does not begin with a `run` of a schema that is known, has a line that is no event, or names
/// an engine that the match does not have.
pub(crate) fn read(
    dir: &Path,
    mut on_event: impl FnMut(&Run, Event) -> anyhow::Result<()>,
) -> anyhow::Result<Run> {
    let path = dir.join(EVENTS);
    let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut reader = BufReader::new(file);
    let mut run = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        reader.read_until(b'\n', &mut line).with_context(|| path.display().to_string())?;
        if line.last() != Some(&b'\n') {
            break;
        }
        let place = || format!("{}, line {number}", path.display());
        match (serde_json::from_slice(&line).with_context(place)?, &run) {
            (Event::Run(begun), None) => {
                if begun.schema != SCHEMA {
                    bail!("{}: expected schema {SCHEMA}, found {}", place(), begun.schema);
                }
                run = Some(*begun);
            }
            (Event::Run(_), Some(_)) => bail!("{}: expected one 'run', found another", place()),
            (_, None) => bail!("{}: expected 'run' first, found something else", place()),
            (event, Some(run)) => {
                check(&event, run.config.engines.len()).with_context(place)?;
                on_event(run, event).with_context(place)?;
            }
        }
    }
    run.with_context(|| format!("{}: expected events, found none", path.display()))
}

/// Engines and sides are used as indices.
fn check(event: &Event, engines: usize) -> anyhow::Result<()> {
    let (named, side) = match event {
        Event::Start(start) => (vec![start.p1, start.p2], None),
        Event::Move(mv) => (vec![], Some(mv.side)),
        Event::Fault(fault) => (fault.engine.into_iter().collect(), fault.side),
        Event::End(end) => (vec![], end.guilty),
        _ => return Ok(()),
    };
    if let Some(engine) = named.iter().find(|engine| **engine >= engines) {
        bail!("expected a engine below {engines}, found {engine}");
    }
    match side {
        None | Some(1 | 2) => Ok(()),
        Some(side) => bail!("expected side 1 or 2, found {side}"),
    }
}

/// Now, as it is written in events.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    format!("{now:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::event::{Stop, StopReason};

    fn stop() -> Event {
        Event::Stop(Stop { time: now(), why: StopReason::Complete })
    }

    fn run() -> Run {
        let args = toml::from_str("referee = 'none'\n[[engine]]\ncmd = 'a'\n").unwrap();
        let config = crate::tournament::resolve::config(args).unwrap();
        let (by, time) = ("leap test".to_owned(), now());
        Run { schema: SCHEMA, by, time, plan: "0".repeat(64), games: Some(2), shard: None, config }
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
        read(dir.path(), |_, _| {
            events += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(events, 1);
        let other = Store::resume(dir.path()).unwrap_err();
        assert!(format!("{other:#}").contains("another match"), "{other:#}");
        drop(store);
        Store::resume(dir.path()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_broken_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        Store::create(dir.path(), run()).unwrap();
        let path = dir.path().join(EVENTS);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "garbage\n";
        std::fs::write(&path, text).unwrap();
        let error = read(dir.path(), |_, _| Ok(())).unwrap_err();
        assert!(error.to_string().ends_with("line 2"), "{error:#}");
    }

    #[test]
    fn a_stream_that_is_there_is_not_begun_anew() {
        let dir = tempfile::tempdir().unwrap();
        Store::create(dir.path(), run()).unwrap();
        assert!(Store::create(dir.path(), run()).is_err());
    }
}
