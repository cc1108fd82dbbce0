//! Playing below full strength, the same way each time.
//!
//! At strength s below 100 the search looks at most 1 + s / 8 plies ahead and keeps several of the best lines. To the
//! score of each a number is added that is drawn from the position's key and lies within ±(100 - s)² / 25 centipawns
//! (400 at 0, 100 at 50, 4 at 90), and the highest sum is played. So a win or loss that is seen always outweighs the
//! noise, and the same position gives the same move.

use super::score::Score;
use crate::rules::Key;
use crate::rules::keys::SplitMix64;

/// Full strength.
pub const FULL: u32 = 100;

/// How a search below full strength is limited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    /// Plies to look ahead.
    pub(super) depth: u32,
    /// Lines to choose from.
    pub(super) lines: usize,
    /// The largest number added to a score, in centipawns.
    noise: i32,
}

impl Handicap {
    /// The handicap of a strength from 0 to 100; none at 100.
    pub(super) fn new(strength: u32) -> Option<Self> {
        let missing = FULL.checked_sub(strength).filter(|missing| *missing > 0)?;
        let noise = (missing * missing / 25) as i32;
        Some(Self { depth: 1 + strength / 8, lines: 4 + missing as usize / 5, noise })
    }

    /// The index of the line to play, of lines with these scores.
    pub(super) fn choose(&self, scores: impl Iterator<Item = Score>, key: Key) -> usize {
        let mut random = SplitMix64::new(key);
        let noisy = |score: Score| {
            let noise = random.draw() % (2 * self.noise as u64 + 1);
            score.raw() + noise as i32 - self.noise
        };
        let sums: Vec<i32> = scores.map(noisy).collect();
        let highest = sums.iter().max();
        sums.iter().position(|sum| Some(sum) == highest).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_strength_has_no_handicap() {
        assert!(Handicap::new(FULL).is_none());
        let noise = |strength| Handicap::new(strength).unwrap().noise;
        assert_eq!([0, 50, 90, 99].map(noise), [400, 100, 4, 0]);
    }
}
