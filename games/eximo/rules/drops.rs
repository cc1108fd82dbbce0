//! Drops: a man that reaches the last row comes back as two (SPEC 12.12 to 12.14).

use std::ops::ControlFlow;

use super::directions::LAST_ROW;
use leap_core::{BySide, Side, Square, SquareSet};

/// The number of men dropped for one that reaches the last row, if there is room (SPEC 12.12).
pub(super) const MEN: u32 = 2;

/// For each side, its drop zone: files b to g of its first two rows (SPEC 12.12).
pub(super) const ZONE: BySide<SquareSet> = BySide::new(SquareSet(0x7e7e), SquareSet(0x7e7e << 48));

/// The squares on which men are dropped in one move, in ascending order.
pub(super) type Drops = [Option<Square>; MEN as usize];

/// The number of ways to drop men, by the number of empty squares of the zone (SPEC 12.13).
///
/// All pairs of squares count. Without room for two men there is one way.
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
pub(super) fn room(side: Side, empty: SquareSet) -> SquareSet {
    ZONE[side] & empty
}

/// The number of ways to end a move to the last row. `empty` holds the empty squares after the move.
#[inline]
pub(super) fn choices(side: Side, empty: SquareSet) -> u64 {
    CHOICES[room(side, empty).len() as usize]
}

/// The number of ways to end the moves that take one man each to the squares of `landed`.
///
/// None of these moves may empty a square of the zone.
#[inline]
pub(super) fn count_ends(side: Side, landed: SquareSet, empty: SquareSet) -> u64 {
    let last_row = landed & LAST_ROW[side];
    let elsewhere = landed ^ last_row;
    u64::from(elsewhere.len()) + u64::from(last_row.len()) * choices(side, empty)
}

/// Visits the choices of squares in listing order.
pub(super) fn visit_choices(
    side: Side,
    empty: SquareSet,
    mut visit: impl FnMut(Drops) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let room = room(side, empty);
    if room.len() < MEN {
        return visit([room.first(), None]);
    }
    let mut rest = room.into_iter();
    while let Some(first) = rest.next() {
        for second in rest.clone() {
            visit([Some(first), Some(second)])?;
        }
    }
    ControlFlow::Continue(())
}
