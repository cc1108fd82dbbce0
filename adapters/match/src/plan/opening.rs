//! Openings: how games start.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use leap_base::files;
use leap_protocol::{Command, Start, shown};
use leap_records::{Outcome, Record};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// The longest file of openings that is accepted.
const MAX_BYTES: u64 = 256 << 20;

/// A start position and the moves that follow it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position text; `None` for the start position of the game.
    pub fen: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The openings of a file.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) openings: Vec<Opening>,
    /// The line of the file on which each of them begins, from 1; without a file, their numbers.
    pub(crate) lines: Vec<usize>,
    /// The SHA-256 of the file's contents, in hexadecimal.
    pub(crate) sha256: String,
    /// The order in which they are played, as indices.
    order: Vec<usize>,
}

impl Book {
    /// Reads a file. A seed shuffles the openings; without one they are played in the order of the file.
    pub(crate) fn read(path: &Path, seed: Option<u64>) -> anyhow::Result<Self> {
        let bytes = files::read(path, MAX_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let text = files::text(&bytes).with_context(|| format!("in {}", path.display()))?;
        let (mut openings, mut lines) = (Vec::new(), Vec::new());
        if text.trim_start().starts_with('[') {
            for record in Record::parse_each(text) {
                let (places, record) = record.with_context(|| format!("in {}", path.display()))?;
                openings.push(of_record(&record));
                lines.push(places.begin);
            }
        }
        let own = if openings.is_empty() { text } else { "" };
        for (index, line) in own.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let opening = Opening::parse(line)
                .with_context(|| format!("in {}, line {}", path.display(), index + 1))?;
            openings.push(opening);
            lines.push(index + 1);
        }
        if openings.is_empty() {
            bail!("in {}: expected openings, found none", path.display());
        }
        let order = order(openings.len(), seed);
        Ok(Self { openings, lines, sha256: hex(&Sha256::digest(&bytes)), order })
    }

    /// Openings that stand in no file. There is at least one.
    pub(crate) fn given(openings: Vec<Opening>, seed: Option<u64>) -> Self {
        let lines = (1..=openings.len()).collect();
        let order = order(openings.len(), seed);
        Self { openings, lines, sha256: String::new(), order }
    }

    /// The opening with this number, from 0. The book repeats when it is used up.
    pub(crate) fn get(&self, number: u64) -> &Opening {
        let index = usize::try_from(number % self.order.len() as u64).unwrap_or(0);
        &self.openings[self.order[index]]
    }
}

fn order(count: usize, seed: Option<u64>) -> Vec<usize> {
    seed.map_or_else(|| (0..count).collect(), |seed| shuffled(count, seed))
}

/// The numbers below `count` in an order that the seed decides.
#[must_use]
pub fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..count).rev() {
        order.swap(last, below(&mut random, last as u64 + 1));
    }
    order
}

/// The start of a recorded game: what its tag says, or all of a game that was left unfinished.
fn of_record(record: &Record) -> Opening {
    let all = if record.result == Outcome::Void { record.plies.len() } else { 0 };
    let plies = record.tag("OpeningPlies").and_then(|plies| plies.parse().ok()).unwrap_or(all);
    let moves = record.plies.iter().take(plies).map(|ply| ply.mv.clone()).collect();
    Opening { fen: record.tag("Fen").map(str::to_owned), moves }
}

impl Opening {
    /// Parses `startpos`, `moves ...`, or a position text with or without `moves ...`; also after `position` and `fen`.
    ///
    /// # Errors
    /// If the line is nothing of this.
    pub fn parse(line: &str) -> anyhow::Result<Self> {
        let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
        let first = line.split_whitespace().next().unwrap_or_default();
        let command = match first {
            "startpos" | "fen" => format!("position {line}"),
            "moves" => format!("position startpos {line}"),
            _ => format!("position fen {line}"),
        };
        match Command::parse(&command)? {
            Some(Command::Position { start: Start::StartPos, moves }) => {
                Ok(Self { fen: None, moves })
            }
            Some(Command::Position { start: Start::Fen(fen), moves }) => {
                Ok(Self { fen: Some(fen), moves })
            }
            _ => bail!("expected a position text or 'moves ...', found '{}'", shown(line)),
        }
    }
}

/// The random generator of an opening: it depends on the seed and the number alone.
pub(crate) fn random(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // Stream 0 orders the book.
    random.set_stream(number + 1);
    random
}

/// A number below `bound`, which is small, so that the bias is negligible.
pub(crate) fn below(random: &mut ChaCha8Rng, bound: u64) -> usize {
    usize::try_from(random.next_u64() % bound.max(1)).unwrap_or(0)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(fen: Option<&str>, moves: &[&str]) -> Opening {
        let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
        Opening { fen: fen.map(str::to_owned), moves }
    }

    #[test]
    fn openings_are_read_in_every_form() {
        for (line, expected) in [
            ("startpos", opening(None, &[])),
            ("moves a1a2 b1b2", opening(None, &["a1a2", "b1b2"])),
            ("position startpos moves a1a2", opening(None, &["a1a2"])),
            ("8/8 1 - 0 0", opening(Some("8/8 1 - 0 0"), &[])),
            ("8/8 1 - 0 0 moves a1a2", opening(Some("8/8 1 - 0 0"), &["a1a2"])),
            ("fen 8/8 1 - 0 0", opening(Some("8/8 1 - 0 0"), &[])),
        ] {
            assert_eq!(Opening::parse(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn a_recorded_game_is_an_opening_as_far_as_it_says_or_as_it_was_played() {
        for (text, expected) in [
            ("[OpeningPlies \"1\"]\n\n1. a1a2 2. b1b2 *\n", opening(None, &["a1a2"])),
            ("[Fen \"8/8 1\"]\n\n1. a1a2 2. b1b2 *\n", opening(Some("8/8 1"), &["a1a2", "b1b2"])),
            ("[Game \"x\"]\n\n1. a1a2 2. b1b2 void\n", opening(None, &["a1a2", "b1b2"])),
            ("[Game \"x\"]\n\n1. a1a2 2. b1b2 p1win\n", opening(None, &[])),
        ] {
            assert_eq!(of_record(&Record::parse_all(text).unwrap()[0]), expected, "{text}");
        }
    }

    #[test]
    fn every_opening_of_a_book_has_its_turn() {
        let moves = ["a", "b", "c", "d", "e"];
        let openings: Vec<Opening> = moves.iter().map(|mv| opening(None, &[mv])).collect();
        for seed in 0..10 {
            let book = Book::given(openings.clone(), Some(seed));
            let mut drawn: Vec<&Opening> = (0..5).map(|n| book.get(n)).collect();
            assert_eq!(book.get(5), drawn[0]);
            drawn.sort_by_key(|opening| &opening.moves);
            assert_eq!(drawn, openings.iter().collect::<Vec<_>>());
        }
        assert_eq!(Book::given(openings.clone(), None).get(7), &openings[2]);
    }

    #[test]
    fn random_openings_differ_by_seed_and_number() {
        let first = |seed, number| random(seed, number).next_u64();
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
    }
}
