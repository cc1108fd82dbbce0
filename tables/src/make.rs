//! Makes tables: retrograde analysis, one pair of slices after another.
//!
//! The directory of the tables has a folder `work` beside the finished files. This folder has the outcomes of finished
//! slices, two bits each, and the cells of the pair in progress. A maker that was killed goes on from there.

mod counts;
mod outcomes;
mod pair;
mod work;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use leap_games::alquerque::{Alquerque, CaptureRule};
use thiserror::Error;

pub use counts::Counts;
use outcomes::Outcomes;
use pair::{Checkpoint, Pair};
use work::Work;

use crate::bytes::map;
use crate::file::{BLOCK, File, FileError, file_name, pack};
use crate::files::{IoError, replace};
use crate::value::Code;
use crate::{EndgameTablebase, Slice};

/// Why tables cannot be made.
#[derive(Debug, Error)]
pub enum MakeError {
    /// A file cannot be written or read.
    #[error(transparent)]
    Io(#[from] IoError),
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

/// Makes the tables of a rule in a directory.
#[derive(Clone, Debug)]
pub struct Maker {
    /// The rule.
    pub capture: CaptureRule,
    /// The most men on the board.
    pub men: u32,
    /// Where the files go.
    pub directory: PathBuf,
    /// How often the cells of a large pair are written to disk.
    pub save_every: Duration,
}

impl Maker {
    /// Makes all tables up to a number of men. Finished ones keep their codes.
    ///
    /// # Errors
    /// A file cannot be written, or earlier work does not fit.
    pub fn make(&self, tell: &mut dyn FnMut(Event<'_>)) -> Result<(), MakeError> {
        let work = Work::new(&self.directory, self.capture)?;
        let rules = Alquerque { capture: self.capture, ..Alquerque::default() };
        let mut run = Run { maker: self, work, rules, outcomes: Outcomes::default(), tell };
        let mut pairs = Slice::all(self.men).filter(|slice| slice.own >= slice.enemy);
        pairs.try_for_each(|more| run.make_pair(more))
    }

    /// The path of a slice's file.
    fn path(&self, slice: Slice) -> PathBuf {
        self.directory.join(file_name(self.capture, slice))
    }

    /// Makes sure that a finished file can be used.
    fn check(&self, slice: Slice) -> Result<(), MakeError> {
        let path = self.path(slice);
        let bytes = map(&path).map_err(|error| FileError::Io(error.to_string()));
        let opened = bytes.and_then(|bytes| File::open(bytes, self.capture, slice));
        opened.map(drop).map_err(|error| MakeError::File { path, error })
    }
}

/// Makes all tables up to a number of men in a directory, without saving what is unfinished, and opens them.
///
/// # Errors
/// A file cannot be written, or earlier work does not fit.
pub fn tables(
    capture: CaptureRule,
    men: u32,
    directory: &Path,
) -> Result<EndgameTablebase, MakeError> {
    let save_every = Duration::MAX;
    Maker { capture, men, directory: directory.to_owned(), save_every }.make(&mut |_| {})?;
    let mut tables = EndgameTablebase::new(capture);
    match tables.open(directory).into_iter().next() {
        Some((name, error)) => Err(MakeError::File { path: directory.join(name), error }),
        None => Ok(tables),
    }
}

/// A slice, and the slice with the other side to move if it is another one.
fn pair_of(more: Slice) -> impl Iterator<Item = Slice> {
    [more, more.flipped()].into_iter().take(if more.own == more.enemy { 1 } else { 2 })
}

/// A maker at work.
struct Run<'a> {
    maker: &'a Maker,
    work: Work,
    rules: Alquerque,
    outcomes: Outcomes,
    tell: &'a mut dyn FnMut(Event<'_>),
}

impl Run<'_> {
    fn make_pair(&mut self, more: Slice) -> Result<(), MakeError> {
        let has = |slice| self.maker.path(slice).is_file() && self.work.has(slice);
        if pair_of(more).all(has) {
            return pair_of(more).try_for_each(|slice| {
                self.maker.check(slice)?;
                (self.tell)(Event::Ready(slice));
                Ok(())
            });
        }
        for slice in Outcomes::needed(more) {
            self.outcomes.load(slice, || self.work.load(slice))?;
        }
        let pair = self.solve(more)?;
        self.finish(&pair)?;
        self.work.forget_cells()
    }

    /// Solves a pair, from where earlier work has left it.
    fn solve(&mut self, more: Slice) -> Result<Pair, MakeError> {
        let (pair, earlier) = match self.work.load_cells(more)? {
            Some((pair, checkpoint)) => (pair, Some(checkpoint)),
            None => (Pair::new(more), None),
        };
        (self.tell)(Event::Begun { more, resumed: earlier.map(|checkpoint| checkpoint.level) });
        let mut saved = Instant::now();
        for (round, goal) in (0..).zip(pair.goals().iter().copied()) {
            let mut level = match earlier {
                Some(checkpoint) if checkpoint.round > round => continue,
                Some(checkpoint) if checkpoint.round == round => checkpoint.level,
                _ => {
                    pair.begin(&self.rules, goal, &self.outcomes);
                    0
                }
            };
            while pair.pass_on(&self.rules, goal, level) {
                (self.tell)(Event::Level(level));
                level += 1;
                if level >= Code::MOST_PLIES {
                    return Err(MakeError::TooLong { slice: more });
                }
                if saved.elapsed() >= self.maker.save_every {
                    self.work.save_cells(&pair, Checkpoint { round, level })?;
                    saved = Instant::now();
                }
            }
            pair.end();
        }
        Ok(pair)
    }

    /// Writes the files of a pair, and keeps its outcomes.
    fn finish(&mut self, pair: &Pair) -> Result<(), MakeError> {
        for (slice, cells) in pair.slices() {
            self.work.save(slice, &outcomes::packed(slice, cells))?;
            let (codes, counts) = counts::count(&self.rules, slice, cells, &self.outcomes);
            let file = pack(self.maker.capture, slice, &codes, BLOCK);
            write(&self.maker.path(slice), &[&file])?;
            let (bytes, checksum) = (file.len() as u64, crc32fast::hash(&file));
            (self.tell)(Event::Finished(&Counts { bytes, checksum, ..counts }));
        }
        Ok(())
    }
}

/// Replaces a file as a whole. The parts of its bytes may be large, so that nothing joins them.
fn write(path: &Path, parts: &[&[u8]]) -> Result<(), IoError> {
    replace(path, |file| parts.iter().try_for_each(|part| file.write_all(part)))
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
