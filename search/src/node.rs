//! A node of the tree, and what its search has found.

use std::ops::Neg;

use super::score::{Score, Window};
use leap_core::Position;

/// A node of the tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'p, P> {
    pub(super) position: &'p P,
    /// The plies to look ahead. In quiescence search, 0 and below.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    pub(super) window: Window,
}

impl<P: Position> Node<'_, P> {
    /// The node after a move. Its window is that of its own side to move.
    pub(super) fn child<'p>(&self, position: &'p P, depth: i32, window: Window) -> Node<'p, P> {
        let window = if self.moves_again(position) { window } else { window.flipped() };
        Node { position, depth, ply: self.ply + 1, window }
    }

    /// What a search of the child has found, for the side to move here.
    pub(super) fn seen_from(&self, child: &P, found: Searched) -> Searched {
        if self.moves_again(child) { found } else { -found }
    }

    /// Whether the side to move moves again after a move, as in Sapos.
    fn moves_again(&self, child: &P) -> bool {
        child.side() == self.position.side()
    }
}

/// What the search of a node has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Searched {
    /// The value of the node: exact inside its window, otherwise a bound (fail-soft).
    pub(super) score: Score,
    /// Whether the score holds at any depth. All lines lead to the end of the game then, with nothing left out.
    pub(super) is_solved: bool,
}

impl Searched {
    /// A score that holds at any depth.
    pub(super) const fn solved(score: Score) -> Self {
        Self { score, is_solved: true }
    }

    /// A score that a deeper search may change.
    pub(super) const fn estimate(score: Score) -> Self {
        Self { score, is_solved: false }
    }
}

impl Neg for Searched {
    type Output = Self;

    fn neg(self) -> Self {
        Self { score: -self.score, ..self }
    }
}
