//! The number of moves of a piece, counted without making them, where routes may revisit squares.

use super::chain::{Chain, Placing};
use super::jumps::{between, flood, jumps};
use leap_core::SquareSet;

/// The largest number of capturable enemies that needs no memory from the heap.
const FEW_TARGETS: usize = 5;

/// The number of moves of a lifted piece.
#[inline]
pub(super) fn count(chain: &Chain, placing: &Placing) -> u64 {
    let ends = chain.quiet_ends();
    let reached = ends.with(chain.from);
    let quiet = placing.count(ends);
    if chain.captures_from(reached) { quiet + count_captures(chain, reached) } else { quiet }
}

/// The number of pairs of a square and a set of captures with which the piece can stop on that square.
///
/// `reached` holds the squares that the piece can reach without a capture.
fn count_captures(chain: &Chain, reached: SquareSet) -> u64 {
    let region = flood(reached, chain.friends | chain.enemy, chain.open);
    let targets = between(region, chain.enemy);
    let sets = 1 << targets.len();
    if sets <= 1 << FEW_TARGETS {
        count_sets(chain, targets, reached, &mut [SquareSet::EMPTY; 1 << FEW_TARGETS][..sets])
    } else {
        count_sets(chain, targets, reached, &mut vec![SquareSet::EMPTY; sets])
    }
}

/// Counts the stops of all sets of captures. Each set comes after its subsets.
fn count_sets(
    chain: &Chain,
    targets: SquareSet,
    reached: SquareSet,
    sets: &mut [SquareSet],
) -> u64 {
    sets[0] = reached;
    let mut count = 0;
    for set in 0..sets.len() {
        if sets[set].is_empty() {
            continue;
        }
        let squares = flood(sets[set], chain.friends, chain.open);
        if set != 0 {
            count += u64::from(squares.len());
        }
        for (n, target) in targets.into_iter().enumerate() {
            if set >> n & 1 == 0 {
                sets[set | 1 << n] |= jumps(squares, SquareSet::of(target)) & chain.open;
            }
        }
    }
    count
}
