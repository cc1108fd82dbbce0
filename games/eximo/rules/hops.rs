//! Hops and chains of hops: jumping moves over friends, and captures (SPEC 12.7, 12.8).
//!
//! The board before the move shows all hops of a whole chain, with one exception. A captured man cannot be hopped over
//! again. Two facts prove this:
//!
//! - A chain never goes back, so the rows ahead of it are untouched.
//! - A chain never lands on a square that it has emptied. Landing squares are an even number of files and ranks apart,
//!   and squares hopped over are not. A chain that goes only forward does not come back to its origin.

use std::ops::ControlFlow;

use super::directions::{ALL, DIRECTIONS, FORWARD, are_opposite};
use super::{EximoPosition, drops};
use leap_core::{Side, Square, SquareSet};

/// All hops of one kind in a side's directions, even from squares where no man stands.
#[derive(Clone, Copy)]
pub(super) struct Hops {
    side: Side,
    /// For each direction, the squares from which a hop is possible.
    origins: [SquareSet; ALL],
    /// Whether the men hopped over are captured.
    capture: bool,
}

impl Hops {
    /// The captures by `side`.
    #[inline]
    pub(super) fn captures(position: &EximoPosition, side: Side) -> Self {
        Self { side, origins: [SquareSet::EMPTY; ALL], capture: true }.over(
            position,
            side.other(),
            0,
        )
    }

    /// The jumps of `side` over its own men.
    #[inline]
    pub(super) fn jumps(position: &EximoPosition, side: Side) -> Self {
        Self { side, origins: [SquareSet::EMPTY; ALL], capture: false }
            .over(position, side, FORWARD)
    }

    /// Finds the hops over the men of one player, in the directions from `first` on.
    #[inline]
    fn over(mut self, position: &EximoPosition, hopped: Side, first: usize) -> Self {
        let (men, empty) = (position.men(hopped), position.empty());
        for (d, origins) in self.origins.iter_mut().enumerate().skip(first) {
            let direction = &DIRECTIONS[self.side][d];
            let hopped = men & empty.rotate(-direction.delta);
            *origins = direction.hop_origins & hopped.rotate(-direction.delta);
        }
        self
    }

    /// Whether the men hopped over are captured.
    pub(super) const fn capture(&self) -> bool {
        self.capture
    }

    /// The squares from which a hop is possible.
    #[inline]
    pub(super) fn origins(&self) -> SquareSet {
        self.origins.iter().fold(SquareSet::EMPTY, |all, origins| all | *origins)
    }

    /// The squares from which a man that has just hopped in direction `d` can hop again.
    #[inline]
    fn origins_after(&self, d: usize) -> SquareSet {
        let onward = (0..ALL).filter(|e| !are_opposite(d, *e));
        onward.fold(SquareSet::EMPTY, |all, e| all | self.origins[e])
    }

    /// The squares where one hop in direction `d` takes the men of `men` that can make the hop.
    #[inline]
    fn landed(&self, men: SquareSet, d: usize) -> SquareSet {
        (men & self.origins[d]).rotate(2 * self.delta(d))
    }

    /// The squares where a man on `at` that has captured the men on `captured` can hop next.
    #[inline]
    pub(super) fn landings(&self, at: Square, captured: SquareSet) -> SquareSet {
        (0..ALL).fold(SquareSet::EMPTY, |landings, d| {
            let man = SquareSet::of(at) & !captured.rotate(-self.delta(d));
            landings | self.landed(man, d)
        })
    }

    #[inline]
    fn delta(&self, d: usize) -> i32 {
        DIRECTIONS[self.side][d].delta
    }

    /// The number of hopping moves of `men`. Single hops are counted by whole directions, longer moves by walking.
    #[inline]
    pub(super) fn count(&self, men: SquareSet, empty: SquareSet) -> u64 {
        let long = (0..ALL).fold(SquareSet::EMPTY, |long, d| {
            let going_on = self.landed(men, d) & self.origins_after(d);
            long | going_on.rotate(-2 * self.delta(d))
        });
        // A single hop to the last row empties no square of the drop zone.
        let single = |d| drops::count_ends(self.side, self.landed(men & !long, d), empty);
        let short: u64 = (0..ALL).map(single).sum();
        short + long.into_iter().map(|from| self.count_chains(from, empty)).sum::<u64>()
    }

