//! A set of tables, and what it knows about a position.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use leap_games::alquerque::{Alquerque, Capture};

use crate::bytes::Bytes;
use crate::file::{File, FileError, file_name};
use crate::moves::captures;
use crate::value::{Class, Code, by_count};
use crate::{Exact, MOST, Men, Outcome, Slice, number};

/// The tables of one capture rule.
#[derive(Debug)]
pub struct Tables {
    game: Alquerque,
    files: BTreeMap<Slice, File>,
}

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
    pub(crate) fn new(capture: Capture, slice: Slice, best: Option<Outcome>) -> Self {
        let count = by_count(slice);
        let Some(best) = best else { return Self::Unknown };
        let plies = (best != count).then_some(1);
        match best {
            _ if capture == Capture::Mandatory => Self::Known(Exact { outcome: best, plies }),
            Outcome::Win if count < best => Self::Known(Exact { outcome: best, plies }),
            Outcome::Draw if count < best => Self::AtLeastDraw,
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
                    _ => Exact { outcome: Outcome::Draw, plies: Some(1) },
                }
            }
        })
    }
}

impl Tables {
    /// No tables yet.
    #[must_use]
    pub fn new(capture: Capture) -> Self {
        Self { game: Alquerque { capture, ..Alquerque::default() }, files: BTreeMap::new() }
    }

    /// The tables of the program.
    #[must_use]
    pub fn built_in(capture: Capture) -> Self {
        Self::new(capture)
    }

    /// Opens the tables in a directory, beside those that are open. Files that cannot be used are returned by name.
    pub fn open(&mut self, directory: &Path) -> Vec<(String, FileError)> {
        let mut refused = Vec::new();
        for slice in Slice::all(2 * MOST) {
            let name = file_name(self.game.capture, slice);
            let path = directory.join(&name);
            if self.files.contains_key(&slice) || !path.is_file() {
                continue;
            }
            let bytes = Bytes::map(&path).map_err(|error| FileError::Io(error.to_string()));
            match bytes.and_then(|bytes| File::open(bytes, self.game.capture, slice)) {
                Ok(file) => {
                    self.files.insert(slice, file);
                }
                Err(error) => refused.push((name, error)),
            }
        }
        refused
    }

    /// Adds a file whose bytes are in the program.
    ///
    /// # Errors
    /// The bytes are no table of this slice.
    pub fn add(&mut self, slice: Slice, bytes: &'static [u8]) -> Result<(), FileError> {
        self.files.insert(slice, File::open(Bytes::Static(bytes), self.game.capture, slice)?);
        Ok(())
    }

    /// Unpacks the tables with at most so many men into memory, one byte a position.
    ///
    /// # Errors
    /// The first table that is damaged, by its name.
    pub fn unpack(&mut self, men: u32) -> Result<(), (String, FileError)> {
        let capture = self.capture();
        let mut wanted = self.files.iter_mut().filter(|(slice, _)| slice.men() <= men);
        wanted.try_for_each(|(slice, file)| {
            file.unpack().map_err(|error| (file_name(capture, *slice), error))
        })
    }

    /// The capture rule.
    #[must_use]
    pub const fn capture(&self) -> Capture {
        self.game.capture
    }

    /// The most men for which every table is there; 0 if there are none.
    #[must_use]
    pub fn men(&self) -> u32 {
        let is_whole = |men: &u32| {
            Slice::all(*men)
                .filter(|slice| slice.men() == *men)
                .all(|slice| self.files.contains_key(&slice))
        };
        (2..=2 * MOST).take_while(is_whole).last().unwrap_or(0)
    }

    /// The slices whose tables are open.
    pub fn slices(&self) -> impl Iterator<Item = Slice> + '_ {
        self.files.keys().copied()
    }

    /// The exact value of a position, or `None` where a table is missing or damaged. A damaged table is logged.
    ///
    /// Endless play is decided by the count of men (SPEC 11.14). The value holds for a position that has not occurred
    /// before, with `quiet` at 0 and without `MaxPlies`.
    #[must_use]
    pub fn probe(&self, men: Men) -> Option<Exact> {
        if men.own == 0 {
            return Some(Exact { outcome: Outcome::Loss, plies: Some(0) });
        }
        if men.enemy == 0 {
            return Some(Exact { outcome: Outcome::Win, plies: None });
        }
        let slice = men.slice();
        let file = self.files.get(&slice)?;
        let mut best = None;
        let mut is_known = true;
        let _ = captures(&self.game, men, |child| {
            let Some(exact) = self.probe(child) else {
                is_known = false;
                return ControlFlow::Break(());
            };
            best = best.max(Some(exact.outcome.flipped()));
            if best == Some(Outcome::Win) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if !is_known {
            return None;
        }
        let exact =
            ByCaptures::new(self.capture(), slice, best).exact(slice, || file.code(number(men)));
        match exact {
            Ok(exact) => Some(exact),
            Err(error) => {
                log::warn!("{} {error}", file_name(self.capture(), slice));
                None
            }
        }
    }
}
