//! Makes tables: retrograde analysis, one pair of slices after another.
//!
//! The directory of the tables has a folder `work` beside the finished files. This folder has the outcomes of finished
//! slices, two bits each, and the cells of the pair in progress. A maker that was killed goes on from there.

mod counts;
mod outcomes;
mod pair;
mod steps;
mod work;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use leap_games::alquerque::{Alquerque, Capture};
use thiserror::Error;

pub use counts::Counts;
use outcomes::Outcomes;
use pair::{Checkpoint, Pair};
use work::Work;

use crate::bytes::map;
use crate::file::{BLOCK, File, FileError, file_name, pack};
use crate::files::replace;
use crate::value::Code;
use crate::{EndgameTablebase, Slice};

/// Why tables cannot be made.
#[derive(Debug, Error)]
pub enum MakeError {
    /// A file cannot be written or read.
    #[error("cannot use {path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file of earlier work does not fit.
    #[error("{path} {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// A distance is too large for the format.
    #[error("{slice:?} has distances above {} plies, the most of the format", Code::MOST_PLIES)]
    TooLong {
        /// The slice.
        slice: Slice,
    },
}

/// What a maker tells while it works.
#[derive(Debug)]
pub enum Event<'a> {
    /// A slice was finished before.
    Ready(Slice),
    /// Work on a pair begins, or goes on.
    Begun {
        /// The slice in which the side with more men moves.
        more: Slice,
        /// The level at which earlier work goes on.
        resumed: Option<u32>,
    },
    /// All positions at this distance are known.
    Level(u32),
    /// A slice is finished.
    Finished(&'a Counts),
}

/// What is to be made, and where.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The rule.
    pub capture: Capture,
    /// The most men on the board.
    pub men: u32,
    /// Where the files go.
    pub directory: PathBuf,
    /// How often the cells of a large pair are written to disk.
    pub save_every: Duration,
}

/// Makes all tables up to a number of men in a directory, without saving what is unfinished, and opens them.
///
/// # Errors
/// A file cannot be written, or earlier work does not fit.
pub fn tables(capture: Capture, men: u32, directory: &Path) -> Result<EndgameTablebase, MakeError> {
    let (directory, save_every) = (directory.to_owned(), Duration::MAX);
    let wanted = Wanted { capture, men, directory, save_every };
    make(&wanted, &mut |_| {})?;
    let mut tables = EndgameTablebase::new(capture);
    match tables.open(&wanted.directory).into_iter().next() {
        Some((name, error)) => Err(MakeError::File { path: wanted.directory.join(name), error }),
        None => Ok(tables),
    }
}

/// Makes all tables up to a number of men. Finished ones keep their codes.
///
/// # Errors
/// A file cannot be written, or earlier work does not fit.
pub fn make(wanted: &Wanted, tell: &mut dyn FnMut(Event<'_>)) -> Result<(), MakeError> {
    let work = Work::new(&wanted.directory, wanted.capture)?;
    let rules = Alquerque { capture: wanted.capture, ..Alquerque::default() };
    let mut outcomes = Outcomes::new();
    for more in Slice::all(wanted.men).filter(|slice| slice.own >= slice.enemy) {
        if is_finished(wanted, &work, more) {
            for slice in pair_of(more) {
                check(wanted, slice)?;
                tell(Event::Ready(slice));
            }
        } else {
            for slice in Outcomes::needed(more) {
                outcomes.load(slice, || work.load(slice))?;
            }
            let pair = solve(wanted, &work, &rules, more, &outcomes, tell)?;
            finish(wanted, &work, &rules, &pair, &outcomes, tell)?;
            work.forget_cells()?;
        }
    }
    Ok(())
}

/// Whether both slices of a pair are finished.
fn is_finished(wanted: &Wanted, work: &Work, more: Slice) -> bool {
    pair_of(more).all(|slice| {
        wanted.directory.join(file_name(wanted.capture, slice)).is_file() && work.has(slice)
    })
}

/// Makes sure that a finished file can be used.
fn check(wanted: &Wanted, slice: Slice) -> Result<(), MakeError> {
    let path = wanted.directory.join(file_name(wanted.capture, slice));
    let bytes = map(&path).map_err(|error| FileError::Io(error.to_string()));
    let opened = bytes.and_then(|bytes| File::open(bytes, wanted.capture, slice));
    opened.map(drop).map_err(|error| MakeError::File { path, error })
}

/// A slice, and the slice with the other side to move if it is another one.
fn pair_of(more: Slice) -> impl Iterator<Item = Slice> {
    [more, more.flipped()].into_iter().take(if more.own == more.enemy { 1 } else { 2 })
}

/// Solves a pair, from where earlier work has left it.
fn solve(
    wanted: &Wanted,
    work: &Work,
    rules: &Alquerque,
    more: Slice,
    outcomes: &Outcomes,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<Pair, MakeError> {
    let (pair, earlier) = work
        .load_cells(more)?
        .map_or_else(|| (Pair::new(more), None), |(pair, progress)| (pair, Some(progress)));
    tell(Event::Begun { more, resumed: earlier.map(|progress| progress.level) });
    let mut saved = Instant::now();
    for (round, goal) in (0..).zip(pair.goals().iter().copied()) {
        let first = match earlier {
            Some(progress) if progress.round > round => continue,
            Some(progress) if progress.round == round => progress.level,
            _ => {
                pair.begin(rules, goal, outcomes);
                0
            }
        };
        let mut level = first;
        while pair.pass_on(rules, goal, level) {
            tell(Event::Level(level));
            level += 1;
            if level >= Code::MOST_PLIES {
                return Err(MakeError::TooLong { slice: more });
            }
            if saved.elapsed() >= wanted.save_every {
                work.save_cells(&pair, Checkpoint { round, level })?;
                saved = Instant::now();
            }
        }
        pair.end();
    }
    Ok(pair)
}

/// Writes the files of a pair, and keeps its outcomes.
fn finish(
    wanted: &Wanted,
    work: &Work,
    rules: &Alquerque,
    pair: &Pair,
    outcomes: &Outcomes,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<(), MakeError> {
    for (slice, cells) in pair.slices() {
        work.save(slice, &outcomes::packed(slice, cells))?;
        let (codes, counts) = counts::count(rules, slice, cells, outcomes);
        let file = pack(wanted.capture, slice, &codes, BLOCK);
        write(&wanted.directory.join(file_name(wanted.capture, slice)), &[&file])?;
        let (bytes, checksum) = (file.len() as u64, crc32fast::hash(&file));
        tell(Event::Finished(&Counts { bytes, checksum, ..counts }));
    }
    Ok(())
}

/// Replaces a file as a whole. The parts of its bytes may be large, so that nothing joins them.
fn write(path: &Path, parts: &[&[u8]]) -> Result<(), MakeError> {
    replace(path, |file| parts.iter().try_for_each(|part| file.write_all(part)))
        .map_err(|error| MakeError::Io { path: path.to_owned(), error })
}

/// The bytes of the built-in tables, from tables that are open: one file after another, each packed as small as can be.
///
/// # Errors
/// A table with at most [`BUILT_IN`](crate::BUILT_IN) men is damaged.
pub fn built_in(tables: &EndgameTablebase) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let files = Slice::all(crate::BUILT_IN)
        .filter_map(|slice| tables.file(slice).map(|file| (slice, file)));
    for (slice, file) in files {
        let codes = file.whole()?;
        bytes.extend(pack(tables.capture(), slice, codes, codes.len()));
    }
    Ok(bytes)
}
