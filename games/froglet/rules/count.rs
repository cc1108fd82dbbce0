//! Counts moves without making them.
//!
//! Single hops are counted by whole directions. Longer trails are walked, from the hops that can be continued. After a
//! move most frogs have the long trails that they had before: only those near the move are counted anew.

use std::array;

use super::lattice::{ALL, CELLS, CLASSES, Lattice, Quarters, cells};
use super::trail::{CancelCheck, Trail};

/// The number of moves that hop, with these frogs on the board.
pub(super) fn count_trails(frogs: &Quarters, check: &mut CancelCheck<'_>) -> u64 {
    let mut count = 0;
    for class in 0..CLASSES {
        let lattice = Lattice::of(frogs, class);
        let crossings = lattice.crossings();
        count += lattice.count_hops();
        for (from, to) in lattice.first_hops(ALL) {
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

/// The trails of two and more hops in a position.
pub(super) struct LongTrails([OfClass; CLASSES]);

struct OfClass {
    lattice: Lattice,
    /// The number of long trails.
    sum: u64,
    /// The cells where they begin.
    origins: u64,
    /// The number of long trails from each cell.
    from: [u64; CELLS],
}

impl LongTrails {
    pub(super) fn of(frogs: &Quarters, check: &mut CancelCheck<'_>) -> Self {
        Self(array::from_fn(|class| OfClass::new(Lattice::of(frogs, class), check)))
    }

    /// The number of moves that hop after a move, which leaves these frogs on the board.
    pub(super) fn count_after(&self, frogs: &Quarters, check: &mut CancelCheck<'_>) -> u64 {
        let classes = self.0.iter().enumerate();
        classes.map(|(class, before)| before.count_after(&Lattice::of(frogs, class), check)).sum()
    }
}

impl OfClass {
    fn new(lattice: Lattice, check: &mut CancelCheck<'_>) -> Self {
        let crossings = lattice.crossings();
        let (mut origins, mut from) = (0, [0; CELLS]);
        for (origin, to) in lattice.first_hops(ALL) {
            origins |= 1 << origin;
            from[origin] += count_after_hop(&lattice, crossings, origin, to, check);
        }
        Self { lattice, sum: from.iter().sum(), origins, from }
    }

    /// The number of trails in the lattice after a move.
    fn count_after(&self, after: &Lattice, check: &mut CancelCheck<'_>) -> u64 {
        let Lattice { frogs, edges, .. } = self.lattice;
        let changed = frogs ^ after.frogs;
        // A trail is as it was, unless it comes to the end of a changed edge, or next to a changed cell.
        let touched = edges.toggled(after.edges).ends() | changed | after.edges.neighbours(changed);
        let empty = self.lattice.empty();
        let anew = touched | edges.neighbours(edges.reached(touched & empty, empty));
        let kept = self.sum - cells(anew & self.origins).map(|cell| self.from[cell]).sum::<u64>();
        let crossings = after.crossings();
        let hops = after.first_hops(anew);
        let counted: u64 =
            hops.map(|(from, to)| count_after_hop(after, crossings, from, to, check)).sum();
        after.count_hops() + kept + counted
    }
}
