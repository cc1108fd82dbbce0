//! Zobrist keys: one random word for each feature of a position, combined by exclusive or.
//!
//! A. Zobrist, "A new hashing method with application for game playing", 1970.

use super::Side;

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

/// The generator SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// The generator belongs to the rules: it defines Froglet's start position (SPEC 14).
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator whose state before the first draw is `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub const fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
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
