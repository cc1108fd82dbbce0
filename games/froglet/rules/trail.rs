//! A frog on its way from hop to hop.
//!
//! A move is a *trail* in a lattice (see [`super::lattice`]): a walk that uses no edge twice. Its identity is its
//! origin, its destination and its set of edges. Its routes are therefore exactly the Euler trails of that set between
//! the two cells. All of them have the same length, and the canonical route is the smallest (SPEC 9.24).
//!
//! A walk over the routes in listing order turns back at each route that is not canonical. The walk yields each move
//! once, remembers nothing, and is never far from the next move. It is correct:
//!
//! - Every beginning of a canonical route is canonical: a smaller beginning would make a smaller route.
//! - A hop onto a cell that the trail has not been on is the last hop in every route to the same move. The longer route
//!   is canonical because the shorter one is.
//! - Only routes that cross themselves are left to check.

use std::ops::ControlFlow;

use leap_core::{Square, StopFlag};

use super::lattice::{Edges, Lattice, Place, cells};
use super::{FrogletMove, FrogletPosition};

/// The most hops of a move: a lattice has 60 edges.
pub(super) const MAX_HOPS: usize = 60;

/// A trail that grows and shrinks.
#[derive(Clone)]
pub(super) struct Trail {
    class: usize,
    /// The edges that the trail has not used.
    left: Edges,
    all: Edges,
    /// The cells to land on. The origin is one of them: the frog has left it for the whole move (SPEC 10.3, 10.5).
    open: u64,
    /// The cells where at least two hops begin.
    crossings: u64,
    /// The cells that the trail has been on.
    visited: u64,
    hops: usize,
    /// The cells in order, the origin first. Only the first `hops + 1` count.
    path: [u8; MAX_HOPS + 1],
}

impl Trail {
    /// The trail without hops that begins at a cell.
    #[inline]
    pub(super) fn new(lattice: &Lattice, origin: usize) -> Self {
        let bit = 1 << origin;
        let mut path = [0; MAX_HOPS + 1];
        path[0] = origin as u8;
        Self {
            class: lattice.class,
            left: lattice.edges,
            all: lattice.edges,
            open: lattice.empty() | bit,
            // The origin is open, so each of its neighbours has one more hop.
            crossings: lattice.crossings() | lattice.edges.neighbours(bit),
            visited: bit,
            hops: 0,
            path,
        }
    }

    #[inline]
    pub(super) const fn at(&self) -> usize {
        self.path[self.hops] as usize
    }

    pub(super) const fn hops(&self) -> usize {
        self.hops
    }

    /// The square of a cell of the trail's lattice.
    pub(super) const fn square_of(&self, cell: usize) -> Square {
        Place { class: self.class, cell }.square()
    }

    /// The square that the frog is on.
    pub(super) const fn square(&self) -> Square {
        self.square_of(self.at())
    }

    /// Whether a frog could land on a cell.
    pub(super) const fn is_open(&self, cell: usize) -> bool {
        self.open >> cell & 1 != 0
    }

    /// The cells where the next hop can land.
    #[inline]
    pub(super) const fn landings(&self) -> u64 {
        self.left.neighbours(1 << self.at()) & self.open
    }

    /// The move that ends here.
    pub(super) const fn end(&self) -> FrogletMove {
        let from = self.square_of(self.path[0] as usize);
        FrogletMove { from, to: self.square(), jumped: self.all.toggled(self.left) }
    }

    /// Hops onto a landing cell. Returns the value that [`Trail::unhop`] needs.
    #[inline]
    pub(super) fn hop(&mut self, to: usize) -> u64 {
        self.left = self.left.toggled(Edges::between(self.at(), to));
        self.hops += 1;
        self.path[self.hops] = to as u8;
        let visited = self.visited;
        self.visited |= 1 << to;
        visited
    }

    /// Takes the last hop back.
    #[inline]
    pub(super) fn unhop(&mut self, visited: u64) {
        let to = self.at();
        self.hops -= 1;
        self.left = self.left.toggled(Edges::between(self.at(), to));
        self.visited = visited;
    }

