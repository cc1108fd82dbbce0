//! The positions from the beginning of the game to the node being searched, and how often each occurred.
//!
//! A score that depends on them must not be reused on another path (the graph-history interaction problem):
//! [`Path::end_node`] says which do.
//!
//! Positions are compared by key: a collision can cost the search a good move, but never change a game's result, which
//! [`leap_core::record::Record`] decides exactly.

use std::collections::HashMap;

use leap_core::{Key, Position, Repetition, keys};

/// How often a position has occurred before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrences {
    /// In the game, the root included.
    pub(super) in_game: u32,
    /// On the way from the root to here, the root not included.
    pub(super) on_path: u32,
    /// The ply of the first of them; 0, the root, for one in the game.
    pub(super) first_ply: usize,
}

impl Occurrences {
    pub(super) const fn total(self) -> u32 {
        self.in_game + self.on_path
    }
}

/// Counters indexed by a key's low bits, which recognise most new positions at once.
const FILTER: usize = 1 << 12;

/// The stack of positions.
#[derive(Debug)]
pub(super) struct Path {
    game: HashMap<Key, u32>,
    /// How often a position may occur before repetition has consequences; `None` if it has none.
    limit: Option<u32>,
    /// The key of the positions of the game that may not occur once more without consequences.
    closed: Key,
    /// Keys of the positions at ply 1, 2 ...
    keys: Vec<Key>,
    filter: Vec<u32>,
    /// The lowest ply that a score found since the node began depends on.
    depends_on: usize,
}

/// The score depends on no position of the path.
const NO_PLY: usize = usize::MAX;

/// The dependency of the parent so far, saved by [`Path::begin_node`] for [`Path::end_node`].
pub(super) struct Before(usize);

impl Path {
    /// The path at the root of a search, after a game of these positions.
    pub(super) fn new<P: Position>(game: &[P], repetition: Repetition) -> Self {
        let limit = match repetition {
            Repetition::Ignored => None,
            Repetition::Ends(limit) | Repetition::Forbids(limit) => Some(limit),
        };
        let mut path = Self {
            game: HashMap::new(),
            limit,
            closed: 0,
            keys: Vec::new(),
            filter: vec![0; FILTER],
            depends_on: NO_PLY,
        };
        for position in game {
            *path.game.entry(position.key()).or_default() += 1;
            path.filter[slot(position.key())] += 1;
        }
        path.closed = path.seen_in_game(limit.map_or(u32::MAX, |limit| limit - 1));
        path
    }

    /// Separates scores by what the game's history means for them: which positions may not occur once more.
    pub(super) const fn closed_key(&self) -> Key {
        self.closed
    }

    /// Separates scores by all of the history that can matter within so many plies. A position comes back after four plies
    /// at the earliest, so within fewer one that has occurred once does not occur for the third time.
    pub(super) fn history_key(&self, plies: i32) -> Key {
        let Some(limit) = self.limit else { return 0 };
        let least = if limit < 3 || plies > PLIES_OF_CYCLE { 1 } else { 2 };
        let on_path =
            |key: &Key| least == 1 || self.count(*key).is_some_and(|seen| seen.total() >= least);
        let keys = self.keys.iter().filter(|key| on_path(key));
        keys.fold(self.seen_in_game(least), |sum, key| sum.wrapping_add(scattered(*key)))
    }

    /// The key of the positions that have occurred at least so often in the game.
    fn seen_in_game(&self, least: u32) -> Key {
        let seen = self.game.iter().filter(|(_, count)| **count >= least);
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

    /// How often a position has occurred; `None` if never. The whole path is searched, across captures too: in most of
    /// the games men come back.
    #[inline]
    pub(super) fn occurrences(&self, key: Key) -> Option<Occurrences> {
        if self.filter[slot(key)] == 0 { None } else { self.count(key) }
    }

    fn count(&self, key: Key) -> Option<Occurrences> {
        let in_game = self.game.get(&key).copied().unwrap_or(0);
        let on_path = self.keys.iter().filter(|past| **past == key).count() as u32;
        let first = self.keys.iter().position(|past| *past == key);
        let first_ply = if in_game > 0 { 0 } else { first? + 1 };
        Some(Occurrences { in_game, on_path, first_ply })
    }

    /// Notes that the score found now depends on a position at `ply`, or before the root (0).
    pub(super) fn depend_on(&mut self, ply: usize) {
        self.depends_on = self.depends_on.min(ply);
    }

    /// Begins a node.
    #[inline]
    pub(super) fn begin_node(&mut self) -> Before {
        Before(std::mem::replace(&mut self.depends_on, NO_PLY))
    }

    /// Ends a node at `ply`: whether its score holds on any path to the node.
    #[inline]
    pub(super) fn end_node(&mut self, before: Before, ply: usize) -> bool {
        let is_path_independent = self.depends_on >= ply;
        let below = if is_path_independent { NO_PLY } else { self.depends_on };
        self.depends_on = before.0.min(below);
        is_path_independent
    }
}

/// No position comes back in fewer plies: nobody can undo what the other has moved.
const PLIES_OF_CYCLE: i32 = 4;

/// A position's part in a sum of positions, whose key is then no longer recognisable.
fn scattered(key: Key) -> Key {
    keys::SplitMix64::new(key).draw()
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
        path.game.insert(7, 2);
        path.filter[slot(7)] += 2;
        path
    }

    #[test]
    fn occurrences_are_counted_in_the_game_and_on_the_path() {
        let mut path = path();
        // The second key shares the first one's counter.
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
