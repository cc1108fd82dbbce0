//! A piece on its way from jump to jump, and what may be placed where it stops.

use std::ops::ControlFlow;

use super::jumps::{LANDINGS, NEIGHBOURS, flood, jumps, neighbour_counts, over};
use super::{Placement, Sapos, SaposMove, SaposPosition};
use crate::rules::Square;
use crate::rules::bits::Squares;

/// A piece that has been lifted and has made any number of jumps.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) from: Square,
    pub(super) at: Square,
    /// Own pieces, without the lifted one.
    pub(super) friends: u64,
    /// Enemy pieces that are still on the board.
    pub(super) enemy: u64,
    /// Where the piece may land: empty squares, the origin among them, or without revisits only those that are new.
    pub(super) open: u64,
    pub(super) captured: u64,
    revisit: bool,
}

impl Chain {
    /// The piece on `from`, lifted.
    pub(super) const fn new(game: &Sapos, position: &SaposPosition, from: Square) -> Chain {
        let origin = if game.revisit { from.bit() } else { 0 };
        Chain {
            from,
            at: from,
            friends: position.own() ^ from.bit(),
            enemy: position.enemy(),
            open: position.empty() | origin,
            captured: 0,
            revisit: game.revisit,
        }
    }

    /// The same where only these enemies can be captured.
    pub(super) const fn restricted(&self, captures: u64) -> Chain {
        Chain { enemy: captures, ..*self }
    }

    /// Where the next jump may lead.
    pub(super) fn landings(&self) -> u64 {
        let reachable = LANDINGS[self.at.index()] & self.open;
        let occupied = self.friends | self.enemy;
        Squares(reachable)
            .filter(|to| occupied & over(self.at, *to).bit() != 0)
            .fold(0, |set, to| set | to.bit())
    }

    /// The chain after a jump to one of its landings.
    pub(super) const fn landed(&self, to: Square) -> Chain {
        let captured = over(self.at, to).bit() & self.enemy;
        Chain {
            at: to,
            enemy: self.enemy ^ captured,
            captured: self.captured | captured,
            open: if self.revisit { self.open } else { self.open & !to.bit() },
            ..*self
        }
    }

    /// Where one or more further jumps over friends lead.
    #[inline]
    pub(super) const fn quiet_ends(&self) -> u64 {
        flood(jumps(self.at.bit(), self.friends) & self.open, self.friends, self.open)
    }

    /// Whether a piece that goes on from one of these squares without having captured can capture.
    ///
    /// This holds without revisits too: if the way to a square crosses the landing behind the enemy, then it reaches
    /// that first, and the enemy can be jumped from there.
    #[inline]
    pub(super) const fn captures_from(&self, squares: u64) -> bool {
        jumps(squares, self.enemy) & self.open != 0
    }

    /// Whether further jumps can lead to the end of a legal move.
    pub(super) const fn can_go_on(&self, placing: &Placing) -> bool {
        let ends = self.quiet_ends();
        self.captures_from(ends | self.at.bit()) || placing.some_end(ends)
    }

    /// Whether the move can end here, or further jumps can lead to the end of a legal one.
    pub(super) const fn can_finish(&self, placing: &Placing) -> bool {
        self.captured != 0 || placing.some_end(self.at.bit()) || self.can_go_on(placing)
    }

    /// The move that ends here.
    pub(super) const fn end(&self, drop: Option<Square>) -> SaposMove {
        SaposMove { captured: self.captured, from: self.from, to: self.at, drop }
    }
}

/// What is placed after a turn that captured nothing (SPEC 13.11 to 13.13).
///
/// It depends on the square where the piece stopped alone: the origin is never next to a landing square.
#[derive(Clone, Copy)]
pub(super) struct Placing {
    /// Where a piece can be placed: the empty squares; none if the reserve is empty.
    squares: u64,
    /// The bits of the number of placements after stopping on each square.
    counts: [u64; 3],
    /// Whether a turn that cannot place is legal.
    may_fail: bool,
}

impl Placing {
    pub(super) const fn new(game: &Sapos, position: &SaposPosition) -> Placing {
        let squares =
            if position.reserve(position.counters.side) > 0 { position.empty() } else { 0 };
        let may_fail = matches!(game.placement, Placement::Possible);
        Placing { squares, counts: neighbour_counts(squares), may_fail }
    }

    /// Where a piece can be placed after a stop on `at`.
    #[inline]
    pub(super) const fn beside(&self, at: Square) -> u64 {
        NEIGHBOURS[at.index()] & self.squares
    }

    /// Whether a turn without a capture may stop on one of these squares.
    #[inline]
    pub(super) const fn some_end(&self, ends: u64) -> bool {
        let [ones, twos, fours] = self.counts;
        ends & (ones | twos | fours) != 0 || self.may_fail && ends != 0
    }

    /// Whether a turn that stops on `at` without a capture is complete with nothing placed.
    #[inline]
    pub(super) const fn is_needless(&self, at: Square) -> bool {
        self.may_fail && self.beside(at) == 0
    }

    /// How many moves there are that stop on one of these squares without a capture.
    #[inline]
    pub(super) const fn count(&self, ends: u64) -> u64 {
        let [ones, twos, fours] = self.counts;
        let mut count = (ends & ones).count_ones()
            + 2 * (ends & twos).count_ones()
            + 4 * (ends & fours).count_ones();
        if self.may_fail {
            count += (ends & !(ones | twos | fours)).count_ones();
        }
        count as u64
    }

    /// Visits the moves that stop on `to` without a capture and place a piece.
    pub(super) fn visit<V>(&self, from: Square, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(SaposMove) -> ControlFlow<()>,
    {
        Squares(self.beside(to))
            .try_for_each(|drop| visit(SaposMove { captured: 0, from, to, drop: Some(drop) }))
    }
}
