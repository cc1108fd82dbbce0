//! Drops: a man that reaches the last row comes back as two (SPEC 12.12 to 12.14).

use std::ops::ControlFlow;

use super::directions::LAST_ROW;
use crate::rules::bits::Squares;
use crate::rules::{Side, Square};

/// How many men are dropped for one that reaches the last row, where there is room (SPEC 12.12).
pub(super) const MEN: u32 = 2;

/// For each side, its drop zone: files b to g of its first two rows (SPEC 12.12).
pub(super) const ZONE: [u64; 2] = [0x7e7e, 0x7e7e << 48];

/// The squares on which men are dropped in one move, ascending.
pub(super) type Drops = [Option<Square>; MEN as usize];

/// In how many ways men can be dropped on this many empty squares of the zone: all pairs, and one way where there is
/// no room for a second man (SPEC 12.13).
const CHOICES: [u64; 13] = {
    let mut choices = [1; 13];
    let mut n = 2;
    while n < choices.len() {
        choices[n] = (n * (n - 1) / 2) as u64;
        n += 1;
    }
    choices
};

/// The empty squares of a side's drop zone.
#[inline]
pub(super) const fn room(side: Side, empty: u64) -> u64 {
    ZONE[side.index()] & empty
}

/// In how many ways a side can end a move that leaves `empty` empty and takes its man to the last row.
#[inline]
pub(super) const fn choices(side: Side, empty: u64) -> u64 {
    CHOICES[room(side, empty).count_ones() as usize]
}

/// How many ways to end there are for moves that take one man each to the squares of `landed`. No such move may free a
/// square of the zone.
#[inline]
pub(super) const fn count_ends(side: Side, landed: u64, empty: u64) -> u64 {
    let last_row = landed & LAST_ROW[side.index()];
    let elsewhere = (landed ^ last_row).count_ones() as u64;
    elsewhere + last_row.count_ones() as u64 * choices(side, empty)
}

/// Visits the choices of squares in listing order.
pub(super) fn visit_choices(
    side: Side,
    empty: u64,
    mut visit: impl FnMut(Drops) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let room = room(side, empty);
    if room.count_ones() < MEN {
        return visit([Squares(room).next(), None]);
    }
    for first in Squares(room) {
        for second in Squares(room & !(first.bit() | (first.bit() - 1))) {
            visit([Some(first), Some(second)])?;
        }
    }
    ControlFlow::Continue(())
}
