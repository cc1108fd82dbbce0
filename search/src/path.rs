//! The positions from the beginning of the game to the node being searched, and how often each occurred.
//!
//! A score that depends on these positions must not be reused on another path (graph-history interaction).
//! [`Path::end_node`] says which scores depend on them.
//!
//! Positions are compared by key. A collision can cost the search a good move, but it cannot change a game's result.
//! [`leap_core::Game`] decides results exactly.

use std::collections::HashMap;

use leap_core::{Key, Position, Repetition, SplitMix64};

/// How often a position has occurred before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrences {
    /// In the game, including the root.
    pub(super) in_game: u32,
    /// On the way from the root to here, without the root.
    pub(super) on_path: u32,
    /// The ply of the first occurrence. An occurrence in the game counts as ply 0, the root.
    pub(super) first_ply: usize,
}

impl Occurrences {
    pub(super) const fn total(self) -> u32 {
        self.in_game + self.on_path
    }
}

/// The number of counters, indexed by a key's low bits. They recognise most new positions immediately.
const FILTER: usize = 1 << 12;

/// The stack of positions.
#[derive(Debug)]
pub(super) struct Path {
    /// How often each position has occurred in the game.
    in_game: HashMap<Key, u32>,
    /// The number of occurrences at which repetition has consequences. `None` if it never has any.
    limit: Option<u32>,
    /// Separates scores by the game's positions whose next occurrence ends the game or is forbidden.
    closed: Key,
    /// The keys of the positions at ply 1, 2 and so on.
    keys: Vec<Key>,
    filter: Vec<u32>,
    /// The lowest ply that the scores of this node depend on so far.
    depends_on: usize,
}

/// Stands for a score that depends on no position of the path.
const NO_PLY: usize = usize::MAX;

/// What the score of the parent depends on so far. [`Path::begin_node`] saves it for [`Path::end_node`].
pub(super) struct PathDependency(usize);

impl Path {
    /// The path at the root of a search, after a game of these positions.
    pub(super) fn new<P: Position>(game: &[P], repetition: Repetition) -> Self {
        let limit = match repetition {
            Repetition::Ignored => None,
            Repetition::Ends(limit) | Repetition::Forbids(limit) => Some(limit),
        };
        let mut path = Self {
            in_game: HashMap::new(),
            limit,
            closed: 0,
            keys: Vec::new(),
            filter: vec![0; FILTER],
            depends_on: NO_PLY,
        };
        for position in game {
            *path.in_game.entry(position.key()).or_default() += 1;
            path.filter[slot(position.key())] += 1;
        }
        path.closed = path.seen_in_game(limit.map_or(u32::MAX, |limit| limit - 1));
        path
    }

    /// A key that separates scores by the game's positions whose next occurrence ends the game or is forbidden.
    pub(super) const fn closed_key(&self) -> Key {
        self.closed
    }

    /// A key that separates scores by all of the history that can matter within this many plies.
    ///
    /// A position comes back after four plies at the earliest. Within fewer plies, a position that has occurred once
    /// does not occur for the third time.
    pub(super) fn history_key(&self, plies: i32) -> Key {
        let Some(limit) = self.limit else { return 0 };
        let least = if limit < 3 || plies > PLIES_OF_CYCLE { 1 } else { 2 };
        let on_path =
            |key: &Key| least == 1 || self.count(*key).is_some_and(|seen| seen.total() >= least);
        let keys = self.keys.iter().filter(|key| on_path(key));
        keys.fold(self.seen_in_game(least), |sum, key| sum.wrapping_add(scattered(*key)))
    }

    /// The key of the positions that have occurred at least `least` times in the game.
    fn seen_in_game(&self, least: u32) -> Key {
        let seen = self.in_game.iter().filter(|(_, count)| **count >= least);
        seen.fold(0, |sum, (key, count)| {
            sum.wrapping_add(scattered(*key).wrapping_mul(Key::from(*count)))
        })
    }

