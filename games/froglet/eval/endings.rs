//! Endings of Froglet, solved exactly: regions that never meet are played through one by one, and the game is then one
//! of choosing where to move.
//!
//! What a region is in that game is its *kind*: which kinds its moves lead to, and the most points of those that lead
//! to the same one. Where its frogs are no longer matters, so that few kinds stand for many regions.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::froglet::{Footprint, Froglet, FrogletPosition};
use leap_core::{Game, Key};

/// A number for each kind of region.
type Kind = u32;

/// The kind of a region without moves.
const DEAD: Kind = 0;

/// Positions of regions, and sums of regions, that are looked at before an ending is given up.
const BUDGET: u32 = 60;
/// A region with more moves than this is given up.
const MAX_MOVES: usize = 64;
/// So many regions, and sums of them, are remembered, a hundred bytes or so each; then all is forgotten.
const MAX_REMEMBERED: usize = 100_000;

/// What is known of a region.
#[derive(Clone, Copy, Debug)]
struct Known {
    footprint: Footprint,
    kind: Kind,
}

/// What was found out about endings.
#[derive(Debug, Default)]
pub struct Endings {
    regions: HashMap<Key, Known>,
    /// The kinds by what their moves lead to, and with how many points.
    kinds: HashMap<Vec<(Kind, u32)>, Kind>,
    /// The same the other way round, from kind 1 on.
    moves: Vec<Vec<(Kind, u32)>>,
    /// What the side to move wins in regions of these kinds.
    sums: HashMap<Vec<Kind>, i32>,
    /// What is left of the budget.
    left: u32,
}

impl Endings {
    /// The points that the side to move wins more than the other from here on, if that is found out soon.
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

    /// Plays a region through, and remembers what its positions come to.
    fn explore(&mut self, region: &FrogletPosition) -> Option<Known> {
        let key = region.frogs_key();
        if let Some(known) = self.regions.get(&key) {
            return Some(*known);
        }
        self.left = self.left.checked_sub(1)?;
        let game = Froglet::default();
        let mut moves = Vec::new();
        game.moves(region, MAX_MOVES + 1, &mut moves);
        if moves.len() > MAX_MOVES {
            return None;
        }
        let mut footprint = Footprint::of(region);
        let mut ends = Vec::new();
        for mv in moves {
            let child = game.after(region, mv);
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

    /// The kind of a region with these moves, at most one to each kind.
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

    /// What the side to move wins in regions of these kinds, by exhaustion.
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
