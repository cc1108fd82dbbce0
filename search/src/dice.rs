//! Random numbers, the same on every run and platform, for sparring players and weak searches.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use leap_core::Position;

/// The source of chance for one move.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice for a position. Equal positions at different plies have different dice.
    pub(crate) fn new(seed: u64, position: &impl Position) -> Self {
        let words = [seed, position.key(), position.counters().ply.into(), 0];
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// A number below `count`, uniform up to a bias of `count` / 2⁶⁴.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }

    /// A random element.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }

    /// Shuffles the elements (R. Durstenfeld, "Algorithm 235", 1964).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
