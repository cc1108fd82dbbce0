//! The outcomes of finished slices, two bits each.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use leap_games::alquerque::Alquerque;
use rayon::prelude::*;

use super::MakeError;
use crate::value::Code;
use crate::{Men, Slice, Wdl, number};

/// The outcomes of the slices that a pair needs.
#[derive(Default)]
pub(super) struct Outcomes(HashMap<Slice, Vec<u8>>);

impl Outcomes {
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
        if let Entry::Vacant(place) = self.0.entry(slice) {
            place.insert(read()?);
        }
        Ok(())
    }

    /// The best outcome that a capture gives the side to move. `None`: nothing can be captured.
    pub(super) fn best_capture(&self, rules: &Alquerque, men: Men) -> Option<Wdl> {
        let mut best = None;
        let _ = men.visit_captures(rules, |child| {
            best = best.max(Some(self.outcome(child).flipped()));
            ControlFlow::Continue(())
        });
        best
    }

    /// The outcome for the side to move, which may have no men.
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
