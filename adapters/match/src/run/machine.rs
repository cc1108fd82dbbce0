//! What this machine must have for a match. What it lacks is never an engine's fault.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::engine::EngineError;
use super::{Watchdog, preflight};
use crate::plan::Match;
use crate::plan::config::{Config, EngineConfig};

/// Files that are open whatever is played.
#[cfg(unix)]
const FILES: u64 = 24;
/// Open files of an engine: three pipes, and the log of its standard error.
#[cfg(unix)]
const FILES_OF_ENGINE: u64 = 4;
/// An engine's process, and the threads that serve its pipes.
#[cfg(target_os = "linux")]
const TASKS_OF_ENGINE: u64 = 4;

/// What all workers of this machine share.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) programs: Programs,
    pub(crate) watchdog: Watchdog,
    /// What times are multiplied by on this machine, if they are scaled.
    pub(crate) scale: Option<f64>,
}

impl Machine {
    /// Checks that this many games can be played at a time: the limits of this program, every engine, every opening.
    pub(crate) fn ready(
        Match { config, book, .. }: &Match,
        concurrency: usize,
        say: impl Fn(&str),
    ) -> anyhow::Result<Self> {
        make_room(config, concurrency)?;
        preflight::check(config, book.as_ref(), say)?;
        Ok(Self { programs: Programs::of(config), watchdog: Watchdog::start()?, scale: None })
    }
}

/// Makes room for this many games at a time.
///
/// # Errors
/// If the limits of this program are too low and cannot be raised. The message says how many games fit.
#[cfg(unix)]
fn make_room(config: &Config, concurrency: usize) -> anyhow::Result<()> {
    use nix::sys::resource::Resource;
    let engines = 2 + u64::from(config.referee.is_some());
    // A worker holds one more file while it starts an engine.
    let files = Room { before: FILES, each: FILES_OF_ENGINE * engines + 1, limit: 'n' };
    files.make(Resource::RLIMIT_NOFILE, concurrency, "open files")?;
    // The system does not limit the processes of root.
    #[cfg(target_os = "linux")]
    if !nix::unistd::geteuid().is_root() {
        let tasks = Room { before: 2, each: TASKS_OF_ENGINE * engines + 1, limit: 'u' };
        tasks.make(Resource::RLIMIT_NPROC, concurrency, "processes and threads")?;
    }
    Ok(())
}

/// Other systems have no such limits.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "other systems have limits")]
fn make_room(_config: &Config, _concurrency: usize) -> anyhow::Result<()> {
    Ok(())
}

/// What a match takes of something that is limited.
#[cfg(unix)]
struct Room {
    before: u64,
    /// What each game takes that is played at the same time.
    each: u64,
    /// The letter of `ulimit`.
    limit: char,
}

#[cfg(unix)]
impl Room {
    fn make(
        &self,
        resource: nix::sys::resource::Resource,
        concurrency: usize,
        what: &str,
    ) -> anyhow::Result<()> {
        use nix::sys::resource::{getrlimit, setrlimit};
        let (soft, hard) = getrlimit(resource)?;
        let needed = self.needed(concurrency);
        if soft >= needed || (hard >= needed && setrlimit(resource, needed, hard).is_ok()) {
            return Ok(());
        }
        let fits = match self.fitting(hard) {
            0 => String::new(),
            games => format!(", --concurrency {games} fits"),
        };
        anyhow::bail!(
            "--concurrency {concurrency}: expected {needed} {what}, found a limit of {hard}: 'ulimit -{} {needed}' \
             raises it{fits}",
            self.limit
        )
    }

    fn needed(&self, concurrency: usize) -> u64 {
        self.each.saturating_mul(concurrency as u64).saturating_add(self.before)
    }

    /// How many games at a time a limit allows.
    fn fitting(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.before) / self.each
    }
}

/// The programs of the engines, as they were before the first game.
#[derive(Debug)]
pub(crate) struct Programs(HashMap<PathBuf, Stamp>);

/// What tells a file from the one that takes its place.
type Stamp = (u64, Option<SystemTime>);

impl Programs {
    /// Looks at the programs, and at the files among their arguments, such as scripts.
    fn of(config: &Config) -> Self {
        let engines = config.engines.iter().chain(&config.referee);
        let files = engines.flat_map(files);
        Self(files.filter_map(|path| Some((path.clone(), stamp(&path)?))).collect())
    }

    /// The failure of an engine to start: if its program is no longer the one that started before, this machine is to
    /// blame.
    pub(crate) fn judge(&self, engine: &EngineConfig, error: EngineError) -> EngineError {
        let is_gone = |path: &PathBuf| self.0.contains_key(path) && stamp(path).is_none();
        let has_changed =
            self.0.get(&engine.cmd).is_some_and(|was| stamp(&engine.cmd) != Some(*was));
        let gone = files(engine).find(is_gone);
        let what = match gone {
            Some(path) => format!("{} is gone since the match began", path.display()),
            None if has_changed => {
                format!("{} has changed since the match began", engine.cmd.display())
            }
            None => return error,
        };
        error.by_machine_since(&what)
    }
}

/// The files that may be the program of an engine.
fn files(engine: &EngineConfig) -> impl Iterator<Item = PathBuf> + '_ {
    let dir = engine.dir.as_deref().unwrap_or(Path::new(""));
    [engine.cmd.clone()].into_iter().chain(engine.args.iter().map(move |arg| dir.join(arg)))
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((found.len(), found.modified().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Reason;

    #[cfg(unix)]
    #[test]
    fn as_many_games_fit_as_the_limit_says() {
        let room = Room { before: 24, each: 13, limit: 'n' };
        for limit in [0, 24, 36, 37, 150, 1024, u64::MAX] {
            let games = room.fitting(limit);
            if let Ok(games) = usize::try_from(games.min(1 << 40)) {
                assert!(games == 0 || room.needed(games) <= limit, "{limit}");
            }
            let more = usize::try_from(games.saturating_add(1)).unwrap_or(usize::MAX);
            assert!(room.needed(more) > limit || limit == u64::MAX, "{limit}");
        }
    }

    #[test]
    fn a_program_that_is_gone_or_another_one_is_the_machines_fault() {
        let place = tempfile::tempdir().unwrap();
        let [program, script] = ["program", "script"].map(|name| place.path().join(name));
        let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
        write(&program, "one");
        write(&script, "two");
        let engine = EngineConfig {
            cmd: program.clone(),
            args: vec!["script".to_owned(), "-c".to_owned()],
            dir: Some(place.path().to_owned()),
            ..EngineConfig::default()
        };
        let config = crate::plan::config_of(2, "");
        let programs = Programs::of(&Config { engines: vec![engine.clone()], ..config });
        let judge = || programs.judge(&engine, EngineError::new(Reason::Crash, "dead"));
        assert!(!judge().by_machine);
        write(&script, "a script may be a file that the engine writes");
        assert!(!judge().by_machine);
        fs::remove_file(&script).unwrap();
        assert!(judge().text.ends_with("script is gone since the match began"));
        write(&script, "two");
        write(&program, "another");
        assert!(judge().text.ends_with("program has changed since the match began"));
        fs::remove_file(&program).unwrap();
        assert!(judge().by_machine && judge().text.contains("program is gone"));
    }
}
