//! `analysis.ndjson`: the conditions of an analysis, then a line for each game that has been examined. It is the only
//! state: a run that was killed goes on from it.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use leap_base::files::{self, Existing, Locked};
use serde::{Deserialize, Serialize};

use crate::examine::{Effort, Examined};

/// The name of the state in the directory of an analysis.
pub(crate) const STATE: &str = "analysis.ndjson";
/// The names of what is made from it.
pub(crate) const RECORDS: &str = "games.ugr";
pub(crate) const JSON: &str = "analysis.json";
pub(crate) const PAGE: &str = "index.html";
/// The version of the state.
const SCHEMA: u32 = 2;
/// The longest line accepted.
const MAX_LINE_BYTES: u64 = 1 << 28;

/// What decides the result of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Conditions {
    pub(crate) schema: u32,
    /// How many games there are.
    pub(crate) games: usize,
    /// The SHA-256 of the files.
    pub(crate) files: String,
    /// What the engine calls itself.
    pub(crate) engine: String,
    /// The engine's program and arguments.
    pub(crate) command: Vec<String>,
    /// Options of the engine, each `NAME=VALUE`.
    pub(crate) options: Vec<String>,
    /// The referee's program and arguments; none if the engine is asked.
    pub(crate) referee: Option<Vec<String>>,
    pub(crate) effort: Effort,
}

impl Conditions {
    /// The version of the state that this program writes.
    pub(crate) const SCHEMA: u32 = SCHEMA;

    /// What differs first from other conditions, in a word.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        [
            (self.schema != other.schema, "schema"),
            (self.files != other.files || self.games != other.games, "files"),
            (self.engine != other.engine || self.command != other.command, "engine"),
            (self.options != other.options, "options"),
            (self.referee != other.referee, "referee"),
            (self.effort != other.effort, "limit"),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    }
}

/// The open state.
#[derive(Debug)]
pub(crate) struct Store {
    file: Locked,
}

/// Whether an analysis can begin or go on in a directory.
///
/// # Errors
/// If there is something that it would overwrite.
pub(crate) fn is_open_to_us(dir: &Path) -> anyhow::Result<()> {
    if dir.join(STATE).exists() {
        return Ok(());
    }
    match [RECORDS, JSON, PAGE].into_iter().find(|name| dir.join(name).exists()) {
        Some(found) => bail!(
            "{}: expected no analysis, found {found} without {STATE}: another --out begins a new one",
            dir.display()
        ),
        None => Ok(()),
    }
}

impl Store {
    /// Begins an analysis in a directory, or goes on with one of the same conditions; returns what has been examined.
    ///
    /// # Errors
    /// If the directory has an analysis under other conditions, or its state cannot be read or written.
    pub(crate) fn open(
        dir: &Path,
        conditions: &Conditions,
    ) -> anyhow::Result<(Self, Vec<Examined>)> {
        is_open_to_us(dir)?;
        let path = dir.join(STATE);
        if !path.exists() {
            let line = line(conditions)?;
            files::write(&path, Existing::Refuse, |file| file.write_all(&line))
                .with_context(|| format!("cannot create {}", path.display()))?;
        }
        // Locked before reading, so that nobody else can append.
        let file = files::open_alone(OpenOptions::new().read(true).append(true), &path);
        let mut file = file.with_context(|| format!("cannot open {}", path.display()))?;
        let examined = read(&path, conditions)?;
        // A line that was not written to its end is cut off.
        let cut = files::whole_lines(&mut file).and_then(|length| file.set_len(length));
        cut.with_context(|| format!("cannot write {}", path.display()))?;
        Ok((Self { file }, examined))
    }

    /// Appends a game. Once this returns, it survives the end of this process.
    pub(crate) fn add(&mut self, examined: &Examined) -> anyhow::Result<()> {
        files::add(&mut self.file, &line(examined)?)
            .with_context(|| format!("cannot write {STATE}"))
    }
}

fn line(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads a state. An incomplete last line is ignored.
fn read(path: &Path, conditions: &Conditions) -> anyhow::Result<Vec<Examined>> {
    let file = files::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut reader = BufReader::new(file);
    let mut games = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let mut bounded = reader.by_ref().take(MAX_LINE_BYTES);
        bounded.read_until(b'\n', &mut line).with_context(|| path.display().to_string())?;
        let place = || format!("{}, line {number}", path.display());
        if line.last() != Some(&b'\n') {
            let is_torn = number > 1 && (line.len() as u64) < MAX_LINE_BYTES;
            ensure!(is_torn, "{}: expected an analysis, found no whole line", place());
            return Ok(games);
        }
        if number == 1 {
            let found: Conditions = serde_json::from_slice(&line).with_context(place)?;
            if let Some(what) = found.difference(conditions) {
                let dir = path.parent().unwrap_or(path).display();
                bail!(
                    "{dir} holds an analysis under other conditions ({what}): another --out begins a new one"
                );
            }
            continue;
        }
        let examined: Examined = serde_json::from_slice(&line).with_context(place)?;
        ensure!(is_sound(&examined, conditions.games), "{}: expected a game, found none", place());
        games.push(examined);
    }
    Ok(games)
}

/// Whether a line fits together.
fn is_sound(examined: &Examined, games: usize) -> bool {
    (1..=games).contains(&examined.game) && examined.positions.len() == examined.moves.len() + 1
}

/// Writes a file that is made from the state. `mark` is how every such file begins.
///
/// # Errors
/// If the file is somebody else's, or cannot be written.
pub(crate) fn renew(dir: &Path, name: &str, content: &str, mark: &str) -> anyhow::Result<()> {
    let path = dir.join(name);
    match files::renew(&path, content.as_bytes(), mark.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error.into()),
        done => done.map_err(anyhow::Error::new),
    }
    .with_context(|| format!("cannot write {}", path.display()))
}
