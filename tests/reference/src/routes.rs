//! How routes are enumerated and played: hop by hop, all of them or one for each state.

use super::common::*;
use std::collections::{BTreeMap, BTreeSet};

/// One hop of the piece that is moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) over: usize,
    pub(crate) to: usize,
    /// The piece hopped over leaves the board.
    pub(crate) captures: bool,
}

/// The hops from a square on a board from which the moving piece has been lifted.
pub(crate) type Hops = fn(&Position, usize) -> Vec<Hop>;

/// The hops from a square those ways: over a piece that `over` accepts, to the empty square behind it.
pub(crate) fn hops_over(
    board: &Position,
    square: usize,
    directions: &[Direction],
    over: impl Fn(usize) -> bool,
    captures: impl Fn(usize) -> bool,
) -> Vec<Hop> {
    let hop = |&direction: &Direction| {
        let between = board.next(square, direction).filter(|&between| over(between))?;
        let to = board.next(between, direction).filter(|&to| board.is_empty(to))?;
        Some(Hop { over: between, to, captures: captures(between) })
    };
    directions.iter().filter_map(hop).collect()
}

/// The board after a hop, the moving piece still lifted.
pub(crate) fn board_after(board: &Position, hop: Hop) -> Position {
    if hop.captures { board.without(hop.over) } else { board.clone() }
}

/// The square of the moving piece and what it has captured.
pub(crate) type State = (usize, BTreeSet<usize>);

/// For each state, the smallest of the shortest routes to it; None if there are more than `limit` states.
///
/// The search is breadth first over states (square, captured pieces). The ways to go on depend on the state alone.
///
/// So one route for each state is enough. The smallest shortest route to a state begins with the smallest shortest
/// route to each state on its way. A smaller beginning would make the whole route smaller.
pub(crate) fn shortest_routes(
    position: &Position,
    origin: usize,
    hops: Hops,
    limit: usize,
) -> Option<BTreeMap<State, Vec<usize>>> {
    let lifted = position.without(origin);
    let mut found: BTreeMap<State, Vec<usize>> = BTreeMap::new();
    let mut level = BTreeMap::from([((origin, BTreeSet::new()), vec![origin])]);
    while !level.is_empty() {
        let mut next: BTreeMap<State, Vec<usize>> = BTreeMap::new();
        for ((square, captured), route) in &level {
            let mut board = lifted.clone();
            for &gone in captured {
                board.cells[gone] = None;
            }
            for hop in hops(&board, *square) {
                let mut captured = captured.clone();
                if hop.captures {
                    captured.insert(hop.over);
                }
                let state = (hop.to, captured);
                let mut route = route.clone();
                route.push(hop.to);
                if found.contains_key(&state) {
                    continue;
                }
                let best = next.entry(state).or_insert_with(|| route.clone());
                if route < *best {
                    *best = route;
                }
            }
        }
        if found.len() + next.len() > limit {
            return None;
        }
        found.extend(next.clone());
        level = next;
    }
    Some(found)
}

/// A depth-first walk over whole routes, every one of them, within bounds.
pub(crate) struct Walk {
    /// No route with more squares than this.
    pub(crate) max_squares: usize,
    /// How many squares may still be entered, over all routes.
    pub(crate) budget: usize,
    /// Only routes of this move.
    pub(crate) only: Option<Identity>,
    /// Only routes that go over these squares.
    pub(crate) along: Option<Vec<usize>>,
    /// The whole turns found.
    pub(crate) turns: Vec<Turn>,
}

impl Walk {
    pub(crate) fn everything() -> Self {
        Self { max_squares: 1024, budget: 5_000_000, only: None, along: None, turns: Vec::new() }
    }

    pub(crate) fn add(&mut self, turn: Turn) {
        let wanted = self.only.as_ref().is_none_or(|identity| turn.identity() == *identity)
            && self.along.as_ref().is_none_or(|squares| turn.squares == *squares);
        if wanted {
            self.turns.push(turn);
        }
    }

    /// Whether the walk goes into this beginning of a route.
    pub(crate) fn enters(&mut self, squares: &[usize], captured: &BTreeSet<usize>) -> bool {
        if squares.len() > self.max_squares
            || self.only.as_ref().is_some_and(|identity| !captured.is_subset(&identity.2))
            || self.along.as_ref().is_some_and(|along| !along.starts_with(squares))
            || self.budget == 0
        {
            return false;
        }
        self.budget -= 1;
        true
    }

    /// Whether all routes were seen before the budget was used up.
    pub(crate) fn is_complete(&self) -> bool {
        self.budget > 0
    }
}

/// The position after the piece on the first square went from square to square.
///
/// A piece that it hopped over (at two squares' distance) leaves the board if `removes` says so.
pub(crate) fn hop_along(
    position: &Position,
    squares: &[usize],
    removes: impl Fn(&Position, usize) -> bool,
) -> (Position, Vec<Piece>) {
    let mut after = position.clone();
    let mut removed = Vec::new();
    for pair in squares.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let over = middle(position, from, to);
        if let Some(over) = over.filter(|&over| removes(position, over)) {
            removed.extend(after.cells[over].take());
        }
        after.cells[to] = after.cells[from].take();
    }
    (after, removed)
}

/// The square between two that are two apart in a straight line.
fn middle(position: &Position, from: usize, to: usize) -> Option<usize> {
    ORTHOGONAL.into_iter().chain(DIAGONAL).find_map(|direction| {
        let over = position.next(from, direction)?;
        (position.next(over, direction) == Some(to)).then_some(over)
    })
}
