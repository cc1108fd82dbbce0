//! A piece on its way from jump to jump, and the placements where it stops.

use std::ops::ControlFlow;

use super::jumps::{LANDINGS, NEIGHBOURS, flood, jumps, neighbour_counts};
use super::{Placement, Sapos, SaposMove, SaposPosition};
use leap_core::{Square, SquareSet};

/// A piece that has been lifted and has made any number of jumps.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) from: Square,
    pub(super) at: Square,
    /// The own pieces, without the lifted one.
    pub(super) friends: SquareSet,
    /// The enemy pieces that are still on the board.
    pub(super) enemy: SquareSet,
    /// The squares where the piece may land: the empty ones, and the origin.
    ///
    /// Without revisits, only squares that the piece has not been on.
    pub(super) open: SquareSet,
    pub(super) captured: SquareSet,
    revisit: bool,
}

impl Chain {
    /// The piece on `from`, lifted.
    pub(super) fn new(rules: &Sapos, position: &SaposPosition, from: Square) -> Self {
        let empty = position.empty();
        Self {
            from,
            at: from,
            friends: position.own().without(from),
            enemy: position.enemy(),
            open: if rules.revisit { empty.with(from) } else { empty },
            captured: SquareSet::EMPTY,
            revisit: rules.revisit,
        }
    }

    /// The same chain, with only these enemies to capture.
    pub(super) const fn restricted(&self, captures: SquareSet) -> Self {
        Self { enemy: captures, ..*self }
    }

    /// The squares to which the next jump may lead.
    pub(super) fn landings(&self) -> SquareSet {
        let reachable = LANDINGS[self.at.index()] & self.open;
        let occupied = self.friends | self.enemy;
        reachable.into_iter().filter(|to| occupied.contains(self.at.midpoint(*to))).collect()
    }

    /// The chain after a jump to one of its landings.
    pub(super) fn landed(&self, to: Square) -> Self {
        let captured = SquareSet::of(self.at.midpoint(to)) & self.enemy;
        Self {
            at: to,
            enemy: self.enemy ^ captured,
            captured: self.captured | captured,
            open: if self.revisit { self.open } else { self.open.without(to) },
            ..*self
        }
    }

    /// The squares to which one or more further jumps over friends lead.
    #[inline]
    pub(super) fn quiet_ends(&self) -> SquareSet {
        flood(jumps(SquareSet::of(self.at), self.friends) & self.open, self.friends, self.open)
    }

    /// Whether a piece that has captured nothing can capture from one of these squares.
    ///
    /// This also holds without revisits. The way to a square may cross the landing behind the enemy. The way then
    /// reaches that landing first, and the piece can jump the enemy from there.
    #[inline]
    pub(super) fn captures_from(&self, squares: SquareSet) -> bool {
        jumps(squares, self.enemy).intersects(self.open)
    }

    /// Whether further jumps can lead to the end of a legal move.
    pub(super) fn can_go_on(&self, placing: &Placing) -> bool {
        let ends = self.quiet_ends();
        self.captures_from(ends.with(self.at)) || placing.some_end(ends)
    }

    /// Whether the move can end here, or further jumps can lead to the end of a legal move.
    pub(super) fn can_finish(&self, placing: &Placing) -> bool {
        !self.captured.is_empty()
            || placing.some_end(SquareSet::of(self.at))
            || self.can_go_on(placing)
    }

    /// The move that ends here.
    pub(super) const fn end(&self, drop: Option<Square>) -> SaposMove {
        SaposMove { captured: self.captured, from: self.from, to: self.at, drop }
    }
}

/// The placements after a turn that captured nothing (SPEC 13.11 to 13.13).
///
/// They depend only on the square where the piece stops: the origin is never next to a landing square.
#[derive(Clone, Copy)]
pub(super) struct Placing {
    /// The squares where a piece can be placed: the empty ones, or none if the reserve is empty.
    squares: SquareSet,
    /// The number of placements after a stop on each square, as the bits of that number.
    counts: [SquareSet; 3],
    /// Whether a turn that cannot place is legal.
    may_fail: bool,
}

impl Placing {
    pub(super) fn new(rules: &Sapos, position: &SaposPosition) -> Self {
        let has_reserve = position.reserve(position.counters.side) > 0;
        let squares = if has_reserve { position.empty() } else { SquareSet::EMPTY };
        let may_fail = matches!(rules.placement, Placement::Possible);
        Self { squares, counts: neighbour_counts(squares), may_fail }
    }

    /// The squares where a piece can be placed after a stop on `at`.
    #[inline]
    pub(super) fn beside(&self, at: Square) -> SquareSet {
        NEIGHBOURS[at.index()] & self.squares
    }

    /// Whether a turn without a capture may stop on one of these squares.
    #[inline]
    pub(super) fn some_end(&self, ends: SquareSet) -> bool {
        let [ones, twos, fours] = self.counts;
        ends.intersects(ones | twos | fours) || self.may_fail && !ends.is_empty()
    }

    /// Whether a turn that stops on `at` without a capture is complete without a placement.
    #[inline]
    pub(super) fn is_needless(&self, at: Square) -> bool {
        self.may_fail && self.beside(at).is_empty()
    }

    /// The number of moves that stop on one of these squares without a capture.
    #[inline]
    pub(super) fn count(&self, ends: SquareSet) -> u64 {
        let [ones, twos, fours] = self.counts;
        let mut count = (ends & ones).len() + 2 * (ends & twos).len() + 4 * (ends & fours).len();
        if self.may_fail {
            count += (ends & !(ones | twos | fours)).len();
        }
        count.into()
    }

    /// Visits the moves that stop on `to` without a capture and place a piece.
    pub(super) fn visit<V>(&self, from: Square, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(SaposMove) -> ControlFlow<()>,
    {
        let captured = SquareSet::EMPTY;
        let mut drops = self.beside(to).into_iter();
        drops.try_for_each(|drop| visit(SaposMove { captured, from, to, drop: Some(drop) }))
    }
}