    /// The number of hopping moves of a man that has at least one.
    fn count_chains(&self, from: Square, empty: SquareSet) -> u64 {
        if !self.capture {
            let empty = Path::new(from).emptied(empty);
            return drops::count_ends(self.side, self.jump_ends(from), empty);
        }
        let mut count = 0;
        let _ = self.walk(Path::new(from)).all(&mut |path: Path| {
            let landed = SquareSet::of(path.at);
            count += drops::count_ends(self.side, landed, path.emptied(empty));
            ControlFlow::Continue(())
        });
        count
    }

    /// The squares where one man's jumping moves end. All routes to a square are one move.
    #[inline]
    fn jump_ends(&self, from: Square) -> SquareSet {
        let (mut men, mut ends) = (SquareSet::of(from), SquareSet::EMPTY);
        while !men.is_empty() {
            men = (0..ALL).fold(SquareSet::EMPTY, |landed, d| landed | self.landed(men, d));
            ends |= men & !self.origins();
        }
        ends
    }

    /// A walk over the chains of hops of one man.
    pub(super) const fn walk(&self, start: Path) -> Walk<'_> {
        Walk { hops: self, start, seen: SquareSet::EMPTY }
    }

    /// The path lengthened by a hop to `to`.
    pub(super) const fn extend(&self, path: Path, to: Square) -> Path {
        let captured = path.captured;
        let captured = if self.capture { captured.with(path.at.midpoint(to)) } else { captured };
        Path { at: to, captured, ..path }
    }

    /// The squares on which `path` must still land to become `end` by the smallest route. The last square comes first.
    pub(super) fn smallest_route(&self, path: Path, end: Path) -> Option<Vec<Square>> {
        if path == end {
            return Some(Vec::new());
        }
        if path.captured.intersects(!end.captured) {
            return None;
        }
        self.landings(path.at, path.captured).into_iter().find_map(|next| {
            let mut route = self.smallest_route(self.extend(path, next), end)?;
            route.push(next);
            Some(route)
        })
    }
}

/// The path of a man in a move so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) from: Square,
    pub(super) at: Square,
    /// The squares of the men captured.
    pub(super) captured: SquareSet,
}

impl Path {
    /// A man that has not moved yet.
    pub(super) const fn new(from: Square) -> Self {
        Self { from, at: from, captured: SquareSet::EMPTY }
    }

    /// The empty squares without the man of this path and the men that it captures. `empty` holds those before the
    /// move.
    pub(super) fn emptied(&self, empty: SquareSet) -> SquareSet {
        (empty | self.captured).with(self.from)
    }
}

/// A walk over one man's chains in listing order. It visits each move once.
///
/// Several jumping routes can lead to one square. The walk turns back on a square where it has been before:
///
/// - All routes to the square have the same length.
/// - The moves that may follow depend only on the square.
/// - The first visit came by the smallest route.
///
/// Captures need no such check: origin and captured men determine the route.
///
/// - Within a row, a chain goes one way only, past all the men that it captures there.
/// - Between two of its rows, it captures one man, straight or diagonally ahead.
pub(super) struct Walk<'a> {
    hops: &'a Hops,
    start: Path,
    /// The landing squares of the jumping moves so far.
    seen: SquareSet,
}

impl Walk<'_> {
    /// Visits all chains.
    pub(super) fn all<V>(mut self, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(Path) -> ControlFlow<()>,
    {
        self.go_on(self.start, visit)
    }

    /// Visits the chains that begin with a hop to `to`.
    pub(super) fn first<V>(&mut self, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(Path) -> ControlFlow<()>,
    {
        self.hop(self.start, to, visit)
    }

    fn hop<V>(&mut self, path: Path, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(Path) -> ControlFlow<()>,
    {
        if !self.hops.capture {
            if self.seen.contains(to) {
                return ControlFlow::Continue(());
            }
            self.seen = self.seen.with(to);
        }
        self.go_on(self.hops.extend(path, to), visit)
    }

    /// Visits the path if it ends here, otherwise all paths that it may become.
    fn go_on<V>(&mut self, path: Path, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(Path) -> ControlFlow<()>,
    {
        let landings = self.hops.landings(path.at, path.captured);
        if landings.is_empty() {
            return visit(path);
        }
        for to in landings {
            self.hop(path, to, visit)?;
        }
        ControlFlow::Continue(())
    }
}
