//! Exact solutions of Froglet's endings.
//!
//! Regions of frogs that never meet are played through one by one. The game is then a choice of the region to move in.
//!
//! Regions of the same *kind* are interchangeable. A kind lists the kinds that its moves lead to, each with the most
//! points of such a move. The squares of the frogs no longer matter, so few kinds stand for many regions.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::froglet::{Footprint, Froglet, FrogletPosition};
use leap_core::{Key, RulesExt};

/// A number for each kind of region.
type Kind = u32;

/// The kind of a region without moves.
const DEAD: Kind = 0;

/// The number of positions of regions, and of sums of regions, after which an ending is given up.
const BUDGET: u32 = 60;
/// A region with more moves than this is given up.
const MAX_MOVES: usize = 64;
/// The most regions, or sums of regions, that are remembered. With more, all are forgotten.
///
/// Each takes about a hundred bytes.
const MAX_REMEMBERED: usize = 100_000;

/// What is known about a region.
#[derive(Clone, Copy, Debug)]
struct Known {
    footprint: Footprint,
    kind: Kind,
}

/// What is known about endings.
#[derive(Debug, Default)]
pub struct Endings {
    regions: HashMap<Key, Known>,
    /// The kinds, by the kinds that their moves lead to and the points of these moves.
    kinds: HashMap<Vec<(Kind, u32)>, Kind>,
    /// The inverse of `kinds`: the moves of each kind, from kind 1 on.
    moves: Vec<Vec<(Kind, u32)>>,
    /// The margin that the side to move wins in regions of these kinds.
    sums: HashMap<Vec<Kind>, i32>,
    /// The part of the budget that is left.
    left: u32,
}

impl Endings {
    /// The margin that the side to move wins from here on, in points, if it is found within the budget.
    pub fn margin(&mut self, position: &FrogletPosition) -> Option<i32> {
        if self.regions.len().max(self.sums.len()) > MAX_REMEMBERED {
            *self = Self::default();
        }
        self.left = BUDGET;
        let regions = position.regions(|region| Some(self.explore(region)?.footprint))?;
        let kinds: Option<Vec<Kind>> =
            regions.iter().map(|region| Some(self.explore(region)?.kind)).collect();
        self.sum(kinds?)
    }

    /// Plays a region through, and remembers the results of its positions.
    fn explore(&mut self, region: &FrogletPosition) -> Option<Known> {
        let key = region.frogs_key();
        if let Some(known) = self.regions.get(&key) {
            return Some(*known);
        }
        self.left = self.left.checked_sub(1)?;
        let rules = Froglet::default();
        let moves = rules.first_moves(region, MAX_MOVES + 1);
        if moves.len() > MAX_MOVES {
            return None;
        }
        let mut footprint = Footprint::of(region);
        let mut ends = Vec::new();
        for mv in moves {
            let child = rules.after(region, mv);
            let after = self.explore(&child)?;
            footprint = footprint.or(after.footprint);
            ends.push((after.kind, region.points_of_hops(mv)));
        }
        ends.sort_unstable_by_key(|(kind, points)| (*kind, Reverse(*points)));
        ends.dedup_by_key(|(kind, _)| *kind);
        let known = Known { footprint, kind: self.kind(ends) };
        self.regions.insert(key, known);
        Some(known)
    }

    /// The kind of a region with these moves, at most one for each kind that they lead to.
    fn kind(&mut self, moves: Vec<(Kind, u32)>) -> Kind {
        if moves.is_empty() {
            return DEAD;
        }
        if let Some(kind) = self.kinds.get(&moves) {
            return *kind;
        }
        self.moves.push(moves.clone());
        let kind = self.moves.len() as Kind;
        self.kinds.insert(moves, kind);
        kind
    }

    /// The margin that the side to move wins in regions of these kinds. Every choice is tried.
    fn sum(&mut self, mut kinds: Vec<Kind>) -> Option<i32> {
        kinds.retain(|kind| *kind != DEAD);
        kinds.sort_unstable();
        if kinds.is_empty() {
            return Some(0);
        }
        if let Some(margin) = self.sums.get(&kinds) {
            return Some(*margin);
        }
        self.left = self.left.checked_sub(1)?;
        let mut best = i32::MIN;
        for (i, kind) in kinds.iter().enumerate() {
            if i > 0 && kinds[i - 1] == *kind {
                continue;
            }
            for (after, points) in self.moves[*kind as usize - 1].clone() {
                let mut rest = kinds.clone();
                rest[i] = after;
                best = best.max(points as i32 - self.sum(rest)?);
            }
        }
        self.sums.insert(kinds, best);
        Some(best)
    }
}
