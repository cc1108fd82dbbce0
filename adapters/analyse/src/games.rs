//! The games to analyse, read from files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use leap_base::files;
use leap_protocol::payload::Side;
use leap_records::{Details, Outcome, Ply, Record, StoredGame, read_games};
use sha2::{Digest as _, Sha256};

/// The longest file that is accepted.
const MAX_BYTES: u64 = 1 << 30;
/// Nobody waits for the longest searches of a record.
const MOST_NODES: u64 = 20_000_000;

/// A game of a file.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// Its number among all games, from 1.
    pub(crate) number: usize,
    /// The file, as it was named.
    pub(crate) file: String,
    pub(crate) stored: StoredGame,
}

/// All games, and what tells them from others.
#[derive(Debug)]
pub(crate) struct Games {
    pub(crate) all: Vec<Game>,
    /// The SHA-256 of the contents of all files, in hexadecimal.
    pub(crate) sha256: String,
}

impl Games {
    /// Reads files of records or transcripts.
    ///
    /// # Errors
    /// If a file cannot be read, or has a fault; its line is named.
    pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut all = Vec::new();
        let mut hash = Sha256::new();
        for path in paths {
            let bytes = files::read(path, MAX_BYTES)
                .with_context(|| format!("cannot read {}", path.display()))?;
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(&bytes);
            add(&mut all, path, &bytes)?;
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { all, sha256 })
    }
}

fn add(all: &mut Vec<Game>, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let file = path.display().to_string();
    let place = |line: Option<usize>| match line {
        Some(line) => format!("{file}, line {line}"),
        None => file.clone(),
    };
    let games = read_games(bytes).map_err(|error| anyhow!("{}: {error}", place(error.line)))?;
    for stored in games {
        let stored = stored.map_err(|error| anyhow!("{}: {error}", place(error.line)))?;
        all.push(Game { number: all.len() + 1, file: file.clone(), stored });
    }
    Ok(())
}

impl Game {
    /// The moves that lead to the last position: in a session others may have been taken back.
    pub(crate) fn moves(&self) -> &[String] {
        self.stored.moves.get(..self.stored.ply).unwrap_or(&self.stored.moves)
    }

    /// The most nodes that a player is said to have searched for the moves before and after this position, up to
    /// [`MOST_NODES`].
    pub(crate) fn nodes_around(&self, at: usize) -> u64 {
        let plies = self.stored.record.as_ref().map_or(&[][..], |record| &record.plies);
        let around = plies.iter().take(at + 1).skip(at.saturating_sub(1));
        around.filter_map(|ply| ply.nodes).max().unwrap_or(0).min(MOST_NODES)
    }

    /// Where the game or a part of it stands. Without a line, where the game begins.
    pub(crate) fn place(&self, line: Option<usize>) -> String {
        format!("{}, line {}", self.file, line.unwrap_or(self.stored.line))
    }

    /// The value of a tag, if the game is a record.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        let tags = &self.stored.record.as_ref()?.tags;
        tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The name of a player: that of the record, or the word of the protocol.
    pub(crate) fn player(&self, side: Side) -> String {
        let name = match side {
            Side::P1 => self.tag("P1"),
            Side::P2 => self.tag("P2"),
        };
        name.map_or_else(|| side.to_string(), str::to_owned)
    }

    /// The game as a record, with all that it says. A session becomes a record of its game, options and moves.
    pub(crate) fn record(&self) -> Record {
        let StoredGame { id, start, options, record, .. } = &self.stored;
        if let Some(Details { tags, plies, result }) = record.clone() {
            return Record { tags, plies, result };
        }
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let game = tag("Game", id.as_deref().unwrap_or("?"));
        let fen = start.as_ref().map(|fen| tag("Fen", fen));
        let options = options.iter().map(|(name, value)| tag("Option", &format!("{name}={value}")));
        let tags = [game].into_iter().chain(fen).chain(options).collect();
        let plies = self.moves().iter().map(|mv| Ply::of_opening(mv)).collect();
        Record { tags, plies, result: Outcome::Void }
    }
}
