//! A set of tables, and what it knows about a position.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use leap_games::alquerque::{Alquerque, CaptureRule};

use crate::bytes::map;
use crate::file::{File, FileError, file_name};
use crate::value::{Class, Code};
use crate::{Exact, MOST, Men, Slice, Wdl, number};

/// The tables of one capture rule.
///
/// A copy shares the files and what is unpacked of them.
#[derive(Clone, Debug)]
pub struct EndgameTablebase {
    rules: Alquerque,
    /// The file of each slice.
    files: Vec<Option<Arc<File>>>,
}

/// The places for files: both numbers of men are 0 to 12.
const PLACES: usize = (MOST as usize + 1) * (MOST as usize + 1);

/// The place of a slice's file. Slices with too many men have none.
fn place(Slice { own, enemy }: Slice) -> Option<usize> {
    (own <= MOST && enemy <= MOST).then_some((own * (MOST + 1) + enemy) as usize)
}

/// A table is missing or damaged.
struct Missing;

/// What a position's captures alone say about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByCaptures {
    /// The value. The code of the position says nothing.
    Known(Exact),
    /// At least a draw. Only a code of a win says more.
    AtLeastDraw,
    /// Nothing: the code has the value.
    Unknown,
}

impl ByCaptures {
    /// What the best capture says, seen by the side to move. `None`: nothing can be captured.
    pub(crate) fn new(capture: CaptureRule, slice: Slice, best: Option<Wdl>) -> Self {
        let count = slice.by_count();
        let Some(best) = best else { return Self::Unknown };
        let plies = (best != count).then_some(1);
        match best {
            _ if capture == CaptureRule::Mandatory => Self::Known(Exact { outcome: best, plies }),
            Wdl::Win if count < best => Self::Known(Exact { outcome: best, plies }),
            Wdl::Draw if count < best => Self::AtLeastDraw,
            _ => Self::Unknown,
        }
    }

    /// The value, with the code where it is needed.
    fn exact<E>(self, slice: Slice, code: impl FnOnce() -> Result<u8, E>) -> Result<Exact, E> {
        Ok(match self {
            Self::Known(exact) => exact,
            Self::Unknown => Code(code()?).exact(slice),
            Self::AtLeastDraw => {
                let code = Code(code()?);
                match code.parts() {
                    Some((Class::First, _)) => code.exact(slice),
                    _ => Exact { outcome: Wdl::Draw, plies: Some(1) },
                }
            }
        })
    }
}

impl EndgameTablebase {
    /// No tables yet.
    #[must_use]
    pub fn new(capture: CaptureRule) -> Self {
        let rules = Alquerque { capture, ..Alquerque::default() };
        Self { rules, files: vec![None; PLACES] }
    }

    /// Opens the tables in a directory, beside those that are open. Files that cannot be used are returned by name.
    ///
    /// Slices that are open already stay as they are: the built-in tables are faster than those in a directory.
    pub fn open(&mut self, directory: &Path) -> Vec<(String, FileError)> {
        let mut refused = Vec::new();
        for slice in Slice::all(2 * MOST) {
            let name = file_name(self.rules.capture, slice);
            let path = directory.join(&name);
            if self.file(slice).is_some() || !path.is_file() {
                continue;
            }
            let bytes = map(&path).map_err(|error| FileError::Io(error.to_string()));
            match bytes.and_then(|bytes| File::open(bytes, self.rules.capture, slice)) {
                Ok(file) => self.add(slice, file),
                Err(error) => refused.push((name, error)),
            }
        }
        refused
    }

    pub(crate) fn add(&mut self, slice: Slice, file: File) {
        if let Some(place) = place(slice) {
            self.files[place] = Some(Arc::new(file));
        }
    }

    /// The file of a slice, unless it is missing or damaged.
    #[inline]
    pub(crate) fn file(&self, slice: Slice) -> Option<&File> {
        self.files[place(slice)?].as_deref().filter(|file| !file.is_left_out())
    }

    /// Unpacks the tables with at most so many men into memory, one byte a position.
    ///
    /// # Errors
    /// The first table that is damaged, by its name.
    pub fn unpack(&self, men: u32) -> Result<(), (String, FileError)> {
        let capture = self.capture();
        let mut wanted = self.slices().filter(|slice| slice.men() <= men);
        wanted.try_for_each(|slice| match self.file(slice).map(File::whole) {
            Some(Err(error)) => Err((file_name(capture, slice), error)),
            _ => Ok(()),
        })
    }

