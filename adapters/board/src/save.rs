//! Saving games as records (SPEC 19.13).

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use leap_base::files;
use leap_protocol::payload::Side;
use leap_protocol::shown;
use leap_records::{Outcome, Ply, Record};

use super::{Game, People};

/// The number of bytes that are read to know what a file holds.
const BEGINNING: usize = 1 << 12;

/// Checks that games can be appended to a file. The file must be missing or empty, or begin with the tag of a record.
///
/// # Errors
/// If the file holds something else, or cannot be read.
pub(super) fn takes_records(path: &Path) -> anyhow::Result<()> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let begin = files::beginning(path, BEGINNING).with_context(|| cannot_write(path))?;
    let text = String::from_utf8_lossy(&begin);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first = text.lines().next().unwrap_or_default();
    let is_tag = first.starts_with('[') && first.contains(" \"");
    ensure!(
        text.is_empty() || is_tag,
        "{}: expected game records, found '{}'",
        cannot_write(path),
        shown(first)
    );
    Ok(())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The name of people in records.
const PERSON: &str = "a person";

impl Game {
    /// The game so far as a record. `players` are the names of p1 and p2.
    pub(crate) fn record(&self, players: [&str; 2]) -> Record {
        let [p1, p2] = players;
        let status = self.status();
        let result = Outcome::of(status.result).unwrap_or(Outcome::Void);
        let date = format!("{:.0}", jiff::Timestamp::now());
        let mut tags = vec![
            ("Game", self.id().to_owned()),
            ("Date", date),
            ("P1", p1.to_owned()),
            ("P2", p2.to_owned()),
            ("Result", result.as_str().to_owned()),
        ];
        let by = if self.is_decided() { "" } else { "rules " };
        tags.extend(status.over.then(|| ("Reason", format!("{by}{}", status.reason))));
        tags.extend(self.first().map(|fen| ("Fen", fen.to_owned())));
        let set = self.options.iter().filter(|(name, value)| !self.is_default(name, value));
        tags.extend(set.map(|(name, value)| ("Option", format!("{name}={value}"))));
        let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let plies = self.moves().iter().map(|mv| Ply { mv: mv.clone(), ..Ply::default() });
        Record { tags, plies: plies.collect(), result }
    }

    /// Whether an option has the value that the engine has declared as its default.
    fn is_default(&self, name: &str, value: &str) -> bool {
        let declared = self.session.info().options.iter().find(|option| option.name == *name);
        declared.and_then(|option| option.kind.default()).is_some_and(|default| default == *value)
    }

    /// Appends the record to a file of records, completely or not at all.
    ///
    /// # Errors
    /// If the file cannot be written, or holds something else.
    pub fn save(&self, path: &Path, players: [&str; 2]) -> anyhow::Result<()> {
        takes_records(path)?;
        files::append(path, self.record(players).to_string().as_bytes())
            .with_context(|| cannot_write(path))
    }

    /// Whether something has been played since the game was last saved.
    pub fn is_unsaved(&self) -> bool {
        !self.is_saved && !self.moves().is_empty()
    }

    /// Marks the game as saved or unsaved in its current state.
    pub fn set_saved(&mut self, is_saved: bool) {
        self.is_saved = is_saved;
    }

    /// The names of the players in a record: the engine's name for sides that people do not play.
    pub fn names(&self, people: People) -> [&str; 2] {
        let name = |player| if people.is(player) { PERSON } else { self.engine() };
        [Side::P1, Side::P2].map(name)
    }
}
