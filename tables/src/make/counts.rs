//! The codes of a file, and how many positions have each value.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use leap_games::alquerque::Alquerque;
use rayon::prelude::*;

use super::outcomes::Outcomes;
use crate::tables::ByCaptures;
use crate::value::{Class, Code};
use crate::{Men, Slice, number};

/// The codes that are counted, and chosen, together. The files depend on it.
const CHUNK: usize = 1 << 14;

/// How many positions of a slice have each value. Symmetric positions count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The slice.
    pub slice: Slice,
    /// Losses, draws and wins of the side to move.
    pub outcomes: [u64; 3],
    /// The most plies to a capture or the end, for losses, draws and wins that are forced. 0 where none is.
    pub longest: [u32; 3],
    /// The bytes of the file.
    pub bytes: u64,
    /// The CRC-32 of the file.
    pub checksum: u32,
}

impl Counts {
    fn new(slice: Slice) -> Self {
        Self { slice, outcomes: [0; 3], longest: [0; 3], bytes: 0, checksum: 0 }
    }

    fn add(&mut self, code: Code) {
        let exact = code.exact(self.slice);
        let outcome = exact.outcome as usize;
        self.outcomes[outcome] += 1;
        self.longest[outcome] = self.longest[outcome].max(exact.plies.unwrap_or(0));
    }

    fn joined(mut self, other: Self) -> Self {
        for outcome in 0..3 {
            self.outcomes[outcome] += other.outcomes[outcome];
            self.longest[outcome] = self.longest[outcome].max(other.longest[outcome]);
        }
        self
    }
}

/// Counts the values of a slice, and gives the codes for its file.
///
/// Where captures alone tell the value, the code repeats the one before, which packs better.
pub(super) fn count(
    rules: &Alquerque,
    slice: Slice,
    cells: &[AtomicU8],
    outcomes: &Outcomes,
) -> (Vec<u8>, Counts) {
    let chunks: Vec<_> = cells
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, cells)| {
            let mut counts = Counts::new(slice);
            let mut last = Code::BY_COUNT;
            let first = (chunk * CHUNK) as u64;
            let codes = (first..).zip(cells).map(|(at, cell)| {
                let code = Code(cell.load(Relaxed));
                let men = slice.men_at(at);
                if number(men) == at {
                    counts.add(code);
                    last = stored(rules, men, code, last, outcomes);
                }
                last.0
            });
            (codes.collect::<Vec<u8>>(), counts)
        })
        .collect();
    let counts = chunks.iter().fold(Counts::new(slice), |all, (_, counts)| all.joined(*counts));
    (chunks.into_iter().flat_map(|(codes, _)| codes).collect(), counts)
}

/// The code that a file holds for a position.
fn stored(rules: &Alquerque, men: Men, code: Code, last: Code, outcomes: &Outcomes) -> Code {
    let best = outcomes.best_capture(rules, men);
    let is_win = |code: Code| matches!(code.parts(), Some((Class::First, _)));
    match ByCaptures::new(rules.capture, men.slice(), best) {
        ByCaptures::Known(_) => last,
        ByCaptures::AtLeastDraw if !is_win(code) && !is_win(last) => last,
        ByCaptures::AtLeastDraw if !is_win(code) => Code::BY_COUNT,
        _ => code,
    }
}
