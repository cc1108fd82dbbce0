//! Random numbers for tests.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A random number below a bound.
pub fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}
