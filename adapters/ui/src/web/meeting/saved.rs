//! Games by invitation on disk: for each a state with the digests of its links, and a record for people for each round.
//! A thread writes the files, so that no game waits for the disk.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::Context as _;
use leap_base::{files, terminal};
use leap_records::{Outcome, Ply, Record};
use serde::{Deserialize, Serialize};

use super::secret::{Secret, SecretDigest};
use super::table::Table;

/// The format of the states. A state of another format is left alone.
const FORMAT: u32 = 1;
/// The file with the secret of the host. It also tells that the folder is in use.
const KEY: &str = "host.key";
/// The file with the secret of the engine.
const ENGINE_KEY: &str = "engine.key";
/// The largest state that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// The digests of the links of a game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Keys {
    pub(super) host: SecretDigest,
    pub(super) guest: SecretDigest,
    pub(super) spectators: SecretDigest,
}

/// What is played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Invitation {
    /// The id of the game.
    pub(super) game: String,
    /// The rules that the host has set.
    pub(super) options: Vec<(String, String)>,
    /// The position text at the start; `None` for the start of the game.
    pub(super) start: Option<String>,
    /// Whether guests may let the engine search.
    pub(super) search: bool,
}

/// The state of a game by invitation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    format: u32,
    /// The name of the game in files, not a secret.
    pub(super) id: String,
    pub(super) keys: Keys,
    pub(super) invitation: Invitation,
    /// All rule options, with their values.
    pub(super) rules: Vec<(String, String)>,
    /// When the round began.
    pub(super) begun: String,
    pub(super) table: Table,
}

impl State {
    pub(super) fn new(
        id: String,
        keys: Keys,
        invitation: Invitation,
        rules: Vec<(String, String)>,
        table: Table,
    ) -> Self {
        Self { format: FORMAT, id, keys, invitation, rules, begun: today(), table }
    }

    /// The state as it is kept.
    pub(super) fn at_rest(&self, now: u64) -> Self {
        Self { table: self.table.at_rest(now), ..self.clone() }
    }

    /// The round as a record (SPEC 19.13).
    fn record(&self) -> Record {
        let Self { invitation, table, .. } = self;
        let [p1, p2] = table.names();
        let result = table.ending.as_ref().map_or(Outcome::Void, |ending| match &*ending.result {
            "p1win" => Outcome::P1Win,
            "p2win" => Outcome::P2Win,
            _ => Outcome::Draw,
        });
        let mut tags = vec![
            ("Game", invitation.game.clone()),
            ("Round", table.round.to_string()),
            ("Date", self.begun.clone()),
            ("P1", p1.to_owned()),
            ("P2", p2.to_owned()),
            ("Result", result.as_str().to_owned()),
        ];
        tags.extend(table.ending.as_ref().map(|ending| {
            let by = if ending.rule { "rules " } else { "" };
            ("Reason", format!("{by}{}", ending.reason))
        }));
        tags.extend(invitation.start.clone().map(|fen| ("Fen", fen)));
        let options = invitation.options.iter();
        tags.extend(options.map(|(name, value)| ("Option", format!("{name}={value}"))));
        let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let plies = table.moves.iter().map(|made| Ply {
            mv: made.mv.clone(),
            time_us: made.took.map(|ms| ms.saturating_mul(1000)),
            ..Ply::default()
        });
        Record { tags, plies: plies.collect(), result }
    }
}

/// The time of day, as records have it.
pub(super) fn today() -> String {
    format!("{:.0}", jiff::Timestamp::now())
}

/// The folder of the games. No other server uses it meanwhile.
#[derive(Debug)]
pub(super) struct Folder {
    place: PathBuf,
    _held: files::Locked,
}

impl Folder {
    /// Opens the folder, or makes it. Nobody but the user may read what is in it. Returns the secret of the host too.
    ///
    /// # Errors
    /// If the folder cannot be used, or another server uses it.
    pub(super) fn open(place: &Path) -> anyhow::Result<(Self, Secret)> {
        let cannot = || format!("cannot keep games in {}", place.display());
        make_folder(place).with_context(cannot)?;
        let mut held = files::open_alone(&key(), &place.join(KEY)).with_context(cannot)?;
        let secret = secret_in(&mut held, KEY).with_context(cannot)?;
        Ok((Self { place: place.to_owned(), _held: held }, secret))
    }

