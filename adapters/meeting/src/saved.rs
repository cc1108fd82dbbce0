//! Games by invitation on disk: for each a state with the digests of its links, and a record for people for each round.
//! A state is checked as if anybody had written it.

#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use leap_base::files::Locked;
use leap_base::{files, terminal};
use leap_records::{Outcome, Ply, Record};
use serde::{Deserialize, Serialize};

use super::saver::Saver;
use super::table::Table;
use super::{MOST_GAMES, check_invitation};
use crate::check_characters;
use crate::secret::{Secret, SecretDigest};

/// The format of the states. A state of another format is left alone.
const FORMAT: u32 = 1;
/// The file with the secret of the host. It also tells that the folder is in use.
const KEY: &str = "host.key";
/// The file with the secret of the engine.
const ENGINE_KEY: &str = "engine.key";
/// The largest state that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// The longest name of a game or of its files, in bytes.
const LONGEST_NAME: usize = 64;
/// The most rules of a game, and their longest texts, in bytes.
const MOST_RULES: usize = 1024;
const LONGEST_RULE: usize = 4096;

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

    /// Whether the state can be one of ours, as far as form goes. The referee judges the rules and the moves.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self) -> Result<(), String> {
        let Self { format, id, invitation, rules, begun, .. } = self;
        if *format != FORMAT {
            return Err(format!("expected the format {FORMAT}, found {format}"));
        }
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        if !(1..=LONGEST_NAME).contains(&id.len()) || !id.bytes().all(is_plain) {
            return Err("expected a name of letters and digits".to_owned());
        }
        if begun.len() > LONGEST_NAME || begun.parse::<jiff::Timestamp>().is_err() {
            return Err("expected the time at which the round began".to_owned());
        }
        check_invitation(&invitation.game, &invitation.options, invitation.start.as_deref())?;
        if rules.len() > MOST_RULES {
            return Err("expected fewer rules".to_owned());
        }
        for text in rules.iter().flat_map(|(name, value)| [name, value]) {
            if text.len() > LONGEST_RULE {
                return Err("expected shorter rules".to_owned());
            }
            check_characters(text).map_err(|error| error.text)?;
        }
        self.table.check().map_err(str::to_owned)
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
    _held: Locked,
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

    /// The games of earlier runs. A file that is no state is named and left alone, and so are states beyond the most games.
    /// Games that are over give way to others.
    pub(super) fn states(&self) -> Vec<State> {
        let entries = fs::read_dir(&self.place).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort_unstable();
        let mut states: Vec<State> = Vec::new();
        for path in paths {
            let read = read_state(&path).and_then(|state| {
                if states.len() >= MOST_GAMES {
                    let over = states.iter().position(|state| state.table.ending.is_some());
                    let over = over.filter(|_| state.table.ending.is_none());
                    let left = over.map(|at| states.remove(at)).context("there are too many games");
                    leave(&self.state_file(&left?.id), "there are too many games");
                }
                Ok(state)
            });
            match read {
                Ok(state) => states.push(state),
                Err(error) => leave(&path, format_args!("{error:#}")),
            }
        }
        states
    }

    fn state_file(&self, id: &str) -> PathBuf {
        self.place.join(format!("{id}.json"))
    }

    fn record_file(&self, state: &State) -> PathBuf {
        let State { id, invitation, table, .. } = state;
        let game = file_word(&invitation.game);
        self.place.join(format!("{game}-{id}-{}.ugr", table.round))
    }
}

/// Where games are saved.
#[derive(Debug)]
pub(super) struct Archive {
    pub(super) folder: Folder,
    saver: Saver,
}

impl Archive {
    /// Starts to save games in a folder.
    ///
    /// # Errors
    /// If there can be no thread.
    pub(super) fn start(folder: Folder) -> std::io::Result<Arc<Self>> {
        Ok(Arc::new(Self { folder, saver: Saver::start()? }))
    }

    /// Saves a state, and the record of its round.
    pub(super) fn save(&self, state: &State) {
        let Ok(text) = serde_json::to_string(state) else { return };
        self.saver.write(self.folder.state_file(&state.id), Some(text));
        self.saver.write(self.folder.record_file(state), Some(state.record().to_string()));
    }

    /// Forgets a game. Its records stay.
    pub(super) fn forget(&self, id: &str) {
        self.saver.write(self.folder.state_file(id), None);
    }
}

/// The name of a game as a part of a file's name. An engine chooses the name.
fn file_word(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let plain = name.chars().map(|c| if is_plain(c) { c } else { '_' });
    plain.take(LONGEST_NAME).collect()
}

/// Names a file that is left alone.
fn leave(path: &Path, why: impl std::fmt::Display) {
    terminal::warn(format_args!("leap: {}: not read, since {why}", path.display()));
}

fn read_state(path: &Path) -> anyhow::Result<State> {
    let text = files::read_text(path, MOST_BYTES)?;
    let state: State = serde_json::from_str(&text)?;
    let is_named = path.file_stem().is_some_and(|stem| *stem == *state.id);
    anyhow::ensure!(is_named, "it is of another name");
    state.check().map_err(anyhow::Error::msg)?;
    Ok(state)
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

/// Options to open a file with a secret, which only the user can read.
fn key() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
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
    // Half a secret would not be read again.
    files::add(file, format!("{}\n", secret.reveal()).as_bytes())?;
    Ok(secret)
}
