//! The numbers of positions: men up to the eight symmetries of the board.
//!
//! A position is a set of own men and a set of enemy men; the own side moves. Its number within a slice is
//! `orbit(own) * C(25 - own, enemy) + rank(enemy among the free points)`. The symmetry that makes the own set the
//! smallest of its images comes first. Where several symmetries do, the one with the lowest rank of the enemy is taken.

use std::sync::OnceLock;

use leap_core::exact::Wdl;
use leap_core::{Side, SquareSet};
use leap_games::alquerque::AlquerquePosition;

use crate::points::{self, ALL, CHOOSE, IDENTITY, POINTS, image, rank};

/// The most men of a side (SPEC 11.3).
pub const MOST: u32 = leap_games::alquerque::MEN;

/// The men of a position: bit 0 is a1, bit 1 is b1. The own side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Men {
    /// The men of the side to move.
    pub own: u32,
    /// The men of the other side.
    pub enemy: u32,
}

impl Men {
    /// The men of a position.
    #[inline]
    #[must_use]
    pub const fn of(position: &AlquerquePosition) -> Self {
        Self { own: position.own().0 as u32, enemy: position.enemy().0 as u32 }
    }

    /// The position with the own side as player 1, and counters at 0.
    #[inline]
    #[must_use]
    pub fn position(self) -> AlquerquePosition {
        let set = |set: u32| SquareSet(u64::from(set));
        AlquerquePosition::start(set(self.own), set(self.enemy))
    }

    /// The position with the own side as this player, and counters at 0.
    #[must_use]
    pub fn position_of(self, side: Side) -> AlquerquePosition {
        let Self { own, enemy } = self;
        let one = if side == Side::One { self } else { Self { own: enemy, enemy: own } };
        let mut position = one.position();
        position.counters.side = side;
        position
    }

    /// Whether all men are on the board, and no two of them on one point.
    #[must_use]
    pub const fn are_apart(self) -> bool {
        self.own & self.enemy == 0 && (self.own | self.enemy) & !ALL == 0
    }

    /// The points without a man.
    #[inline]
    #[must_use]
    pub const fn free(self) -> u32 {
        ALL & !(self.own | self.enemy)
    }

    /// The slice of the position.
    #[must_use]
    pub const fn slice(self) -> Slice {
        Slice { own: self.own.count_ones(), enemy: self.enemy.count_ones() }
    }

    #[inline]
    pub(crate) fn image(self, symmetry: usize) -> Self {
        Self { own: image(self.own, symmetry), enemy: image(self.enemy, symmetry) }
    }

    /// The least of the eight images, by the own men first.
    #[inline]
    #[must_use]
    pub fn least_image(self) -> Self {
        let images = (0..8).map(|symmetry| self.image(symmetry).word());
        Self::of_word(images.fold(u64::MAX, u64::min))
    }

    /// The men as a number in the order of men: the own men in the bits from 25 on, the other side's men below.
    #[inline]
    #[must_use]
    pub const fn word(self) -> u64 {
        (self.own as u64) << POINTS | self.enemy as u64
    }

    /// The men of the lowest 50 bits of a number, as [`Men::word`] packs them.
    #[inline]
    #[must_use]
    pub const fn of_word(word: u64) -> Self {
        Self { own: (word >> POINTS) as u32 & ALL, enemy: word as u32 & ALL }
    }
}

/// The positions with these numbers of men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    /// The number of men of the side to move, 1 to 12.
    pub own: u32,
    /// The number of men of the other side, 1 to 12.
    pub enemy: u32,
}

impl Slice {
    /// The slices with at most so many men, those with fewer men first.
    pub fn all(most: u32) -> impl Iterator<Item = Self> {
        let of = |men: u32| (1..men).map(move |enemy| Self { own: men - enemy, enemy });
        (2..=most).flat_map(of).filter(|slice| slice.own <= MOST && slice.enemy <= MOST)
    }

