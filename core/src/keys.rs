//! Zobrist keys: one random word for each feature of a position, combined by exclusive or.
//!
//! A. Zobrist, "A new hashing method with application for game playing", 1970.

use super::{Side, SplitMix64};

/// A position's 64-bit key.
pub type Key = u64;

/// The key of the side to move: 0 for player 1.
#[inline]
#[must_use]
pub const fn side(side: Side) -> Key {
    const TWO: Key = SplitMix64::new(0x51de).draw();
    match side {
        Side::One => 0,
        Side::Two => TWO,
    }
}

/// `N` keys, one for each square or counter value. Different seeds give unrelated tables.
#[must_use]
pub const fn table<const N: usize>(seed: u64) -> [Key; N] {
    let mut keys = [0; N];
    let mut random = SplitMix64::new(seed);
    let mut i = 0;
    while i < N {
        keys[i] = random.draw();
        i += 1;
    }
    keys
}
