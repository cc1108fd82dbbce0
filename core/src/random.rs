//! Random numbers that are the same everywhere.

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

    /// A number below `bound`, uniform up to a bias of `bound` / 2⁶⁴. 0 if `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.draw() as u128 * bound as u128) >> 64) as usize
    }

    /// A random element. `None` if there is none.
    ///
    /// ```
    /// use leap_core::SplitMix64;
    ///
    /// let mut random = SplitMix64::new(7);
    /// assert!([1, 2, 3].contains(&random.choose(&[1, 2, 3]).unwrap()));
    /// assert_eq!(random.choose::<u8>(&[]), None);
    /// ```
    pub fn choose<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}
