//! The regions of a position: groups of frogs that never meet, whatever moves are made.
//!
//! Near the end most frogs can no longer hop or be hopped over. The others form a few separate groups.
//!
//! 1. At first, every frog is a region of its own.
//! 2. Two regions are joined if a frog of one might hop over a frog of the other. They are also joined if a frog of one
//!    might hop onto a square that a frog of the other may be on.
//! 3. This is repeated with all squares that a region's frogs reach by themselves, until nothing is left to join.
//!
//! Then every hop stays within a region, and depends on nothing outside. Otherwise the first hop across
//! regions would have joined them.

use super::lattice::{ALL, CLASSES, Edges, Lattice, Place, Quarters, squares};
use super::{Counters, FrogletPosition};
use leap_core::Square;

/// The squares where the frogs of a region may be during its play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// The squares that have a frog at some time.
    reached: Quarters,
    /// The squares that always have a frog.
    kept: Quarters,
}

impl Footprint {
    /// The footprint of a position in which nothing is played.
    #[must_use]
    pub const fn of(position: &FrogletPosition) -> Self {
        Self { reached: position.frogs, kept: position.frogs }
    }

    /// The footprint of play that takes one of two courses.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            reached: united(self.reached, other.reached),
            kept: std::array::from_fn(|class| self.kept[class] & other.kept[class]),
        }
    }

    /// The squares where a frog of another region would be hopped over or would be in the way.
    ///
    /// Hops over such a frog may end only on `landings`.
    fn touched(&self, landings: &Quarters) -> Quarters {
        (0..CLASSES).fold([0; CLASSES], |touched, class| {
            let own = self.reached[class];
            let hopped_over = Edges::from_to(own, landings[class]).frogs(class);
            let mut touched = united(touched, hopped_over);
            touched[class] |= Edges::of(&self.reached, class).neighbours(own);
            touched
        })
    }
}

struct Region {
    frogs: FrogletPosition,
    footprint: Footprint,
    /// The squares where frogs of other regions would matter.
    touched: Quarters,
    is_joined: bool,
}

impl Region {
    fn meets(&self, other: &Self) -> bool {
        overlap(self.touched, other.footprint.reached)
            || overlap(other.touched, self.footprint.reached)
    }

    fn join(&mut self, other: &Self) {
        for square in squares(other.frogs.frogs) {
            self.frogs.put(square, other.frogs.kind(Place::of(square)));
        }
        self.footprint.reached = united(self.footprint.reached, other.footprint.reached);
        self.touched = united(self.touched, other.touched);
        self.is_joined = true;
    }
}

impl FrogletPosition {
    /// The number of single hops.
    #[must_use]
    pub fn hops(&self) -> u64 {
        (0..CLASSES).map(|class| Lattice::of(&self.frogs, class).count_hops()).sum()
    }

    /// The regions, each as a position without other frogs and without points. `None` where `explore` gives up.
    ///
    /// `explore` plays a region through. Regions in which no frog can hop are left out.
    pub fn regions(
        &self,
        mut explore: impl FnMut(&Self) -> Option<Footprint>,
    ) -> Option<Vec<Self>> {
        let mut regions: Vec<Region> =
            squares(self.frogs).map(|square| self.alone(square)).collect();
        loop {
            let kept = |kept, region: &Region| united(kept, region.footprint.kept);
            let landings = regions.iter().fold([0; CLASSES], kept).map(|kept| ALL & !kept);
            for region in &mut regions {
                region.touched = region.footprint.touched(&landings);
            }
            regions = joined(regions);
            if !regions.iter().any(|region| region.is_joined) {
                break;
            }
            for region in regions.iter_mut().filter(|region| region.is_joined) {
                region.footprint = explore(&region.frogs)?;
                region.is_joined = false;
            }
        }
        let frogs = regions.into_iter().map(|region| region.frogs);
        Some(frogs.filter(|frogs| frogs.movers() != [0; CLASSES]).collect())
    }

    /// The region of one frog.
    fn alone(&self, square: Square) -> Region {
        let mut frogs = Self { counters: Counters::START, ..Self::EMPTY };
        frogs.put(square, self.kind(Place::of(square)));
        let footprint = Footprint::of(&frogs);
        Region { frogs, footprint, touched: [0; CLASSES], is_joined: false }
    }
}

/// Joins the regions that meet.
fn joined(mut regions: Vec<Region>) -> Vec<Region> {
    let mut joined = Vec::new();
    while let Some(mut region) = regions.pop() {
        while let Some(other) = regions.iter().position(|other| region.meets(other)) {
            region.join(&regions.swap_remove(other));
        }
        joined.push(region);
    }
    joined
}

fn united(a: Quarters, b: Quarters) -> Quarters {
    std::array::from_fn(|class| a[class] | b[class])
}

fn overlap(a: Quarters, b: Quarters) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}