    #[inline]
    pub(super) fn push(&mut self, key: Key) {
        self.keys.push(key);
        self.filter[slot(key)] += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.filter[slot(key)] -= 1;
        }
    }

    /// How often a position has occurred. `None` if never.
    ///
    /// The whole path is searched, even across captures: in most games men come back.
    #[inline]
    pub(super) fn occurrences(&self, key: Key) -> Option<Occurrences> {
        if self.filter[slot(key)] == 0 { None } else { self.count(key) }
    }

    fn count(&self, key: Key) -> Option<Occurrences> {
        let in_game = self.in_game.get(&key).copied().unwrap_or(0);
        let on_path = self.keys.iter().filter(|past| **past == key).count() as u32;
        let first = self.keys.iter().position(|past| *past == key);
        let first_ply = if in_game > 0 { 0 } else { first? + 1 };
        Some(Occurrences { in_game, on_path, first_ply })
    }

    /// Notes that the current score depends on a position at `ply`. Ply 0 also stands for positions before the root.
    pub(super) fn depend_on(&mut self, ply: usize) {
        self.depends_on = self.depends_on.min(ply);
    }

    /// Begins a node.
    #[inline]
    pub(super) fn begin_node(&mut self) -> PathDependency {
        PathDependency(std::mem::replace(&mut self.depends_on, NO_PLY))
    }

    /// Ends a node at `ply`, and returns whether its score holds on any path to the node.
    #[inline]
    pub(super) fn end_node(&mut self, parent: PathDependency, ply: usize) -> bool {
        let is_path_independent = self.depends_on >= ply;
        let below = if is_path_independent { NO_PLY } else { self.depends_on };
        self.depends_on = parent.0.min(below);
        is_path_independent
    }
}

/// The fewest plies after which a position comes back. No player can undo a move of the other, so each needs two plies.
const PLIES_OF_CYCLE: i32 = 4;

/// Hashes a key that is added to a sum.
///
/// The key itself could cancel out in [`Worker::table_key`](super::worker::Worker::table_key).
fn scattered(key: Key) -> Key {
    SplitMix64::new(key).draw()
}

const fn slot(key: Key) -> usize {
    key as usize % FILTER
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        let game: &[leap_games::alquerque::AlquerquePosition] = &[];
        let mut path = Path::new(game, Repetition::Ends(3));
        path.in_game.insert(7, 2);
        path.filter[slot(7)] += 2;
        path
    }

    #[test]
    fn occurrences_are_counted_in_the_game_and_on_the_path() {
        let mut path = path();
        // The second key shares the counter of the first.
        for key in [1, 1 + FILTER as u64, 7] {
            path.push(key);
        }
        let seen = |key| path.occurrences(key);
        assert_eq!(seen(1), Some(Occurrences { in_game: 0, on_path: 1, first_ply: 1 }));
        assert_eq!(seen(1 + FILTER as u64).unwrap().first_ply, 2);
        assert_eq!(seen(1 + 2 * FILTER as u64), None);
        assert_eq!(seen(7), Some(Occurrences { in_game: 2, on_path: 1, first_ply: 0 }));
        path.pop();
        assert_eq!(path.occurrences(7).unwrap().total(), 2);
        path.pop();
        path.pop();
        assert_eq!(path.occurrences(1), None);
    }

    #[test]
    fn what_repetition_can_do_within_some_plies_is_in_the_key() {
        let mut path = path();
        let (near, far) = (path.history_key(4), path.history_key(5));
        assert_eq!(near, far, "7 alone has occurred, twice");
        path.push(1);
        assert_eq!(path.history_key(4), near);
        assert_ne!(path.history_key(5), far);
        path.push(2);
        let key = path.history_key(5);
        path.push(1);
        assert_ne!(path.history_key(4), near, "1 has occurred twice");
        for _ in 0..3 {
            path.pop();
        }
        for other in [2, 1] {
            path.push(other);
        }
        assert_eq!(path.history_key(5), key, "in whatever order");
    }

    #[test]
    fn a_score_depends_on_the_path_only_below_the_repeated_position() {
        let mut path = path();
        let outer = path.begin_node();
        let inner = path.begin_node();
        path.depend_on(2);
        assert!(!path.end_node(inner, 3));
        assert!(path.end_node(outer, 2));
        let later = path.begin_node();
        assert!(path.end_node(later, 3));
    }
}