    /// The secret of the engine.
    ///
    /// # Errors
    /// If the file of the secret cannot be used.
    pub(super) fn engine_secret(&self) -> anyhow::Result<Secret> {
        let cannot = || format!("cannot keep games in {}", self.place.display());
        let mut file = key().open(self.place.join(ENGINE_KEY)).with_context(cannot)?;
        secret_in(&mut file, ENGINE_KEY).with_context(cannot)
    }

    /// The games of earlier runs. A file that is no state is named and left alone.
    pub(super) fn states(&self) -> Vec<State> {
        let entries = fs::read_dir(&self.place).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort_unstable();
        paths.iter().filter_map(|path| read_state(path)).collect()
    }

    fn state_file(&self, id: &str) -> PathBuf {
        self.place.join(format!("{id}.json"))
    }

    fn record_file(&self, state: &State) -> PathBuf {
        let State { id, invitation, table, .. } = state;
        self.place.join(format!("{}-{id}-{}.ugr", invitation.game, table.round))
    }

    /// Forgets a game. Its records stay.
    pub(super) fn forget(&self, id: &str) {
        if let Err(error) = fs::remove_file(self.state_file(id)) {
            log::debug!("forgetting a game: {error}");
        }
    }
}

fn read_state(path: &Path) -> Option<State> {
    let leave = |why: &dyn std::fmt::Display| {
        terminal::warn(format_args!("leap: {}: not read, since {why}", path.display()));
    };
    let text = files::read_text(path, MOST_BYTES).inspect_err(|error| leave(error)).ok()?;
    let state: State = serde_json::from_str(&text).inspect_err(|error| leave(error)).ok()?;
    let is_named = path.file_stem().is_some_and(|stem| *stem == *state.id);
    if state.format != FORMAT || !is_named {
        leave(&"it is of another format or name");
        return None;
    }
    Some(state)
}

#[cfg(unix)]
fn make_folder(place: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(place)
}

#[cfg(not(unix))]
fn make_folder(place: &Path) -> std::io::Result<()> {
    fs::create_dir_all(place)
}

/// Options to create a file that only the user can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Options to open a file with a secret.
fn key() -> OpenOptions {
    let mut options = private();
    options.read(true).write(true).create(true).truncate(false);
    options
}

/// The secret in a file of this name. A new file gets a new secret.
fn secret_in(file: &mut File, name: &str) -> anyhow::Result<Secret> {
    let mut text = String::new();
    files::is_regular(file)?;
    file.take(256).read_to_string(&mut text)?;
    if let Some(secret) = Secret::parse(text.trim()) {
        return Ok(secret);
    }
    anyhow::ensure!(text.is_empty(), "expected a secret in {name}");
    let secret = Secret::random().context("cannot make a secret")?;
    file.write_all(format!("{}\n", secret.reveal()).as_bytes())?;
    Ok(secret)
}

/// Replaces a file that only the user can read, or creates it.
fn replace_private(path: &Path, content: &str) -> std::io::Result<()> {
    // A file that is replaced keeps its permissions.
    drop(private().write(true).create(true).truncate(false).open(path)?);
    files::replace(path, content)
}

#[derive(Debug, Default)]
struct Waiting {
    /// The newest content of each file that is to be written.
    contents: BTreeMap<PathBuf, String>,
    is_over: bool,
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

/// Writes files in a thread. Of several contents of a file only the newest is written.
#[derive(Debug)]
pub(super) struct Saver {
    folder: Arc<Folder>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Saver {
    pub(super) fn start(folder: Arc<Folder>) -> std::io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let its = Arc::clone(&shared);
        let thread = thread::Builder::new().name("saver".to_owned()).spawn(move || write(&its))?;
        Ok(Self { folder, shared, thread: Some(thread) })
    }