    /// Visits the moves that go on from here, in listing order. The trail must be canonical, and is unchanged at the
    /// end.
    pub(super) fn visit<V>(&mut self, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(&Self) -> ControlFlow<()>,
    {
        for to in cells(self.landings()) {
            let visited = self.hop(to);
            let is_new = visited >> to & 1 == 0;
            let flow = if is_new || self.crosses_canonically() {
                self.visit_from_here(visit)
            } else {
                ControlFlow::Continue(())
            };
            self.unhop(visited);
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn visit_from_here<V>(&mut self, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(&Self) -> ControlFlow<()>,
    {
        visit(self)?;
        self.visit(visit)
    }

    /// The number of moves that go on from here. Meaningless once the count was cancelled.
    pub(super) fn count(&mut self, check: &mut CancelCheck<'_>) -> u64 {
        if check.is_over() {
            return 0;
        }
        let landings = self.landings();
        let mut count = u64::from((landings & !self.visited).count_ones());
        for to in cells(landings & (self.crossings | self.visited)) {
            let visited = self.hop(to);
            let is_new = visited >> to & 1 == 0;
            if is_new {
                count += self.count(check);
            } else if self.crosses_canonically() {
                count += 1 + self.count(check);
            }
            self.unhop(visited);
        }
        count
    }

    /// Whether a trail that has just come back to a cell is canonical. Without its last hop, it must be canonical.
    ///
    /// - The smallest Euler trail always takes the possible edge to the smallest cell.
    /// - Where there is a choice, an edge is possible if it is no bridge of the edges still to be used (M. Fleury,
    ///   1883).
    /// - The last hop adds an edge to be used. A bridge can cease to be one only if the other edges to be used touch
    ///   both ends of this edge.
    /// - This is true only for hops up to the trail's last earlier visit of its end cell. Only these hops are
    ///   checked.
    fn crosses_canonically(&self) -> bool {
        let end = self.path[self.hops];
        let mut to_use = Edges::NONE;
        let mut is_closed = false;
        for i in (0..self.hops).rev() {
            let (at, next) = (self.path[i] as usize, self.path[i + 1] as usize);
            to_use = to_use.toggled(Edges::between(at, next));
            is_closed |= self.path[i] == end;
            let smaller = to_use.neighbours(1 << at) & ((1 << next) - 1);
            if is_closed && cells(smaller).any(|other| !is_bridge(to_use, at, other)) {
                return false;
            }
        }
        true
    }
}

/// Whether the edge between two neighbours is the only path between them.
fn is_bridge(edges: Edges, a: usize, b: usize) -> bool {
    !edges.toggled(Edges::between(a, b)).connects(a, b)
}

/// The smallest Euler trail of a move's edges: the cells that it lands on, and their number.
pub(super) fn smallest_trail(mut edges: Edges, from: usize) -> ([u8; MAX_HOPS], usize) {
    let mut path = [0; MAX_HOPS];
    let mut at = from;
    let mut hops = 0;
    while !edges.is_empty() {
        let neighbours = edges.neighbours(1 << at);
        // At most one of the possible first edges is a bridge. A bridge is taken only if it is the only edge.
        let first = neighbours.trailing_zeros() as usize;
        let next = cells(neighbours).find(|next| !is_bridge(edges, at, *next)).unwrap_or(first);
        edges = edges.toggled(Edges::between(at, next));
        path[hops] = next as u8;
        hops += 1;
        at = next;
    }
    (path, hops)
}

/// The points of a lattice's edges.
pub(super) struct Worth {
    /// The edges worth one point more.
    low: Edges,
    /// The edges worth two points more.
    high: Edges,
}

impl Worth {
    /// The points of a position's frogs, as edges of the lattice of a class.
    pub(super) const fn of_frogs(position: &FrogletPosition, class: usize) -> Self {
        Self { low: Edges::of(&position.low, class), high: Edges::of(&position.high, class) }
    }

    /// The points of all these edges together.
    pub(super) const fn sum(&self, edges: Edges) -> u32 {
        edges.len() + edges.and(self.low).len() + 2 * edges.and(self.high).len()
    }

    pub(super) const fn of(&self, edge: Edges) -> u32 {
        1 + self.low.has(edge) as u32 + 2 * self.high.has(edge) as u32
    }

    /// The most points of one of these edges. 0 for none.
    pub(super) const fn most(&self, edges: Edges) -> u32 {
        let (low, high) = (edges.and(self.low), edges.and(self.high));
        if !high.is_empty() {
            3 + !high.and(low).is_empty() as u32
        } else if !low.is_empty() {
            2
        } else {
            !edges.is_empty() as u32
        }
    }

    /// The most points that a frog on a cell can score with the edges in `left` and the landing cells in `open`.
    ///
    /// If `budget` hops are too few, the result is a lower bound.
    pub(super) fn most_from(&self, at: usize, left: Edges, open: u64, budget: &mut u32) -> u32 {
        let mut most = 0;
        for to in cells(left.neighbours(1 << at) & open) {
            if *budget == 0 {
                break;
            }
            *budget -= 1;
            let edge = Edges::between(at, to);
            most = most.max(self.of(edge) + self.most_from(to, left.toggled(edge), open, budget));
        }
        most
    }
}

/// Looks at a cancel flag from time to time.
pub(super) struct CancelCheck<'a> {
    stop: &'a StopFlag,
    until_look: u32,
    is_raised: bool,
}

impl<'a> CancelCheck<'a> {
    const INTERVAL: u32 = 4096;

    pub(super) const fn new(stop: &'a StopFlag) -> Self {
        CancelCheck { stop, until_look: CancelCheck::INTERVAL, is_raised: false }
    }

    #[inline]
    pub(super) fn is_over(&mut self) -> bool {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = CancelCheck::INTERVAL;
            self.is_raised = self.stop.is_raised();
        }
        self.is_raised
    }
}
