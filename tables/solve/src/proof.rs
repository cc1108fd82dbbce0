//! The proof in the nodes of a search that has ended.

use std::collections::hash_map::Entry;

use leap_tables::Wdl;
use leap_tables::certificate::{Claim, Record};

use crate::error::SolveError;
use crate::leaves::Leaves;
use crate::node::{Node, NodeMap};
use crate::table::{NodeState, Table};

/// The search of a goal that was decided.
pub(crate) struct Decided<'a> {
    pub(crate) leaves: Leaves<'a>,
    pub(crate) table: Table,
    /// Whether the prover reaches the goal.
    pub(crate) is_reached: bool,
}

impl Decided<'_> {
    /// What was decided, as a claim about the side that has what it wants.
    pub(crate) fn claim(&self) -> Claim {
        let at_least = match (self.leaves.goal, self.is_reached) {
            (goal, true) => goal,
            (Wdl::Win, false) => Wdl::Draw,
            (_, false) => Wdl::Win,
        };
        Claim { of_mover: self.is_reached, at_least }
    }

    /// The positions of the proof, in ascending order.
    ///
    /// The rank of a node is the number of nodes that were solved before. Where the claim's side must make progress, a
    /// node was solved after those that follow it.
    pub(crate) fn records(&mut self, root: Node) -> Result<Vec<Record>, SolveError> {
        let mut found: NodeMap<Option<Record>> = NodeMap::default();
        let mut open = Vec::new();
        if self.leaves.known(root)?.is_none() {
            found.insert(root, None);
            open.push(root);
        }
        while let Some(node) = open.pop() {
            let after = node.after_moves(&self.leaves.rules);
            let rank = self.rank(node)?;
            let mut choice = 0;
            if node.prover_moves() == self.is_reached {
                choice = self.choose(node, rank, &after, &found)?;
                self.add(after[choice], &mut found, &mut open)?;
            } else {
                for child in after {
                    self.add(child, &mut found, &mut open)?;
                }
            }
            found.insert(node, Some(self.record(node, rank, choice)));
        }
        let mut records: Vec<Record> = found.into_values().flatten().collect();
        records.sort_unstable();
        Ok(records)
    }

    fn record(&self, node: Node, rank: u64, choice: usize) -> Record {
        let rank = if self.needs_progress(node) { rank as u32 } else { 0 };
        let claimant_moves = node.prover_moves() == self.is_reached;
        Record { men: node.men(), claimant_moves, choice: choice as u16, rank }
    }

    /// Whether endless play with the men of a node is not enough for the claim's side.
    fn needs_progress(&self, node: Node) -> bool {
        self.leaves.favours_prover(node) != self.is_reached
    }

    /// How many nodes were solved before a node that must be solved for the claim's side.
    fn rank(&self, node: Node) -> Result<u64, SolveError> {
        let expected = node.prover_moves() == self.is_reached;
        match self.table.get(node) {
            Some(NodeState::Solved(is_reached, before)) if is_reached == expected => Ok(before + 1),
            _ => Err(SolveError::Hole),
        }
    }

    /// The number of a move that keeps the proof together: one that ends it, or else one that others lead to as well.
    fn choose(
        &mut self,
        node: Node,
        rank: u64,
        after: &[Node],
        found: &NodeMap<Option<Record>>,
    ) -> Result<usize, SolveError> {
        let mut best = None;
        for (at, child) in after.iter().enumerate() {
            if let Some(is_reached) = self.leaves.known(*child)? {
                if !is_reached {
                    return Ok(at);
                }
                continue;
            }
            let Ok(its_rank) = self.rank(*child) else { continue };
            let is_step = child.count() == node.count();
            if is_step && self.needs_progress(node) && its_rank >= rank {
                continue;
            }
            let order = (!found.contains_key(child), its_rank);
            if best.is_none_or(|(least, _)| order < least) {
                best = Some((order, at));
            }
        }
        best.map(|(_, at)| at).ok_or(SolveError::Hole)
    }

    /// Adds a node to the proof, unless it is there or its value is known.
    fn add(
        &mut self,
        node: Node,
        found: &mut NodeMap<Option<Record>>,
        open: &mut Vec<Node>,
    ) -> Result<(), SolveError> {
        if self.leaves.known(node)?.is_some() {
            return Ok(());
        }
        if let Entry::Vacant(place) = found.entry(node) {
            place.insert(None);
            open.push(node);
        }
        Ok(())
    }
}