    /// Saves a state, and the record of its round.
    pub(super) fn save(&self, state: &State) {
        let record = (self.folder.record_file(state), state.record().to_string());
        let Ok(text) = serde_json::to_string(state) else { return };
        let mut waiting = self.shared.waiting();
        waiting.contents.extend([(self.folder.state_file(&state.id), text), record]);
        self.shared.news.notify_one();
    }
}

impl Drop for Saver {
    /// Waits until everything is written.
    fn drop(&mut self) {
        self.shared.waiting().is_over = true;
        self.shared.news.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write(shared: &Shared) {
    let mut has_failed = false;
    loop {
        let mut waiting = shared.waiting();
        while waiting.contents.is_empty() && !waiting.is_over {
            waiting = shared.news.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let Some((path, content)) = waiting.contents.pop_first() else { return };
        drop(waiting);
        let done = replace_private(&path, &content);
        if let Err(error) = &done
            && !has_failed
        {
            terminal::warn(format_args!("leap: cannot save {}: {error}", path.display()));
        }
        // A disk that stays full is named once.
        has_failed = done.is_err();
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Control, Person, Side, Verdict};
    use super::*;

    fn state() -> State {
        let digest = || Secret::random().unwrap().digest();
        let keys = Keys { host: digest(), guest: digest(), spectators: digest() };
        let invitation = Invitation {
            game: "sapos".to_owned(),
            options: vec![("MaxPlies".to_owned(), "50".to_owned())],
            start: None,
            search: false,
        };
        let control = Control { base: 60_000, increment: 0 };
        let mut table = Table::new(Side::P2, Side::P1, false, Some(control));
        table.arrive(Person::Host, 1, 0);
        table.arrive(Person::Guest, 2, 0);
        table.make("d2d4@c4".to_owned(), Verdict { turn: Side::P2, ending: None }, 0);
        table.make("d7d5@e5".to_owned(), Verdict { turn: Side::P1, ending: None }, 1_500);
        table.resign(Person::Host, true, 2_000).unwrap();
        let mut state =
            State::new("abc".to_owned(), keys, invitation, Vec::new(), table.at_rest(0));
        state.begun = "2026-01-02T03:04:05Z".to_owned();
        state
    }

    #[test]
    fn a_round_is_a_record_with_its_times() {
        let text = "[Game \"sapos\"]\n[Round \"1\"]\n[Date \"2026-01-02T03:04:05Z\"]\n[P1 \"guest\"]\n\
                    [P2 \"host\"]\n[Result \"p1win\"]\n[Reason \"resignation\"]\n[Option \"MaxPlies=50\"]\n\n\
                    1. d2d4@c4 2. d7d5@e5 {us 1500000} p1win\n\n";
        assert_eq!(state().record().to_string(), text);
        assert_eq!(Record::parse_all(text).unwrap().len(), 1);
    }

    #[test]
    fn what_is_saved_comes_back_and_holds_no_secret() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("games");
        let (folder, secret) = Folder::open(&path).unwrap();
        let saver = Saver::start(Arc::new(folder)).unwrap();
        let saved = state();
        saver.save(&saved);
        assert!(Folder::open(&path).is_err(), "another server uses the folder");
        drop(saver);
        let (folder, again) = Folder::open(&path).unwrap();
        assert!(again.digest().is(&secret.digest()), "the host keeps its secret");
        let states = folder.states();
        assert_eq!(states.len(), 1);
        assert_eq!(states[0].table, saved.table);
        assert!(states[0].keys.guest.is(&saved.keys.guest));
        assert!(path.join("sapos-abc-1.ugr").is_file());
        folder.forget("abc");
        assert!(folder.states().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_the_games() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("games");
        let (folder, _) = Folder::open(&path).unwrap();
        let saver = Saver::start(Arc::new(folder)).unwrap();
        saver.save(&state());
        drop(saver);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o700);
        for entry in fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }

    #[test]
    fn files_that_are_no_states_are_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let (folder, _) = Folder::open(place.path()).unwrap();
        fs::write(place.path().join("other.json"), "{}").unwrap();
        let mut text = serde_json::to_value(state()).unwrap();
        fs::write(place.path().join("wrong.json"), text.to_string()).unwrap();
        text["format"] = 2.into();
        fs::write(place.path().join("abc.json"), text.to_string()).unwrap();
        assert!(folder.states().is_empty());
    }

    /// A pipe without a writer would hold the server up for ever.
    #[cfg(unix)]
    #[test]
    fn pipes_in_the_folder_are_not_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let pipe = |name| {
            let path = place.path().join(name);
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        };
        pipe("abc.json");
        let (folder, _) = Folder::open(place.path()).unwrap();
        assert!(folder.states().is_empty());
        pipe(ENGINE_KEY);
        let error = format!("{:#}", folder.engine_secret().unwrap_err());
        assert!(error.contains("expected a regular file, found a pipe"), "{error}");
    }
}
