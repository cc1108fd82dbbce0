//! The values that tables tell, in memory.

use leap_games::alquerque::CaptureRule;
use leap_tables::{EndgameTablebase, Exact, MOST, Men, Slice, Wdl, number};
use rayon::prelude::*;

use crate::by_count;

/// The numbers of men that a side may have, 0 among them.
const SIZES: usize = MOST as usize + 1;

/// What tables tell of each position of some slices.
///
/// A probe looks at the positions after captures. The checks look at each value many times, so it is probed once.
#[derive(Debug)]
pub struct Values {
    capture: CaptureRule,
    /// A byte for each number of a slice, by own and enemy men. Empty: nothing is known.
    slices: Vec<Vec<u8>>,
}

/// A value by the count of men.
const BY_COUNT: u8 = 0;
/// The first byte of each outcome with plies, and the most plies that its bytes hold.
const WIN: (u8, u32) = (1, 95);
const LOSS: (u8, u32) = (WIN.0 + 96, 95);
const DRAW: (u8, u32) = (LOSS.0 + 96, 61);
/// A value that the tables do not tell, or that no byte stands for.
const UNKNOWN: u8 = 255;

impl Values {
    /// No values yet.
    #[must_use]
    pub fn new(capture: CaptureRule) -> Self {
        Self { capture, slices: vec![Vec::new(); SIZES * SIZES] }
    }

    /// The capture rule.
    #[must_use]
    pub const fn capture(&self) -> CaptureRule {
        self.capture
    }

    /// Takes all values of a slice from tables.
    pub fn add(&mut self, tables: &EndgameTablebase, slice: Slice) {
        let byte = |at| {
            let men = slice.men_at(at);
            tables.probe(men).map_or(UNKNOWN, |exact| byte(exact, by_count(men)))
        };
        self.slices[place(slice)] = (0..slice.size()).into_par_iter().map(byte).collect();
    }

    /// The value of a position. `None` if it is not known.
    #[must_use]
    pub fn of(&self, men: Men) -> Option<Exact> {
        if men.own == 0 {
            return Some(Exact { outcome: Wdl::Loss, plies: Some(0) });
        }
        let byte = *self.slices[place(men.slice())].get(number(men) as usize)?;
        let held = |outcome, first: u8| Exact { outcome, plies: Some(u32::from(byte - first)) };
        Some(match byte {
            BY_COUNT => Exact { outcome: by_count(men), plies: None },
            UNKNOWN => return None,
            _ if byte >= DRAW.0 => held(Wdl::Draw, DRAW.0),
            _ if byte >= LOSS.0 => held(Wdl::Loss, LOSS.0),
            _ => held(Wdl::Win, WIN.0),
        })
    }
}

fn place(slice: Slice) -> usize {
    slice.own as usize * SIZES + slice.enemy as usize
}

/// A value as a byte.
fn byte(Exact { outcome, plies }: Exact, count: Wdl) -> u8 {
    let (first, most) = match outcome {
        Wdl::Win => WIN,
        Wdl::Loss => LOSS,
        Wdl::Draw => DRAW,
    };
    match plies {
        None if outcome == count => BY_COUNT,
        Some(plies) if plies <= most => first + plies as u8,
        _ => UNKNOWN,
    }
}
