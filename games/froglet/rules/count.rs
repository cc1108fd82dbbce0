//! Counts moves without making them.
//!
//! Single hops are counted by whole directions. Longer trails are walked, from the hops that can be continued.

use super::lattice::{CLASSES, Lattice, Quarters};
use super::trail::{CancelCheck, Trail};

/// The number of moves that hop, with these frogs on the board.
pub(super) fn count_trails(frogs: &Quarters, check: &mut CancelCheck<'_>) -> u64 {
    let mut count = 0;
    for class in 0..CLASSES {
        let lattice = Lattice::of(frogs, class);
        let crossings = lattice.crossings();
        count += lattice.count_hops();
        for (from, to) in lattice.first_hops() {
            count += count_after_hop(&lattice, crossings, from, to, check);
        }
    }
    count
}

/// The number of trails that go on after a first hop. `crossings` are those of the lattice.
#[inline]
fn count_after_hop(
    lattice: &Lattice,
    crossings: u64,
    from: usize,
    to: usize,
    check: &mut CancelCheck<'_>,
) -> u64 {
    let (landings, may_go_on) = lattice.second_landings(from, to, crossings);
    if !may_go_on {
        return u64::from(landings.count_ones());
    }
    let mut trail = Trail::new(lattice, from);
    trail.hop(to);
    trail.count(check)
}
