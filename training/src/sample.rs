//! A position with what a search and the end of its game say about it: a line of text.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use leapd::rules::notation::Notation;

/// A position of a game.
pub(crate) struct Sample<P> {
    pub(crate) position: P,
    /// What a search says, in centipawns for the side to move.
    pub(crate) score: i64,
    /// How the game ended for the side to move: 1 won, 0 drawn, -1 lost.
    pub(crate) result: i64,
}

/// The line of a sample: position text, score and result, separated by tabs.
pub(crate) fn line(text: &str, score: i64, result: i64) -> String {
    format!("{text}\t{score}\t{result}\n")
}

/// The samples of a compressed file, game by game.
///
/// # Errors
/// The file cannot be read, or a line is no sample.
pub(crate) fn read<G: Notation>(game: &G, path: &Path) -> Result<Vec<Sample<G::Position>>> {
    let unreadable = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(unreadable)?;
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let samples = lines.zip(1..).map(|(line, number)| {
        let line = line.with_context(unreadable)?;
        parse(game, &line).with_context(|| {
            format!(
                "{}:{number}: expected a position, a score and a result, found '{line}'",
                path.display()
            )
        })
    });
    samples.collect()
}

fn parse<G: Notation>(game: &G, line: &str) -> Option<Sample<G::Position>> {
    let mut fields = line.split('\t');
    let position = game.parse_position(fields.next()?).ok()?;
    let mut number = || fields.next()?.parse().ok();
    Some(Sample { position, score: number()?, result: number()? })
}
