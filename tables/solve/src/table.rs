//! What the search knows of each node: numbers, or which side reaches its goal.

use crate::error::SolveError;
use crate::node::Node;

/// How hard it is for the side to move to reach its goal, and to be kept from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// The work that is left until the side to move has its goal.
    pub(crate) reach: u32,
    /// The work that is left until the other side has kept it from its goal.
    pub(crate) miss: u32,
}

impl Numbers {
    /// No amount of work.
    pub(crate) const NEVER: u32 = 1 << 30;
    /// The side to move reaches its goal.
    pub(crate) const REACHED: Self = Self { reach: 0, miss: Self::NEVER };
    /// The side to move misses its goal.
    pub(crate) const MISSED: Self = Self { reach: Self::NEVER, miss: 0 };

    /// The numbers of a node whose side to move reaches its goal, or misses it.
    pub(crate) const fn solved(is_reached: bool) -> Self {
        if is_reached { Self::REACHED } else { Self::MISSED }
    }

    /// The larger ones of two numbers each.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { reach: self.reach.max(other.reach), miss: self.miss.max(other.miss) }
    }

    /// Whether the side to move reaches its goal, if that is known.
    pub(crate) const fn is_reached(self) -> Option<bool> {
        match self {
            Self { reach: 0, .. } => Some(true),
            Self { miss: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeState {
    /// The numbers, and the binary logarithm of the nodes that were visited for them.
    Open(Numbers, u32),
    /// The side that endless play favours has what it wants, if it has it at other nodes that are held.
    Held,
    /// Whether the side to move reaches its goal, and how many nodes were solved before.
    Solved(bool, u64),
}

/// A place of the table: a node with marks above its bits, and a word for what is known.
pub(crate) type Place = [u64; 2];

const NODE: u64 = (1 << Node::BITS) - 1;
const REACHED: u64 = 1 << Node::BITS;
const MISSED: u64 = 2 << Node::BITS;
const HELD: u64 = 3 << Node::BITS;
const EFFORT: u32 = Node::BITS + 2;
/// The mark of a node that was held at some time.
const WAS_HELD: u64 = 1 << 63;

fn pack(node: Node, known: NodeState) -> Place {
    match known {
        NodeState::Open(Numbers { reach, miss }, effort) => {
            [node.0 | u64::from(effort) << EFFORT, u64::from(reach) << 32 | u64::from(miss)]
        }
        NodeState::Held => [node.0 | HELD | WAS_HELD, 1 << 32 | 1],
        NodeState::Solved(is_reached, before) => {
            [node.0 | if is_reached { REACHED } else { MISSED }, before]
        }
    }
}

/// What is known of the node of a place. `None` if the place is free.
fn unpack(place: Place) -> Option<NodeState> {
    match place[0] & HELD {
        _ if place[0] == 0 => None,
        0 => {
            let numbers = Numbers { reach: (place[1] >> 32) as u32, miss: place[1] as u32 };
            Some(NodeState::Open(numbers, ((place[0] & !WAS_HELD) >> EFFORT) as u32))
        }
        HELD => Some(NodeState::Held),
        mark => Some(NodeState::Solved(mark == REACHED, place[1])),
    }
}

/// A table of fixed size, with linear probing.
pub(crate) struct Table {
    places: Vec<Place>,
    len: usize,
    solved: u64,
}

impl Table {
    /// The bytes of a place.
    pub(crate) const PLACE: usize = size_of::<Place>();

    /// A table with so many places, at least 1024.
    pub(crate) fn new(places: usize) -> Self {
        Self { places: vec![[0; 2]; places.max(1024)], len: 0, solved: 0 }
    }

    /// The nodes in the table.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The nodes that have been solved.
    pub(crate) const fn solved(&self) -> u64 {
        self.solved
    }

    /// The places that are taken.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.places.iter().copied().filter(|place| place[0] != 0)
    }

    /// The place of a node, or the free place where it belongs.
    #[inline]
    fn find(&self, node: Node) -> usize {
        let mut at = node.place(self.places.len());
        loop {
            let found = self.places[at][0];
            if found == 0 || found & NODE == node.0 {
                return at;
            }
            at += 1;
            if at == self.places.len() {
                at = 0;
            }
        }
    }

    /// What is known of a node.
    #[inline]
    pub(crate) fn get(&self, node: Node) -> Option<NodeState> {
        unpack(self.places[self.find(node)])
    }

    /// The place of a node, which is in the table from now on.
    fn place(&mut self, node: Node) -> &mut Place {
        let at = self.find(node);
        self.len += usize::from(self.places[at][0] == 0);
        &mut self.places[at]
    }

    /// Stores numbers. A solved node stays solved.
    pub(crate) fn open(
        &mut self,
        node: Node,
        numbers: Numbers,
        visited: u64,
    ) -> Result<(), SolveError> {
        let place = self.place(node);
        let earlier = match unpack(*place) {
            Some(NodeState::Solved(..)) => return Ok(()),
            Some(NodeState::Open(_, effort)) => 1u64 << effort,
            Some(NodeState::Held) | None => 0,
        };
        let effort = (earlier + visited).max(1).ilog2().min(62);
        let was_held = place[0] & WAS_HELD;
        *place = pack(node, NodeState::Open(numbers, effort));
        place[0] |= was_held;
        self.make_room()
    }

    /// Marks a node as held. Returns whether it was never held before.
    pub(crate) fn hold(&mut self, node: Node) -> Result<bool, SolveError> {
        let place = self.place(node);
        match unpack(*place) {
            Some(NodeState::Solved(..)) => return Ok(false),
            None => *place = pack(node, NodeState::Open(Numbers { reach: 1, miss: 1 }, 0)),
            _ => {}
        }
        let is_new = place[0] & WAS_HELD == 0;
        // The numbers stay for the case that the node is opened again.
        place[0] |= HELD | WAS_HELD;
        self.make_room()?;
        Ok(is_new)
    }

    /// Opens a node that was held. What the favoured side wants there is harder than it seemed.
    pub(crate) fn drop_held(&mut self, node: Node, favours_mover: bool) {
        let at = self.find(node);
        let place = &mut self.places[at];
        if place[0] & HELD == HELD {
            place[0] &= !HELD;
            let step = if favours_mover { 1 << 32 } else { 1 };
            place[1] += step;
        }
    }

    /// Marks a node as solved.
    pub(crate) fn solve(&mut self, node: Node, is_reached: bool) -> Result<(), SolveError> {
        let before = self.solved;
        let place = self.place(node);
        if let Some(NodeState::Solved(..)) = unpack(*place) {
            return Ok(());
        }
        *place = pack(node, NodeState::Solved(is_reached, before));
        self.solved += 1;
        self.make_room()
    }

    /// Puts a place of an earlier table back.
    pub(crate) fn restore(&mut self, place: Place) -> Result<(), SolveError> {
        *self.place(Node(place[0] & NODE)) = place;
        if let Some(NodeState::Solved(_, before)) = unpack(place) {
            self.solved = self.solved.max(before + 1);
        }
        self.make_room()
    }

    /// Forgets open nodes that took little work, once three quarters of the places are taken.
    fn make_room(&mut self) -> Result<(), SolveError> {
        if self.len <= self.places.len() / 4 * 3 {
            return Ok(());
        }
        let mut by_effort = [0usize; 64];
        for place in self.places() {
            if let Some(NodeState::Open(_, effort)) = unpack(place) {
                by_effort[effort as usize] += 1;
            }
        }
        let wanted = self.len - self.places.len() / 5 * 2;
        let (mut below, mut freed) = (0, 0);
        while freed < wanted && below < 64 {
            freed += by_effort[below];
            below += 1;
        }
        if freed < self.places.len() / 16 {
            return Err(SolveError::Memory);
        }
        self.forget(below as u32);
        Ok(())
    }

    fn forget(&mut self, below: u32) {
        let mut at = 0;
        while at < self.places.len() {
            match unpack(self.places[at]) {
                Some(NodeState::Open(_, effort)) if effort < below => self.remove(at),
                _ => at += 1,
            }
        }
    }

    /// Empties a place, and moves later nodes up that would no longer be found.
    fn remove(&mut self, mut hole: usize) {
        let size = self.places.len();
        let mut at = hole;
        loop {
            at = (at + 1) % size;
            let place = self.places[at];
            if place[0] == 0 {
                break;
            }
            let home = Node(place[0] & NODE).place(size);
            // The node may move into the hole unless its home lies after the hole.
            let from_home = (at + size - home) % size;
            let from_hole = (at + size - hole) % size;
            if from_home >= from_hole {
                self.places[hole] = place;
                hole = at;
            }
        }
        self.places[hole] = [0; 2];
        self.len -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(at: u64) -> Node {
        Node(1 + at * 0x1_0003)
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = Table::new(1024);
        let numbers = Numbers { reach: 7, miss: 9 };
        table.open(node(1), numbers, 5).unwrap();
        table.solve(node(2), false).unwrap();
        assert_eq!(table.get(node(1)), Some(NodeState::Open(numbers, 2)));
        assert_eq!(table.get(node(2)), Some(NodeState::Solved(false, 0)));
        assert_eq!(table.get(node(3)), None);
        table.open(node(2), numbers, 1).unwrap();
        assert_eq!(table.get(node(2)), Some(NodeState::Solved(false, 0)), "solved nodes stay");
        assert_eq!((table.len(), table.solved()), (2, 1));
    }

    #[test]
    fn solved_nodes_and_those_of_much_work_stay_when_room_is_made() {
        let mut table = Table::new(1024);
        let numbers = Numbers { reach: 1, miss: 1 };
        for at in 0..200 {
            table.solve(node(at), at % 2 == 0).unwrap();
        }
        table.open(node(5_000), numbers, 1 << 20).unwrap();
        for at in 1_000..4_000 {
            table.open(node(at), numbers, 1).unwrap();
        }
        assert!(table.len() <= 768);
        for at in 0..200 {
            assert_eq!(table.get(node(at)), Some(NodeState::Solved(at % 2 == 0, at)));
        }
        assert_eq!(table.get(node(5_000)), Some(NodeState::Open(numbers, 20)));
        let whole: Vec<Place> = table.places().collect();
        assert_eq!(whole.len(), table.len());
        assert!(whole.iter().all(|place| table.get(Node(place[0] & NODE)).is_some()));
    }

    #[test]
    fn a_table_of_solved_nodes_alone_is_full() {
        let mut table = Table::new(1024);
        let stored: Result<(), SolveError> =
            (0..1_000).try_for_each(|at| table.solve(node(at), true));
        assert!(matches!(stored, Err(SolveError::Memory)), "{stored:?}");
    }
}
