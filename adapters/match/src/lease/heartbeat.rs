//! The heartbeat of a runner: a file in the shared directory that changes while the runner lives.
//!
//! The file is locked while the runner lives. A runner on the same system tests the lock, and so knows immediately
//! when another one was killed. The test means nothing on another machine, where not every file system shares locks.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use leap_base::files::{self, Locked};

use super::claims::Pulse;

/// The file of this runner, removed at the end.
#[derive(Debug)]
pub(super) struct Heartbeat {
    name: String,
    path: PathBuf,
    file: File,
    lock: Option<Locked>,
    beats: u64,
}

/// The word for a system that cannot be told from others.
const UNKNOWN: &str = "-";
/// More than any heartbeat has.
const MAX_BYTES: u64 = 1000;

impl Heartbeat {
    /// Enters the directory of heartbeats under a new name.
    pub(super) fn enter(runners: &Path) -> io::Result<Self> {
        let time = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%.9f");
        let name = format!("{time}-{}", std::process::id());
        let path = runners.join(&name);
        let file = File::create_new(&path)?;
        // The lock comes before the first heartbeat: who reads one may test the lock.
        let lock = files::open_alone(OpenOptions::new().write(true), &path).ok();
        let mut heartbeat = Self { name, path, file, lock, beats: 0 };
        heartbeat.beat()?;
        Ok(heartbeat)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Tells the others that this runner lives.
    pub(super) fn beat(&mut self) -> io::Result<()> {
        self.beats += 1;
        let system = self.lock.as_ref().and_then(|_| system());
        let line = format!("{} {}\n", system.as_deref().unwrap_or(UNKNOWN), self.beats);
        // Written in place, since a lock holds for one file; a line is never shorter than the one before.
        self.file.rewind()?;
        self.file.write_all(line.as_bytes())
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        // Windows removes no file that is open without permission to share it.
        self.lock = None;
        // If it stays, the others wait for the timeout.
        let _ = fs::remove_file(&self.path);
    }
}

/// What is seen of another runner.
pub(super) fn pulse(runners: &Path, name: &str) -> io::Result<Pulse> {
    let path = runners.join(name);
    let text = match files::read_text(&path, MAX_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Pulse::Gone),
        text => text?,
    };
    let theirs = text.split_whitespace().next().unwrap_or(UNKNOWN);
    let is_here = system().is_some_and(|own| own == theirs);
    let is_dead = is_here && files::open_alone(OpenOptions::new().write(true), &path).is_ok();
    Ok(if is_dead { Pulse::Gone } else { Pulse::Beat(text) })
}

/// The running system: containers of one machine have the same, and another start of the machine has another.
fn system() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_is_seen_until_it_leaves() {
        let dir = tempfile::tempdir().unwrap();
        let mut heartbeat = Heartbeat::enter(dir.path()).unwrap();
        let name = heartbeat.name().to_owned();
        let seen = || pulse(dir.path(), &name).unwrap();
        let first = seen();
        assert!(matches!(&first, Pulse::Beat(text) if text.ends_with(" 1\n")), "{first:?}");
        heartbeat.beat().unwrap();
        assert_ne!(seen(), first);
        drop(heartbeat);
        assert_eq!(seen(), Pulse::Gone);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_runner_whose_lock_is_free_is_dead_if_it_ran_on_this_system() {
        let dir = tempfile::tempdir().unwrap();
        let see = |text: &str| {
            fs::write(dir.path().join("a"), text).unwrap();
            pulse(dir.path(), "a").unwrap()
        };
        assert_eq!(see(&format!("{} 5\n", system().unwrap())), Pulse::Gone);
        assert_eq!(see("another 5\n"), Pulse::Beat("another 5\n".to_owned()));
    }
}
