//! The tree of a Monte Carlo search. All nodes are in one array, with the children of a node side by side.

use std::cmp::Reverse;
use std::ops::Range;

use leap_core::{GameResult, Side};

/// The exploration constant of UCB1 for results from 0 to 1 (P. Auer, N. Cesa-Bianchi, P. Fischer, "Finite-time
/// analysis of the multiarmed bandit problem", 2002).
const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// The position after a move, and how the playouts through it ended.
pub(super) struct Node<M> {
    /// The move that leads here.
    pub(super) mv: M,
    /// Playouts through this node.
    visits: u32,
    /// The sum of the playouts' results for the side that made the move: 2 for a win, 1 for a draw.
    half_wins: u32,
    pub(super) state: State,
}

/// What is known about a node's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing yet.
    New,
    /// The game goes on.
    Leaf,
    /// The game goes on, and these are the children.
    Inner { first: u32, count: u32 },
    /// The game is over.
    Ended(GameResult),
}

impl<M> Node<M> {
    const fn new(mv: M) -> Self {
        Self { mv, visits: 0, half_wins: 0, state: State::New }
    }

    /// The mean result for the side that made the move: 1 for a win, ½ for a draw. Without a playout it is ½.
    pub(super) fn mean(&self) -> f64 {
        if self.visits == 0 {
            return 0.5;
        }
        f64::from(self.half_wins) / (2.0 * f64::from(self.visits))
    }

    /// The order of nodes: by visits, then by results.
    const fn rank(&self) -> (u32, u32) {
        (self.visits, self.half_wins)
    }
}

/// The tree below a root that has moves.
pub(super) struct Tree<M> {
    /// The root's children first.
    nodes: Vec<Node<M>>,
    /// The number of moves of the root.
    pub(super) root_len: usize,
    pub(super) playouts: u32,
    /// The number of nodes up to which the tree grows.
    capacity: usize,
}

impl<M: Copy> Tree<M> {
    /// A tree with the root's moves, which are tried in this order. It grows up to `mib` MiB, or less if memory is
    /// short.
    pub(super) fn new(moves: Vec<M>, mib: usize) -> Self {
        let bytes = mib.saturating_mul(1 << 20);
        let most = (bytes / size_of::<Node<M>>()).min(u32::MAX as usize);
        let mut nodes: Vec<Node<M>> = moves.into_iter().map(Node::new).collect();
        let root_len = nodes.len();
        let mut room = most.saturating_sub(root_len);
        // All memory is reserved now: growing would temporarily exceed the limit.
        while nodes.try_reserve_exact(room).is_err() {
            room /= 2;
        }
        Self { nodes, root_len, playouts: 0, capacity: root_len + room }
    }

    pub(super) fn node(&self, index: usize) -> &Node<M> {
        &self.nodes[index]
    }

    /// Whether the tree has no room for more nodes.
    pub(super) const fn is_full(&self) -> bool {
        self.nodes.len() >= self.capacity
    }

    pub(super) fn fill_permille(&self) -> u32 {
        (self.nodes.len() as u64 * 1000 / self.capacity.max(1) as u64).min(1000) as u32
    }

    /// Sets the state of a node, and returns the state.
    pub(super) fn set_state(&mut self, index: usize, state: State) -> State {
        self.nodes[index].state = state;
        state
    }

    /// Adds the children of a node. Where they do not fit, the node stays a leaf and the tree is full.
    pub(super) fn expand(&mut self, index: usize, moves: &[M]) -> State {
        let (first, count) = (self.nodes.len(), moves.len());
        if count > self.capacity - first {
            self.capacity = first;
            return self.nodes[index].state;
        }
        self.nodes.extend(moves.iter().map(|mv| Node::new(*mv)));
        let state = State::Inner { first: first as u32, count: count as u32 };
        self.nodes[index].state = state;
        state
    }

    /// The root move to play out next.
    pub(super) fn select_root(&self) -> usize {
        self.select(0..self.root_len, self.playouts)
    }

    /// The move to play out next after an inner node.
    pub(super) fn select_below(&self, index: usize) -> usize {
        self.select(self.children(index), self.nodes[index].visits)
    }

    /// The first unvisited move; otherwise the one with the highest UCB1 bound.
    fn select(&self, children: Range<usize>, visits: u32) -> usize {
        let log = f64::from(visits.max(1)).ln();
        let mut best = (f64::NEG_INFINITY, children.start);
        for index in children {
            let node = &self.nodes[index];
            if node.visits == 0 {
                return index;
            }
            let bound = node.mean() + EXPLORATION * (log / f64::from(node.visits)).sqrt();
            if bound > best.0 {
                best = (bound, index);
            }
        }
        best.1
    }

    /// Adds a playout's result to the nodes that it went through, each with the side that moved there.
    pub(super) fn backpropagate(&mut self, path: &[(usize, Side)], result: GameResult) {
        self.playouts += 1;
        for (index, side) in path {
            let node = &mut self.nodes[*index];
            node.visits += 1;
            node.half_wins += match result {
                GameResult::Draw => 1,
                GameResult::Win(winner) => 2 * u32::from(winner == *side),
            };
        }
    }

    /// The most visited root move.
    pub(super) fn best(&self) -> usize {
        self.most_visited(0..self.root_len).unwrap_or(0)
    }

    /// The root moves with visits, the most visited first.
    pub(super) fn ranked(&self) -> Vec<usize> {
        let mut ranked: Vec<usize> =
            (0..self.root_len).filter(|index| self.nodes[*index].visits > 0).collect();
        ranked.sort_by_key(|index| Reverse(self.nodes[*index].rank()));
        ranked
    }

    /// The line of the most visited moves that begins with a root move.
    pub(super) fn line(&self, root: usize) -> Vec<M> {
        let next = |index: &usize| self.most_visited(self.children(*index));
        let nodes = std::iter::successors(Some(root), next);
        nodes.map(|index| self.nodes[index].mv).collect()
    }

    /// The best child by [`Node::rank`], the first of equals. `None` if no child was visited.
    fn most_visited(&self, children: Range<usize>) -> Option<usize> {
        let visited = children.filter(|index| self.nodes[*index].visits > 0);
        visited.min_by_key(|index| Reverse(self.nodes[*index].rank()))
    }

    /// The children of a node. Only inner nodes have children.
    fn children(&self, index: usize) -> Range<usize> {
        match self.nodes[index].state {
            State::Inner { first, count } => first as usize..first as usize + count as usize,
            State::New | State::Leaf | State::Ended(_) => 0..0,
        }
    }
}
