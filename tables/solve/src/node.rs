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

#[cfg(test)]
mod tests {
    use super::*;
    use leap_tables::{CaptureRule, Slice, certificate};
    use leap_verify::{random_men, rules};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    #[test]
    fn the_moves_are_those_of_the_rules_of_the_verification() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for round in 0..20_000u32 {
            let slice = Slice { own: 1 + round % 12, enemy: 1 + round / 12 % 12 };
            let men = random_men(slice, &mut random);
            for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
                let mut found = Vec::new();
                men.visit_moves(&certificate::rules(capture), |after| found.push(after));
                let moves = rules::moves(men, capture == CaptureRule::Mandatory);
                let mut expected: Vec<_> = moves.iter().map(|after| after.men).collect();
                for men in [&mut found, &mut expected] {
                    men.sort_unstable();
                    men.dedup();
                }
                assert_eq!(found, expected, "{slice:?} {men:?}");
            }
        }
    }

    #[test]
    fn images_are_the_same_node() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        for _ in 0..2_000 {
            let men = random_men(Slice { own: 5, enemy: 4 }, &mut random);
            for way in 0..8 {
                let node = Node::new(men, true);
                assert_eq!(Node::new(rules::image(men, way), true), node);
                assert!(node.prover_moves());
                assert_eq!(node.count(), 9);
            }
        }
    }
}
