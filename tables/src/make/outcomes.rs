//! The outcomes of finished slices, two bits each.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::MakeError;
use super::pair::Smaller;
use crate::value::Code;
use crate::{Men, Slice, Wdl, number};

/// The outcomes of the slices that a pair needs.
pub(super) struct Outcomes(HashMap<Slice, Vec<u8>>);

impl Outcomes {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }

    /// The slices that captures in a pair lead to.
    pub(super) fn needed(more: Slice) -> impl Iterator<Item = Slice> {
        let after = |slice: Slice| (1..slice.enemy).map(move |own| Slice { own, enemy: slice.own });
        after(more).chain(after(more.flipped()))
    }

    /// Keeps the outcomes of a slice, if they are not there yet.
    pub(super) fn load(
        &mut self,
        slice: Slice,
        read: impl FnOnce() -> Result<Vec<u8>, MakeError>,
    ) -> Result<(), MakeError> {
        if let std::collections::hash_map::Entry::Vacant(place) = self.0.entry(slice) {
            place.insert(read()?);
        }
        Ok(())
    }
}

impl Smaller for Outcomes {
    fn outcome(&self, men: Men) -> Wdl {
        if men.own == 0 {
            return Wdl::Loss;
        }
        let at = number(men);
        match self.0[&men.slice()][(at / 4) as usize] >> (2 * (at % 4)) & 3 {
            0 => Wdl::Loss,
            1 => Wdl::Draw,
            _ => Wdl::Win,
        }
    }
}

/// The outcomes of a slice: four in a byte, the first one lowest; 0 a loss, 1 a draw, 2 a win.
pub(super) fn packed(slice: Slice, cells: &[AtomicU8]) -> Vec<u8> {
    let bits = |cell: &AtomicU8| Code(cell.load(Relaxed)).exact(slice).outcome as u8;
    let byte = |four: &[AtomicU8]| four.iter().rev().fold(0, |byte, cell| byte << 2 | bits(cell));
    cells.par_chunks(4).map(byte).collect()
}

/// The bytes of a slice's outcomes.
pub(super) fn size(slice: Slice) -> u64 {
    slice.size().div_ceil(4)
}