    /// The slice with the other side to move.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { own: self.enemy, enemy: self.own }
    }

    /// The men on the board.
    #[must_use]
    pub const fn men(self) -> u32 {
        self.own + self.enemy
    }

    /// The outcome by the count of men, for the side to move (SPEC 11.13).
    #[inline]
    #[must_use]
    pub const fn by_count(self) -> Wdl {
        if self.own > self.enemy {
            Wdl::Win
        } else if self.own < self.enemy {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// The ways to place the enemy men beside an own set.
    #[inline]
    pub(crate) const fn placements(self) -> u32 {
        CHOOSE[POINTS - self.own as usize][self.enemy as usize]
    }

    /// The numbers of the slice. Some stand for no position of their own: see [`number`].
    #[must_use]
    pub fn size(self) -> u64 {
        Orbits::of(self.own).sets.len() as u64 * u64::from(self.placements())
    }

    /// The position with this number, below [`Slice::size`].
    #[must_use]
    pub fn men_at(self, number: u64) -> Men {
        let placements = u64::from(self.placements());
        let own = Orbits::of(self.own).sets[(number / placements) as usize];
        let closed = points::unrank((number % placements) as u32, self.enemy);
        Men { own, enemy: points::open(closed, ALL & !own) }
    }
}

/// The sets of own men with one size, up to symmetry.
pub(crate) struct Orbits {
    /// The smallest set of each orbit, ascending.
    pub(crate) sets: Vec<u32>,
    /// The symmetries other than the identity that keep the set, one bit each.
    pub(crate) stabilisers: Vec<u8>,
    /// For each set, by rank: its orbit, shifted by three, and a symmetry that makes it the smallest one.
    places: Vec<u32>,
}

impl Orbits {
    /// The orbits of sets with `men` points, computed when they are first needed: 21 MB and a second for twelve.
    pub(crate) fn of(men: u32) -> &'static Self {
        static ALL_ORBITS: [OnceLock<Orbits>; MOST as usize + 1] =
            [const { OnceLock::new() }; MOST as usize + 1];
        ALL_ORBITS[men as usize].get_or_init(|| Self::new(men))
    }

    fn new(men: u32) -> Self {
        const UNKNOWN: u32 = u32::MAX;
        let mut places = vec![UNKNOWN; CHOOSE[POINTS][men as usize] as usize];
        let (mut sets, mut stabilisers) = (Vec::new(), Vec::new());
        for set in points::sets(men, POINTS as u32) {
            if places[rank(set) as usize] != UNKNOWN {
                continue;
            }
            let orbit = sets.len() as u32;
            let mut stabiliser = 0;
            for symmetry in 0..8 {
                let other = image(set, symmetry);
                let place = &mut places[rank(other) as usize];
                if other == set && symmetry != IDENTITY {
                    stabiliser |= 1 << symmetry;
                } else if *place == UNKNOWN {
                    *place = orbit << 3 | inverse(symmetry) as u32;
                }
            }
            sets.push(set);
            stabilisers.push(stabiliser);
        }
        Self { sets, stabilisers, places }
    }
}

/// The symmetry that takes the image of a set back.
fn inverse(symmetry: usize) -> usize {
    // Some set without any symmetry of its own.
    let set = 0b10110;
    let is_inverse = |other: &usize| image(image(set, symmetry), *other) == set;
    (0..8).find(is_inverse).unwrap_or(IDENTITY)
}

/// The number of a position within its slice. Symmetric positions have the same number.
#[inline]
#[must_use]
pub fn number(men: Men) -> u64 {
    let orbits = Orbits::of(men.own.count_ones());
    let place = orbits.places[rank(men.own) as usize];
    let orbit = (place >> 3) as usize;
    let at_home = men.image((place & 7) as usize);
    let free = ALL & !at_home.own;
    let place_of = |enemy| rank(points::close(enemy, free));
    let mut best = place_of(at_home.enemy);
    let mut stabiliser = orbits.stabilisers[orbit];
    while stabiliser != 0 {
        let symmetry = stabiliser.trailing_zeros() as usize;
        best = best.min(place_of(image(at_home.enemy, symmetry)));
        stabiliser &= stabiliser - 1;
    }
    orbit as u64 * u64::from(men.slice().placements()) + u64::from(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many positions of a slice differ up to symmetry.
    fn positions(slice: Slice) -> usize {
        let all = POINTS as u32;
        let own = points::sets(slice.own, all);
        let men =
            own.flat_map(|own| points::sets(slice.enemy, all).map(move |enemy| Men { own, enemy }));
        men.filter(|men| men.are_apart() && men.least_image() == *men).count()
    }

    #[test]
    fn each_position_up_to_symmetry_has_one_number() {
        for (own, enemy) in [(1, 1), (1, 3), (2, 2), (3, 1), (3, 2), (4, 1)] {
            let slice = Slice { own, enemy };
            let is_its_own = |at: &u64| number(slice.men_at(*at)) == *at;
            let found = (0..slice.size()).filter(is_its_own).count();
            assert_eq!(found, positions(slice), "{slice:?}");
        }
    }

    #[test]
    fn symmetric_positions_have_the_same_number() {
        let slice = Slice { own: 4, enemy: 3 };
        for at in (0..slice.size()).step_by(1_009) {
            let men = slice.men_at(at);
            for symmetry in 0..8 {
                assert_eq!(number(men.image(symmetry)), number(men), "{men:?}");
            }
        }
    }
}
