//! Positions of the search.

use leap_games::alquerque::Alquerque;
use leap_tables::Men;
use rustc_hash::FxHashMap;

/// A position and who moves, as a number.
///
/// The lowest 50 bits are the least image of the men, as [`Men::word`] packs them. The bit above is set if the prover
/// moves, the side whose goal is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(pub(crate) u64);

/// A map from nodes.
pub(crate) type NodeMap<V> = FxHashMap<Node, V>;

impl Node {
    /// The bit that tells that the prover moves.
    const PROVER: u64 = 1 << (Self::BITS - 1);
    /// The bits of a node.
    pub(crate) const BITS: u32 = 51;

    /// The node of these men.
    #[inline]
    pub(crate) fn new(men: Men, prover_moves: bool) -> Self {
        Self::of_least(men.least_image(), prover_moves)
    }

    /// The node of men that are the least of their images.
    #[inline]
    const fn of_least(men: Men, prover_moves: bool) -> Self {
        Self(men.word() | if prover_moves { Self::PROVER } else { 0 })
    }

    /// The men, those of the side to move first.
    #[inline]
    pub(crate) const fn men(self) -> Men {
        Men::of_word(self.0)
    }

    /// Whether the prover moves.
    #[inline]
    pub(crate) const fn prover_moves(self) -> bool {
        self.0 & Self::PROVER != 0
    }

    /// How many men are on the board.
    #[inline]
    pub(crate) const fn count(self) -> u32 {
        self.men().slice().men()
    }

    /// The different nodes after the moves, in ascending order.
    pub(crate) fn after_moves(self, rules: &Alquerque) -> Vec<Self> {
        let after = self.men().after_moves(rules);
        after.into_iter().map(|men| Self::of_least(men, !self.prover_moves())).collect()
    }

    /// A place among so many, spread evenly.
    #[inline]
    pub(crate) fn place(self, places: usize) -> usize {
        let mixed = (self.0 ^ self.0 >> 26).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((u128::from(mixed) * places as u128) >> 64) as usize
    }
}
