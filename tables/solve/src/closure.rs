//! Sets of nodes that hold each other.
//!
//! Endless play within a pair of slices is good for one side, the *favoured* one. This side needs no
//! progress there. A set of nodes is solved for it if no move of the other side leads out of the set to something worse.
//!
//! The search marks a node as *held* if the favoured side has its goal there under a condition. The condition is the
//! goal at some nodes that are held or on the path. Here such nodes are looked at together. Nodes that lean on nothing
//! but solved and held nodes are solved for good. The others are open again.

use std::collections::hash_map::Entry;

use crate::error::SolveError;
use crate::leaves::Leaves;
use crate::node::{Node, NodeMap};
use crate::table::{NodeState, Table};

/// Solves or opens a held node and all held nodes that it leans on.
pub(crate) fn close(
    node: Node,
    leaves: &mut Leaves<'_>,
    table: &mut Table,
) -> Result<(), SolveError> {
    let mut group = Group::default();
    group.number(node);
    while let Some(at) = group.open.pop() {
        if group.fell[at as usize] {
            continue;
        }
        let node = group.nodes[at as usize];
        if let Some(leans_on) = group.supports(node, leaves, table)? {
            for other in leans_on {
                let other = group.number(other);
                group.users[other as usize].push(at);
            }
        } else {
            group.fell[at as usize] = true;
            table.drop_held(node, leaves.favours_mover(node));
            let users = std::mem::take(&mut group.users[at as usize]);
            group.open.extend(users);
        }
    }
    for (node, fell) in group.nodes.iter().zip(&group.fell) {
        if !fell {
            table.solve(*node, leaves.favours_mover(*node))?;
        }
    }
    Ok(())
}

/// The held nodes that a held node leans on, directly or not.
#[derive(Default)]
struct Group {
    numbers: NodeMap<u32>,
    nodes: Vec<Node>,
    /// For each node, those that lean on it.
    users: Vec<Vec<u32>>,
    fell: Vec<bool>,
    /// Nodes to look at.
    open: Vec<u32>,
}

/// What a node gives the side that is favoured in its slices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Support {
    Solved,
    Held,
    Nothing,
}

impl Group {
    /// The number of a node. A new one is to be looked at.
    fn number(&mut self, node: Node) -> u32 {
        let next = self.nodes.len() as u32;
        match self.numbers.entry(node) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => {
                place.insert(next);
                self.nodes.push(node);
                self.users.push(Vec::new());
                self.fell.push(false);
                self.open.push(next);
                next
            }
        }
    }

    /// The held nodes that hold a node. `None` if they do not.
    fn supports(
        &self,
        node: Node,
        leaves: &mut Leaves<'_>,
        table: &Table,
    ) -> Result<Option<Vec<Node>>, SolveError> {
        let mut held = Vec::new();
        let mover_is_favoured = leaves.favours_mover(node);
        for child in node.after_moves(&leaves.rules) {
            match (support(node, child, leaves, table)?, mover_is_favoured) {
                (Support::Solved, true) => return Ok(Some(Vec::new())),
                (Support::Held, true) if self.numbers.contains_key(&child) => held.insert(0, child),
                (Support::Held, _) => held.push(child),
                (Support::Nothing, false) => return Ok(None),
                _ => {}
            }
        }
        if mover_is_favoured {
            held.truncate(1);
            return Ok(Some(held).filter(|held| !held.is_empty()));
        }
        Ok(Some(held))
    }
}

/// What a child gives the side that is favoured at its parent.
fn support(
    node: Node,
    child: Node,
    leaves: &mut Leaves<'_>,
    table: &Table,
) -> Result<Support, SolveError> {
    let wanted = !leaves.favours_mover(node);
    let solved = |is_reached| if is_reached == wanted { Support::Solved } else { Support::Nothing };
    if let Some(is_reached) = leaves.known(child)? {
        return Ok(solved(is_reached));
    }
    Ok(match table.get(child) {
        Some(NodeState::Solved(is_reached, _)) => solved(is_reached),
        Some(NodeState::Held) if child.count() == node.count() => Support::Held,
        _ => Support::Nothing,
    })
}
