//! The values of all positions of a board, by repeated passes until nothing changes.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use leap_core::{Square, SquareSet};

use super::rules::{SmallBoard, State};

/// The number of sets of own pieces that a thread takes at a time.
const CHUNK: usize = 256;

/// What is known of a position. A position that stays open is a draw: neither side can force its end (SPEC 13.18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Known {
    Open,
    Won,
    Lost,
}

/// All positions of a board with at most the pieces that the sides own, and what is known of them.
pub(crate) struct Solution {
    board: SmallBoard,
    /// All sets of own pieces.
    sets: Vec<SquareSet>,
    /// For each set of own pieces, the index of its first position.
    begins: Vec<u64>,
    /// For each set, its number among the sets of as many squares.
    ranks: Vec<u32>,
    /// For the number of squares left by the own pieces, and of enemy pieces: the sets of fewer enemy pieces.
    fewer: Vec<Vec<u64>>,
    known: Vec<AtomicU8>,
}

impl Solution {
    /// Solves a board of at most 20 squares.
    pub(crate) fn new(board: SmallBoard) -> Self {
        let (squares, pieces) = (board.squares(), board.pieces());
        let mut solution = Self::unsolved(board);
        let total = solution.begins.last().copied().unwrap_or_default();
        solution.known = (0..total).map(|_| AtomicU8::new(Known::Open as u8)).collect();
        println!("{squares} squares, {pieces} pieces a side: {total} positions");
        for pass in 1.. {
            let settled = solution.pass();
            println!("pass {pass}: {settled} positions settled");
            if settled == 0 {
                break;
            }
        }
        let open = solution.known.iter().filter(|known| known.load(Relaxed) == Known::Open as u8);
        println!("{} positions are drawn", open.count());
        solution
    }

    fn unsolved(board: SmallBoard) -> Self {
        let (squares, pieces) = (board.squares(), board.pieces());
        let mut counts = vec![0; squares as usize + 1];
        let all = || (0..1 << squares).map(SquareSet);
        let rank = |set: SquareSet| {
            let count = &mut counts[set.len() as usize];
            *count += 1;
            *count - 1
        };
        let ranks = all().map(rank).collect();
        let fewer: Vec<Vec<u64>> = (0..=squares)
            .map(|free| {
                let sums = |sum: &mut u64, count| {
                    let before = *sum;
                    *sum += choose(free, count);
                    Some(before)
                };
                (0..=pieces + 1).scan(0, sums).collect()
            })
            .collect();
        let sets = all().filter(|set| set.len() <= pieces).collect();
        let mut begins = vec![0; (1 << squares) + 1];
        for (at, set) in all().enumerate() {
            let size = match set.len() {
                own if own <= pieces => fewer[(squares - own) as usize][pieces as usize + 1],
                _ => 0,
            };
            begins[at + 1] = begins[at] + size;
        }
        Self { board, sets, begins, ranks, fewer, known: Vec::new() }
    }

    pub(crate) fn board(&self) -> &SmallBoard {
        &self.board
    }

    pub(crate) fn known(&self, state: State) -> Known {
        match self.known[self.index(state)].load(Relaxed) {
            1 => Known::Won,
            2 => Known::Lost,
            _ => Known::Open,
        }
    }

    fn index(&self, State { own, enemy }: State) -> usize {
        let free = self.board.squares() - own.len();
        let fewer = self.fewer[free as usize][enemy.len() as usize];
        let shifted =
            |square: Square| Square::new(square.index() - own.below(square).len() as usize);
        let enemy: SquareSet = enemy.into_iter().map(shifted).collect();
        (self.begins[own.0 as usize] + fewer) as usize + self.ranks[enemy.0 as usize] as usize
    }

    /// Calls a function with all positions, some at a time on each processor.
    pub(crate) fn each(&self, visit: &(dyn Fn(State) + Sync)) {
        let next = AtomicU64::new(0);
        let work = || {
            loop {
                let from = next.fetch_add(CHUNK as u64, Relaxed) as usize;
                let Some(sets) = self.sets.get(from..self.sets.len().min(from + CHUNK)) else {
                    return;
                };
                for own in sets {
                    let others = self.sets.iter().filter(|set| !set.intersects(*own));
                    others.for_each(|enemy| visit(State { own: *own, enemy: *enemy }));
                }
            }
        };
        thread::scope(|scope| {
            let processors = thread::available_parallelism().map_or(1, usize::from);
            (0..processors).for_each(|_| drop(scope.spawn(work)));
        });
    }

    /// Looks at all open positions once. The number of those that are now known.
    fn pass(&self) -> u64 {
        let settled = AtomicU64::new(0);
        self.each(&|state| {
            if self.known(state) != Known::Open {
                return;
            }
            let mut is_lost = true;
            let is_won = self.board.any_after(state, |next| {
                let known = self.known(next);
                is_lost &= known == Known::Won;
                known == Known::Lost
            });
            let known = match (is_won, is_lost) {
                (true, _) => Known::Won,
                (false, true) => Known::Lost,
                _ => return,
            };
            self.known[self.index(state)].store(known as u8, Relaxed);
            settled.fetch_add(1, Relaxed);
        });
        settled.load(Relaxed)
    }
}

/// The number of sets of `count` out of `of`.
fn choose(of: u32, count: u32) -> u64 {
    (0..u64::from(count))
        .fold(1, |ways, taken| ways * u64::from(of).saturating_sub(taken) / (taken + 1))
}

#[cfg(test)]
mod tests {
    use leap_core::Geometry;

    use super::*;

    /// A position is won if a turn leads to a lost one, and lost if all turns lead to won ones.
    #[test]
    fn values_follow_from_those_after_each_turn() {
        let solution = Solution::new(SmallBoard::new(Geometry { files: 4, ranks: 3 }, 3));
        let seen = [(); 3].map(|()| AtomicU64::new(0));
        solution.each(&|state| {
            let mut after = Vec::new();
            solution.board.any_after(state, |next| {
                after.push(solution.known(next));
                false
            });
            let known = solution.known(state);
            let expected = if after.contains(&Known::Lost) {
                Known::Won
            } else if after.iter().all(|known| *known == Known::Won) {
                Known::Lost
            } else {
                Known::Open
            };
            assert_eq!(known, expected, "{state:?}");
            seen[known as usize].fetch_add(1, Relaxed);
        });
        assert!(seen.iter().skip(1).all(|count| count.load(Relaxed) > 0), "{seen:?}");
        let total: u64 = seen.iter().map(|count| count.load(Relaxed)).sum();
        assert_eq!(total, solution.known.len() as u64);
    }
}
