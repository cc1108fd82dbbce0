//! Samples: positions with the score of a search and the result of the game. Each is a line of text.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use leap_core::notation::Notation;
use leap_core::{Game, GameResult, Position, Rules, Side};
use leap_search::Searchable;

/// The largest size of an unpacked file: a hundred times a shard of 100 games.
const MAX_MIB: u64 = 64;
/// The longest line, in bytes.
const MAX_LINE: u64 = 1024;
/// The part of a line that a message shows, in characters.
const SHOWN: usize = 80;

/// A position with its score and result.
pub(crate) struct Sample<P> {
    pub(crate) position: P,
    /// The score of a search for the side to move, in centipawns.
    pub(crate) score: i64,
    /// The result for the side to move: 1 won, 0 drawn, -1 lost.
    pub(crate) result: i64,
}

/// A game that was played.
pub(crate) struct Played<R: Rules> {
    /// The rules that it was played by.
    pub(crate) rules: R,
    pub(crate) result: GameResult,
    /// The positions to keep, each with the score of a search for the side to move, in centipawns.
    pub(crate) scored: Vec<(R::Position, i64)>,
}

impl<R: Notation> Played<R> {
    /// The positions, labelled with the result.
    pub(crate) fn samples(&self) -> impl Iterator<Item = Sample<R::Position>> {
        self.scored.iter().map(|(position, score)| Sample {
            position: *position,
            score: *score,
            result: result_for(self.result, position.side()),
        })
    }

    /// A line for each sample: position text, score and result, separated by tabs.
    pub(crate) fn lines(&self) -> String {
        let line = |Sample { position, score, result }| {
            format!("{}\t{score}\t{result}\n", self.rules.print_position(&position))
        };
        self.samples().map(line).collect()
    }
}

/// The lines of samples as a compressed file.
///
/// # Errors
/// There is no memory.
pub(crate) fn packed(lines: &str) -> Result<Vec<u8>> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(lines.as_bytes())?;
    Ok(writer.finish()?)
}

/// Whether a search would evaluate a position whose best move is this one. Quiescence search plays captures out.
pub(crate) fn is_quiet<R: Searchable>(game: &Game<R>, best: R::Move) -> bool {
    !R::TUNING.quiescence || !game.rules().is_capture(game.current(), best)
}

/// The result of a game for a side: 1 won, 0 drawn, -1 lost.
fn result_for(result: GameResult, side: Side) -> i64 {
    match result {
        GameResult::Draw => 0,
        GameResult::Win(winner) if winner == side => 1,
        GameResult::Win(_) => -1,
    }
}

/// The samples of a compressed file, game by game.
///
/// # Errors
/// The file cannot be read or holds too much, or a line is no sample.
pub(crate) fn read<R: Notation>(rules: &R, path: &Path) -> Result<Vec<Sample<R::Position>>> {
    let shown = path.display();
    let unreadable = || format!("cannot read {shown}");
    let file = File::open(path).with_context(unreadable)?;
    let mut unpacked = BufReader::new(GzDecoder::new(file)).take(MAX_MIB << 20);
    let mut samples = Vec::new();
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let read =
            unpacked.by_ref().take(MAX_LINE).read_line(&mut line).with_context(unreadable)?;
        ensure!(
            unpacked.limit() > 0,
            "{shown}: expected at most {MAX_MIB} MiB unpacked, found more"
        );
        if read == 0 {
            return Ok(samples);
        }
        let is_whole = line.ends_with('\n') || line.len() < MAX_LINE as usize;
        ensure!(
            is_whole,
            "{shown}:{number}: expected at most {MAX_LINE} bytes in a line, found more"
        );
        let sample = parse(rules, line.trim_end()).with_context(|| {
            let start: String = line.trim_end().chars().take(SHOWN).collect();
            format!("{shown}:{number}: expected a position, a score and a result, found '{start}'")
        })?;
        samples.push(sample);
    }
    Ok(samples)
}

fn parse<R: Notation>(rules: &R, line: &str) -> Option<Sample<R::Position>> {
    let mut fields = line.split('\t');
    let position = rules.parse_position(fields.next()?).ok()?;
    let score: i32 = fields.next()?.parse().ok()?;
    let result = fields.next()?.parse().ok().filter(|result| (-1..=1).contains(result))?;
    Some(Sample { position, score: score.into(), result })
}
