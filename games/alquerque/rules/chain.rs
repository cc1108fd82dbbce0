//! Captures: a man hops from point to point.

use std::ops::ControlFlow;

use leap_core::{Square, SquareSet};

use super::AlquerqueMove;
use super::lines::hop_landings;
use super::perspective::Perspective;

/// A man on its way from hop to hop. It walks over the routes in listing order, and yields each move once.
///
/// The walk turns back as soon as a smaller route makes the same move. No move is lost:
///
/// - All routes of a move have the same length.
/// - Every prefix of a canonical route is canonical: a smaller prefix would make a smaller route.
///
/// Hops keep the parity of file and rank, so no man lands on a captured point.
#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub(super) must_go_on: bool,
    pub(super) from: Square,
    pub(super) at: Square,
    /// The enemy men that are not captured yet.
    pub(super) enemy: SquareSet,
    /// The empty points. The origin is one of them: the man has left it for the whole move (SPEC 10.3).
    pub(super) empty: SquareSet,
    captured: SquareSet,
    route: Packed,
}

/// The landing points of a route, five bits each, the last one lowest. At most twelve hops fit into a word.
type Packed = u64;

impl Chain {
    #[inline]
    pub(super) fn new(points: Perspective, from: Square, must_go_on: bool) -> Self {
        Self {
            must_go_on,
            from,
            at: from,
            enemy: points.enemy,
            empty: points.empty.with(from),
            captured: SquareSet::EMPTY,
            route: 0,
        }
    }

    /// The points where the next hop can land.
    #[inline]
    pub(super) fn landings(&self) -> SquareSet {
        hop_landings(self.at, self.enemy, self.empty)
    }

    /// Visits the moves that go on from here.
    pub(super) fn visit<V>(&self, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        self.landings().into_iter().try_for_each(|to| self.hop(to, visit))
    }

    /// Hops to `to`. Visits the move that ends there, if it may end, then the longer moves.
    pub(super) fn hop<V>(&self, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        let chain = self.landed(to);
        if chain.is_duplicate() {
            return ControlFlow::Continue(());
        }
        let landings = chain.landings();
        if landings.is_empty() || !self.must_go_on {
            visit(chain.end())?;
        }
        landings.into_iter().try_for_each(|next| chain.hop(next, visit))
    }

    /// Counts what [`Chain::hop`] visits.
    pub(super) fn count(&self, to: Square) -> u64 {
        let chain = self.landed(to);
        if chain.is_duplicate() {
            return 0;
        }
        let landings = chain.landings();
        let ends_here = landings.is_empty() || !self.must_go_on;
        landings.into_iter().fold(u64::from(ends_here), |count, next| count + chain.count(next))
    }

    pub(super) fn landed(&self, to: Square) -> Self {
        let over = self.at.midpoint(to);
        Self {
            at: to,
            enemy: self.enemy.without(over),
            captured: self.captured.with(over),
            route: self.route << 5 | to.index() as u64,
            ..*self
        }
    }

    /// The move that ends here.
    pub(super) const fn end(&self) -> AlquerqueMove {
        AlquerqueMove { from: self.from, to: self.at, captured: self.captured.0 as u32 }
    }

    /// Whether a smaller route makes the same move. Two routes over the same men have at least three hops.
    fn is_duplicate(&self) -> bool {
        self.captured.len() >= 3
            && smallest_route(self.from, self.at, self.captured, self.empty) != Some(self.route)
    }
}

/// The number of captures, counted by walking each chain.
///
/// A man who lands on no exit cannot hop on. Only the point that he has left is empty besides, and there is no man left
/// to hop over on the way back.
#[inline]
pub(super) fn count_captures(points: Perspective, must_go_on: bool) -> u64 {
    let exits = points.exits();
    let mut count = 0;
    for from in points.own & exits {
        let chain = Chain::new(points, from, must_go_on);
        let landings = chain.landings();
        count += u64::from((landings & !exits).len());
        for to in landings & exits {
            count += chain.count(to);
        }
    }
    count
}

/// The smallest route from `at` to `to` that captures exactly `captured`.
pub(super) fn smallest_route(
    at: Square,
    to: Square,
    captured: SquareSet,
    empty: SquareSet,
) -> Option<Packed> {
    fn walk(
        at: Square,
        to: Square,
        captured: SquareSet,
        empty: SquareSet,
        route: Packed,
    ) -> Option<Packed> {
        if captured.is_empty() {
            return (at == to).then_some(route);
        }
        hop_landings(at, captured, empty).into_iter().find_map(|next| {
            let left = captured.without(at.midpoint(next));
            walk(next, to, left, empty, route << 5 | next.index() as u64)
        })
    }
    walk(at, to, captured, empty, 0)
}
