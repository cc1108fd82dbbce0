//! The moves of one piece in listing order, where routes may revisit squares.
//!
//! The next jumps of a piece depend on its square and its captures, not on its route. Every beginning of a canonical
//! route (SPEC 9.24) is therefore canonical for its own end: the routes form a tree. A breadth-first search that takes
//! squares in ascending order finds the tree. A walk in preorder lists it.

use std::ops::ControlFlow;

use super::SaposMove;
use super::chain::{Chain, Placing};
use super::jumps::{LANDINGS, between, flood};
use leap_core::{Square, SquareSet};

/// The routes of one piece, by their last square and the set of their captures.
///
/// There are at most 16 * 2^9 nodes besides the origin:
///
/// - Two sets of captures on the way to the same vertex differ by a subgraph of the lattice, apart from friends.
/// - All degrees of this subgraph are even.
/// - With 24 edges on 16 vertices there are 2^(24 - 16 + 1) such subgraphs.
#[derive(Default)]
pub(super) struct Tree {
    /// The nodes in the order of the search: shorter routes first, then smaller ones. The children of a node are
    /// neighbours.
    nodes: Vec<Node>,
    /// For each set of captures, the squares that have been reached with it.
    reached: Vec<SquareSet>,
}

#[derive(Clone, Copy)]
struct Node {
    at: Square,
    /// The captured enemies: bit n stands for the n-th enemy that the piece might capture.
    captures: u16,
    /// The index of the node's first child. The children end where those of the next node begin.
    children: u32,
}

impl Tree {
    /// Finds the canonical routes of a lifted piece in the order of the search, until there are `limit` routes.
    pub(super) fn grow(&mut self, chain: &Chain, limit: usize) {
        let region = flood(SquareSet::of(chain.from), chain.friends | chain.enemy, chain.open);
        let targets = between(region, chain.enemy);
        self.reached.clear();
        self.reached.resize(1 << targets.len(), SquareSet::EMPTY);
        self.nodes.clear();
        // The origin does not count as reached, since the way back to it is a route too.
        self.nodes.push(Node { at: chain.from, captures: 0, children: 1 });
        let mut next = 0;
        while next < self.nodes.len() {
            self.nodes[next].children = self.nodes.len() as u32;
            if self.nodes.len() <= limit {
                self.expand(chain, targets, self.nodes[next]);
            }
            next += 1;
        }
    }

    /// The number of nodes, including that of the origin.
    #[cfg(test)]
    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    fn expand(&mut self, chain: &Chain, targets: SquareSet, node: Node) {
        for to in LANDINGS[node.at.index()] & chain.open {
            let jumped = node.at.midpoint(to);
            let captures = if chain.friends.contains(jumped) {
                node.captures
            } else if targets.contains(jumped) {
                let target = 1 << targets.below(jumped).len();
                if node.captures & target != 0 {
                    continue;
                }
                node.captures | target
            } else {
                continue;
            };
            let reached = &mut self.reached[usize::from(captures)];
            if !reached.contains(to) {
                *reached = reached.with(to);
                self.nodes.push(Node { at: to, captures, children: 0 });
            }
        }
    }

    /// The squares after the origin on the canonical route to a square with a set of captures. Empty if there is none.
    ///
    /// The tree must have been grown for a piece that can capture only these enemies.
    pub(super) fn route(&self, to: Square, captured: SquareSet) -> Vec<Square> {
        let all = ((1_u32 << captured.len()) - 1) as u16;
        let is_end = |node: &Node| node.at == to && node.captures == all;
        // The first node is the origin, which is not a route. The way back to the origin is another node.
        let Some(end) = self.nodes.iter().skip(1).position(is_end) else { return Vec::new() };
        let parent = |index: usize| {
            let later = self.nodes.partition_point(|node| node.children as usize <= index);
            later.checked_sub(1)
        };
        let mut route: Vec<Square> = std::iter::successors(Some(end + 1), |index| {
            parent(*index).filter(|parent| *parent > 0)
        })
        .map(|index| self.nodes[index].at)
        .collect();
        route.reverse();
        route
    }

    /// Visits the moves in listing order.
    pub(super) fn visit<V>(
        &self,
        chain: &Chain,
        placing: &Placing,
        visit: &mut V,
    ) -> ControlFlow<()>
    where
        V: FnMut(SaposMove) -> ControlFlow<()>,
    {
        Walk { nodes: &self.nodes, chain, placing, visit }.below(0, SquareSet::EMPTY)
    }
}

/// A walk through a tree in preorder.
///
/// Its depth is the length of a canonical route, which jumps each enemy at most once and each friend at most twice.
struct Walk<'a, V> {
    nodes: &'a [Node],
    chain: &'a Chain,
    placing: &'a Placing,
    visit: &'a mut V,
}

impl<V: FnMut(SaposMove) -> ControlFlow<()>> Walk<'_, V> {
    /// Visits the moves whose routes go on from a node.
    fn below(&mut self, index: usize, captured: SquareSet) -> ControlFlow<()> {
        let end = self.nodes.get(index + 1).map_or(self.nodes.len(), |next| next.children as usize);
        let at = self.nodes[index].at;
        for child in self.nodes[index].children as usize..end {
            let over = SquareSet::of(at.midpoint(self.nodes[child].at));
            let jumped = over & self.chain.enemy;
            self.node(child, captured | jumped)?;
        }
        ControlFlow::Continue(())
    }

    fn node(&mut self, index: usize, captured: SquareSet) -> ControlFlow<()> {
        let (from, to) = (self.chain.from, self.nodes[index].at);
        if !captured.is_empty() || self.placing.is_needless(to) {
            (self.visit)(SaposMove { captured, from, to, drop: None })?;
        }
        self.below(index, captured)?;
        if captured.is_empty() {
            self.placing.visit(from, to, self.visit)
        } else {
            ControlFlow::Continue(())
        }
    }
}
