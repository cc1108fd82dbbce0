//! Proof-number search, depth first, on a graph with cycles.
//!
//! The search asks whether the *prover* gets at least some outcome. Every node has two numbers: the work to reach the
//! goal of the side to move, and the work to refute it. The search goes down to the node that promises an answer with
//! the least work, until the numbers reach a threshold.
//!
//! To refute a goal, all moves of its side must be refuted. This work is that of the hardest move, and one for each
//! other move. A sum would count a position again for every move that leads to it.
//!
//! What is marked as solved never hangs on the path. A position that comes back is not solved, it is held: see
//! [`closure`](mod@crate::closure).

use std::ops::ControlFlow;

use leap_games::alquerque::{Alquerque, CaptureRule};
use leap_tables::{Men, Wdl};

use crate::closure::close;
use crate::error::SolveError;
use crate::leaves::Leaves;
use crate::node::{Node, NodeMap};
use crate::table::{NodeState, Numbers, Table};

/// The most nodes of a path.
const LONGEST: usize = 4_000;
/// The nodes between two looks at the clock.
const TICK: u64 = 1 << 10;
/// The plies of captures that a first estimate looks ahead, for optional and for mandatory captures.
/// Optional captures branch too much for more.
const ESTIMATE: [u32; 2] = [2, 6];

/// Looks at the clock, at the nodes that were visited, and at the numbers of the root. It may write the table, or end the
/// search with an error.
pub(crate) type Watch<'a> = dyn FnMut(&Table, u64, Numbers) -> Result<(), SolveError> + 'a;

/// A node after a move.
struct Child {
    node: Node,
    kind: Kind,
    /// The numbers before a search.
    first: Numbers,
    /// The least numbers, after a search of this node that could not be stored.
    floor: Numbers,
    numbers: Numbers,
    /// Whether the numbers are those of a solved node, but the node is only held or on the path.
    is_held: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The end of the game, or a value from a table.
    Leaf,
    Capture,
    Step,
}

/// A search for one goal.
pub(crate) struct Search<'a> {
    pub(crate) leaves: Leaves<'a>,
    pub(crate) table: Table,
    /// The nodes on the path.
    path: NodeMap<()>,
    /// The children of all nodes on the path.
    children: Vec<Child>,
    /// How many nodes were held for the first time.
    held: u64,
    /// The nodes that were visited.
    pub(crate) visited: u64,
    /// The numbers of the root.
    pub(crate) root: Numbers,
}

/// The numbers of a node, and what they hang on.
#[derive(Clone, Copy)]
struct Found {
    numbers: Numbers,
    /// Whether the node is held, not solved.
    is_held: bool,
    /// The number of the child to search next, and its thresholds.
    next: Option<(usize, Numbers)>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(leaves: Leaves<'a>, table: Table) -> Self {
        Self {
            leaves,
            table,
            path: NodeMap::default(),
            children: Vec::new(),
            held: 0,
            visited: 0,
            root: Numbers { reach: 1, miss: 1 },
        }
    }

    /// Whether the prover, who moves, reaches the goal.
    pub(crate) fn run(&mut self, root: Node, watch: &mut Watch<'_>) -> Result<bool, SolveError> {
        if let Some(is_reached) = self.leaves.known(root)? {
            return Ok(is_reached);
        }
        let most = Numbers::NEVER - 1;
        self.visit(root, false, Numbers { reach: most, miss: most }, watch)?;
        match self.table.get(root) {
            Some(NodeState::Solved(is_reached, _)) => Ok(is_reached),
            _ => Err(SolveError::Long),
        }
    }

    /// The numbers before a search: more for a goal that is further away by the count of men.
    fn first(&self, node: Node) -> Numbers {
        let Leaves { goal, rules, .. } = &self.leaves;
        let ahead = ahead(node.men(), rules, ESTIMATE[rules.capture as usize]);
        let is_favoured = (Wdl::Draw >= *goal) == node.prover_moves();
        let margin = 2 * ahead + if is_favoured { 1 } else { -1 };
        let work = |margin: i32| 1u32 << ((3 - margin) / 2).clamp(0, 10);
        Numbers { reach: work(margin), miss: work(-margin) }
    }

    /// Adds the children of a node, each once.
    fn expand(&mut self, node: Node) -> Result<(), SolveError> {
        let first = self.children.len();
        let (men, prover_moves) = (node.men(), node.prover_moves());
        let mut nodes = std::mem::take(&mut self.children);
        men.visit_moves(&self.leaves.rules, |after| {
            let node = Node::new(after, !prover_moves);
            let is_step = after.slice().men() == men.slice().men();
            if nodes[first..].iter().all(|child| child.node != node) {
                let unknown = Numbers { reach: 1, miss: 1 };
                nodes.push(Child {
                    node,
                    kind: if is_step { Kind::Step } else { Kind::Capture },
                    first: unknown,
                    floor: Numbers { reach: 0, miss: 0 },
                    numbers: unknown,
                    is_held: false,
                });
            }
        });
        self.children = nodes;
        for at in first..self.children.len() {
            let node = self.children[at].node;
            if let Some(is_reached) = self.leaves.known(node)? {
                self.children[at].kind = Kind::Leaf;
                self.children[at].numbers = Numbers::solved(is_reached);
            } else if self.table.get(node).is_none() {
                self.children[at].first = self.first(node);
            }
        }
        Ok(())
    }