    /// The capture rule.
    #[must_use]
    pub const fn capture(&self) -> CaptureRule {
        self.rules.capture
    }

    /// The most men for which every table is there; 0 if there are none.
    #[must_use]
    pub fn men(&self) -> u32 {
        let is_whole = |men: &u32| {
            Slice::all(*men)
                .filter(|slice| slice.men() == *men)
                .all(|slice| self.file(slice).is_some())
        };
        (2..=2 * MOST).take_while(is_whole).last().unwrap_or(0)
    }

    /// The slices whose tables are open, those with fewer men first.
    pub fn slices(&self) -> impl Iterator<Item = Slice> + '_ {
        Slice::all(2 * MOST).filter(|slice| self.file(*slice).is_some())
    }

    /// The exact value of a position. `None` where a table is missing or damaged, or the men are impossible.
    ///
    /// A damaged table is logged and left out from then on.
    ///
    /// Endless play is decided by the count of men (SPEC 11.14). The value holds for a position that has not occurred
    /// before, with `quiet` at 0 and without `MaxPlies`.
    #[must_use]
    pub fn probe(&self, men: Men) -> Option<Exact> {
        if !men.are_apart() {
            return None;
        }
        if men.own == 0 {
            return Some(Exact { outcome: Wdl::Loss, plies: Some(0) });
        }
        if men.enemy == 0 {
            return Some(Exact { outcome: Wdl::Win, plies: None });
        }
        // An optional capture that gives no more than the count tells nothing.
        let low = match self.capture() {
            CaptureRule::Optional => men.slice().by_count(),
            CaptureRule::Mandatory => Wdl::Loss,
        };
        self.exact(men, self.best_capture(men, low, Wdl::Win).ok()?).ok()
    }

    /// The best outcome that a capture gives, as far as it lies between `low` and `high`. `None`: captures are none, or
    /// tell nothing.
    fn best_capture(&self, men: Men, low: Wdl, high: Wdl) -> Result<Option<Wdl>, Missing> {
        let is_optional = self.capture() == CaptureRule::Optional;
        if is_optional && men.slice().by_count() == Wdl::Win {
            return Ok(None);
        }
        let (mut best, mut result) = (None, Ok(()));
        let _ = men.visit_captures(&self.rules, |child| {
            match self.after_capture(child, best.unwrap_or(low), high) {
                Ok(outcome) => best = Some(outcome),
                Err(missing) => result = Err(missing),
            }
            if best == Some(high) || result.is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        result.map(|()| best)
    }

    /// The outcome of a capture for the side that makes it, as far as it lies between `low` and `high`.
    fn after_capture(&self, child: Men, low: Wdl, high: Wdl) -> Result<Wdl, Missing> {
        let mut outcome = low;
        while outcome < high && !self.exceeds(child, above(outcome).flipped())? {
            outcome = above(outcome);
        }
        Ok(outcome)
    }

    /// Whether the outcome of a position is better than `low`, which is no win. Seldom reads as much as its value.
    fn exceeds(&self, men: Men, low: Wdl) -> Result<bool, Missing> {
        if men.own == 0 {
            return Ok(false);
        }
        let best = self.best_capture(men, low, above(low))?;
        Ok(best > Some(low) || self.exact(men, best)?.outcome > low)
    }

    /// The value of a position whose best capture gives so much.
    fn exact(&self, men: Men, best: Option<Wdl>) -> Result<Exact, Missing> {
        let slice = men.slice();
        let file = self.file(slice).ok_or(Missing)?;
        let code = || {
            file.code(number(men)).map_err(|error| {
                if !file.leave_out() {
                    log::warn!("{} {error}; it is left out", file_name(self.capture(), slice));
                }
                Missing
            })
        };
        ByCaptures::new(self.capture(), slice, best).exact(slice, code)
    }
}

/// The outcome next above one that is no win.
const fn above(outcome: Wdl) -> Wdl {
    match outcome {
        Wdl::Loss => Wdl::Draw,
        Wdl::Draw | Wdl::Win => Wdl::Win,
    }
}
