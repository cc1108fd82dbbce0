//! Vectors of numbers, added lane by lane. Evaluations spend most of their time on these sums.

/// The number of lanes. They fill four vector registers of SSE2.
pub(super) const LANES: usize = 32;

/// A number for each lane, on one cache line.
///
/// All operations take values and work lane by lane, so that the compiler makes vector instructions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [i16; LANES]);

impl Lanes {
    pub(super) const ZERO: Self = Self([0; LANES]);

    #[inline]
    pub(super) fn plus(self, Self(other): &Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].wrapping_add(other[lane])))
    }

    #[inline]
    pub(super) fn minus(self, Self(other): &Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other[lane])))
    }
}