    /// Brings the numbers of a child of the last node on the path up to date.
    fn update(&mut self, at: usize) {
        let child = &self.children[at];
        let (node, is_step) = (child.node, child.kind == Kind::Step);
        if child.kind == Kind::Leaf {
            return;
        }
        let held = Numbers::solved(self.leaves.favours_mover(node));
        let (numbers, is_held) = match self.table.get(node) {
            Some(NodeState::Solved(is_reached, _)) => (Numbers::solved(is_reached), false),
            Some(NodeState::Held) if is_step => (held, true),
            _ if is_step && self.path.contains_key(&node) => (held, true),
            Some(NodeState::Open(numbers, _)) => (numbers.max(child.floor), false),
            Some(NodeState::Held) | None => (child.first.max(child.floor), false),
        };
        let child = &mut self.children[at];
        (child.numbers, child.is_held) = (numbers, is_held);
    }

    /// The numbers of the last node on the path, by those of its children.
    fn combine(&self, first: usize, most: Numbers) -> Found {
        let children = &self.children[first..];
        let reaching = children.iter().filter(|child| child.numbers.miss == 0);
        if let Some(is_held) = reaching.map(|child| child.is_held).min() {
            return Found { numbers: Numbers::REACHED, is_held, next: None };
        }
        let open = || children.iter().filter(|child| child.numbers.reach != 0);
        let Some(hardest) = open().map(|child| child.numbers.reach).max() else {
            let is_held = children.iter().any(|child| child.is_held);
            return Found { numbers: Numbers::MISSED, is_held, next: None };
        };
        let others = open().count() as u32 - 1;
        let (mut best, mut second) = (usize::MAX, Numbers::NEVER);
        let mut least = Numbers::NEVER;
        for (at, child) in children.iter().enumerate() {
            if child.numbers.reach == 0 {
                continue;
            }
            if best == usize::MAX || child.numbers.miss < least {
                second = least;
                (best, least) = (at, child.numbers.miss);
            } else {
                second = second.min(child.numbers.miss);
            }
        }
        let miss = (hardest.saturating_add(others)).min(Numbers::NEVER - 1);
        let thresholds = Numbers {
            reach: most.miss.saturating_sub(others).max(1),
            miss: most.reach.min(second.saturating_add(second / 4 + 1)),
        };
        let numbers = Numbers { reach: least, miss };
        let is_done = numbers.reach >= most.reach || numbers.miss >= most.miss;
        let next = (!is_done).then_some((first + best, thresholds));
        Found { numbers, is_held: false, next }
    }

    /// Visits a node until its numbers reach a threshold, and stores them. Returns them if they are not solved.
    fn visit(
        &mut self,
        node: Node,
        is_step: bool,
        most: Numbers,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Numbers>, SolveError> {
        let depth = self.path.len();
        if depth >= LONGEST {
            return Ok(Some(most));
        }
        let (before, marks) = (self.visited, self.marks());
        self.visited += 1;
        if self.visited.is_multiple_of(TICK) {
            watch(&self.table, self.visited, self.root)?;
        }
        self.path.insert(node, ());
        let first = self.children.len();
        self.expand(node)?;
        let found = loop {
            for at in first..self.children.len() {
                self.update(at);
            }
            let found = self.combine(first, most);
            if depth == 0 {
                self.root = found.numbers;
            }
            if let Some((at, thresholds)) = found.next {
                let (child, is_step) =
                    (self.children[at].node, self.children[at].kind == Kind::Step);
                if let Some(numbers) = self.visit(child, is_step, thresholds, watch)? {
                    self.children[at].floor = numbers;
                }
            } else if !found.is_held || is_step {
                break found;
            } else {
                // The path has entered these slices here: nothing that is held needs a node above this one.
                self.table.hold(node)?;
                close(node, &mut self.leaves, &mut self.table)?;
            }
        };
        self.children.truncate(first);
        self.path.remove(&node);
        self.store(node, found, before, marks)
    }

    /// What was found so far: nodes that are solved or were held.
    const fn marks(&self) -> u64 {
        self.table.solved() + self.held
    }

    /// Stores what was found about a node that has left the path.
    fn store(
        &mut self,
        node: Node,
        found: Found,
        before: u64,
        marks: u64,
    ) -> Result<Option<Numbers>, SolveError> {
        if let Some(is_reached) = found.numbers.is_reached() {
            if found.is_held {
                self.held += u64::from(self.table.hold(node)?);
            } else {
                self.table.solve(node, is_reached)?;
            }
            return Ok(None);
        }
        // Numbers that hang on the path could go up and down for ever. Unless something was found, they only go up.
        let numbers = match self.table.get(node) {
            Some(NodeState::Open(earlier, _)) if self.marks() == marks => {
                earlier.max(found.numbers)
            }
            _ => found.numbers,
        };
        self.table.open(node, numbers, self.visited - before)?;
        Ok(Some(found.numbers))
    }
}

/// How many men the side to move is ahead after all captures, a few plies deep.
fn ahead(men: Men, rules: &Alquerque, plies: u32) -> i32 {
    let slice = men.slice();
    let now = slice.own as i32 - slice.enemy as i32;
    if plies == 0 {
        return now;
    }
    let mut best = None;
    let _ = men.visit_captures(rules, |after| {
        best = best.max(Some(-ahead(after, rules, plies - 1)));
        ControlFlow::Continue(())
    });
    match best {
        Some(best) if rules.capture == CaptureRule::Mandatory => best,
        _ => best.map_or(now, |best| best.max(now)),
    }
}
