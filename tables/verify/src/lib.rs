//! Checks tables against the definition of their values.
//!
//! The generator of moves is written from the rules alone ([`rules`]). No value is computed here: each one is compared
//! with the values of the positions after its moves.
//!
//! Endless play is decided by the count of men (SPEC 11.13, 11.14). A table is right if for every position
//!
//! - a value by the count can be kept by a move, and no move gives the side to move more;
//! - a better value is the best that a move gives, in the fewest plies;
//! - a worse value is the best that a move gives, in the most plies.
//!
//! Each step from a value with plies goes down to a capture or to the end. The other values are kept by endless play.

pub mod rules;
mod values;

use std::cmp::Ordering;

use leap_games::alquerque::CaptureRule;
use leap_tables::{Exact, Men, Slice, Wdl};
use rand_chacha::rand_core::Rng;

pub use values::Values;

/// A position whose value is wrong, or has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The position.
    pub men: Men,
    /// What the tables say.
    pub found: Option<Exact>,
    /// What follows from the moves. `None` if the value of a position after a move is missing.
    pub expected: Option<Exact>,
}

/// Compares the value of a position with the values after its moves.
///
/// # Errors
/// The value does not follow from them, or a value is missing.
pub fn check(values: &Values, men: Men) -> Result<(), Box<Mismatch>> {
    let found = values.of(men);
    let expected = by_moves(values, men);
    if found.is_some() && found == expected {
        return Ok(());
    }
    Err(Box::new(Mismatch { men, found, expected }))
}

/// The value of a position that follows from the values after its moves.
fn by_moves(values: &Values, men: Men) -> Option<Exact> {
    let count = by_count(men);
    let mut best = Wdl::Loss;
    let (mut fewest, mut most) = (u32::MAX, 0);
    for after in rules::moves(men, values.capture() == CaptureRule::Mandatory) {
        let exact = values.of(after.men)?;
        let outcome = exact.outcome.flipped();
        // A capture ends the distance, and so does nothing else but the end of the game.
        let plies = if after.is_capture { Some(1) } else { exact.plies.map(|plies| plies + 1) };
        if outcome > best {
            (best, fewest) = (outcome, u32::MAX);
        }
        if outcome == best {
            fewest = fewest.min(plies.unwrap_or(u32::MAX));
        }
        most = most.max(plies.unwrap_or(0));
    }
    let plies = match best.cmp(&count) {
        Ordering::Greater => Some(fewest),
        Ordering::Equal => None,
        Ordering::Less => Some(most),
    };
    Some(Exact { outcome: best, plies })
}

/// Who wins endless play, for the side to move.
fn by_count(men: Men) -> Wdl {
    match men.own.count_ones().cmp(&men.enemy.count_ones()) {
        Ordering::Less => Wdl::Loss,
        Ordering::Equal => Wdl::Draw,
        Ordering::Greater => Wdl::Win,
    }
}

/// The sets of own men of a slice that are the least of their images, and no others.
pub fn own_sets(slice: Slice) -> impl Iterator<Item = u32> {
    subsets(slice.own, (1 << rules::POINTS) - 1).into_iter().filter(|own| {
        let men = Men { own: *own, enemy: 0 };
        (0..8).all(|way| rules::image(men, way).own >= *own)
    })
}

/// The subsets of a set that have this size.
pub fn subsets(size: u32, of: u32) -> Vec<u32> {
    if size == 0 {
        return vec![0];
    }
    let points = (0..rules::POINTS).filter(|point| of >> point & 1 == 1);
    // The highest point of a subset, and all ways to choose the others below it.
    let with = |top: usize| {
        let top = 1 << top;
        subsets(size - 1, of & (top - 1)).into_iter().map(move |rest| rest | top)
    };
    points.flat_map(with).collect()
}

/// A random position of a slice.
pub fn random_men(slice: Slice, random: &mut impl Rng) -> Men {
    let mut pick = |count: u32, taken: u32| {
        let mut set = 0u32;
        while set.count_ones() < count {
            set |= 1 << (random.next_u32() as usize % rules::POINTS) & !taken;
        }
        set
    };
    let own = pick(slice.own, 0);
    Men { own, enemy: pick(slice.enemy, own) }
}
