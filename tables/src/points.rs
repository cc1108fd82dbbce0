//! Sets of the 25 points: symmetries, ranks, and sets within sets.

use leap_core::symmetry::Transform;
use leap_core::{Geometry, Rules, Square};
use leap_games::alquerque::Alquerque;

const GEOMETRY: Geometry = Alquerque::GEOMETRY;
/// The points of the board.
pub(crate) const POINTS: usize = GEOMETRY.squares();
/// Every point.
pub(crate) const ALL: u32 = (1 << POINTS) - 1;

/// The points of a row, and the sets of points in a row.
const ROW: usize = 5;
const ROW_SETS: usize = 1 << ROW;

/// The binomial coefficients, `CHOOSE[n][k]`.
pub(crate) const CHOOSE: [[u32; POINTS + 1]; POINTS + 1] = {
    let mut table = [[0; POINTS + 1]; POINTS + 1];
    let mut n = 0;
    while n <= POINTS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of the symmetry that leaves every point in its place.
pub(crate) const IDENTITY: usize = 0;

/// For each symmetry, row and set of points in the row, the image of these points.
static IMAGES: [[[u32; ROW_SETS]; ROW]; 8] = {
    let mut images = [[[0; ROW_SETS]; ROW]; 8];
    let mut i = 0;
    while i < 8 * POINTS * ROW_SETS {
        let (symmetry, point, set) = (i / (POINTS * ROW_SETS), i / ROW_SETS % POINTS, i % ROW_SETS);
        let (row, file) = (point / ROW, point % ROW);
        if set >> file & 1 != 0 {
            let image = GEOMETRY.transform(Square::new(point), Transform::ALL[symmetry]);
            images[symmetry][row][set] |= 1 << image.index();
        }
        i += 1;
    }
    images
};

/// The set of points in one row.
#[inline]
const fn row(set: u32, row: usize) -> usize {
    (set >> (ROW * row)) as usize % ROW_SETS
}

/// The image of a set under a symmetry.
#[inline]
pub(crate) fn image(set: u32, symmetry: usize) -> u32 {
    let rows = &IMAGES[symmetry];
    (0..ROW).fold(0, |image, r| image | rows[r][row(set, r)])
}

/// For each set of places in a row and each subset of it, the subset with the places closed up.
static CLOSED: [[u8; ROW_SETS]; ROW_SETS] = squeeze_rows(false);
/// The reverse: for each set of places and each closed subset, the places that it stands for.
static OPENED: [[u8; ROW_SETS]; ROW_SETS] = squeeze_rows(true);

const fn squeeze_rows(is_reverse: bool) -> [[u8; ROW_SETS]; ROW_SETS] {
    let mut table = [[0; ROW_SETS]; ROW_SETS];
    let mut i = 0;
    while i < ROW_SETS * ROW_SETS {
        let (places, set) = (i / ROW_SETS, i % ROW_SETS);
        let (mut closed, mut count, mut bit) = (0, 0, 0);
        while bit < ROW {
            if places >> bit & 1 != 0 {
                closed |= (set >> bit & 1) << count;
                count += 1;
            }
            bit += 1;
        }
        if is_reverse {
            if set & !places == 0 {
                table[places][closed] = set as u8;
            }
        } else {
            table[places][set] = closed as u8;
        }
        i += 1;
    }
    table
}

/// The subset `set` of `places`, with the places closed up: bit n stands for place number n.
#[inline]
pub(crate) fn close(set: u32, places: u32) -> u32 {
    let (mut closed, mut count) = (0, 0);
    for r in 0..ROW {
        let places = row(places, r);
        closed |= u32::from(CLOSED[places][row(set, r)]) << count;
        count += places.count_ones();
    }
    closed
}

/// The reverse of [`close`].
#[inline]
pub(crate) fn open(mut closed: u32, places: u32) -> u32 {
    let mut set = 0;
    for r in 0..ROW {
        let places = row(places, r);
        let count = places.count_ones();
        let here = closed & ((1 << count) - 1);
        set |= u32::from(OPENED[places][here as usize]) << (ROW * r);
        closed >>= count;
    }
    set
}

/// The points of the lower part of a set, for ranks.
const LOW: usize = 13;
/// The ranks of the sets within the lower part.
static LOW_RANKS: [u16; 1 << LOW] = {
    let mut ranks = [0; 1 << LOW];
    let mut set = 1;
    while set < ranks.len() {
        let (point, rest) = highest(set);
        ranks[set] = ranks[rest] + CHOOSE[point][set.count_ones() as usize] as u16;
        set += 1;
    }
    ranks
};
/// The part that the upper points add, by the number of lower points in the set.
static HIGH_RANKS: [[u32; 1 << (POINTS - LOW)]; LOW + 1] = {
    let mut ranks = [[0; 1 << (POINTS - LOW)]; LOW + 1];
    let mut below = 0;
    while below <= LOW {
        let mut set = 1;
        while set < ranks[below].len() {
            let (point, rest) = highest(set);
            ranks[below][set] =
                ranks[below][rest] + CHOOSE[LOW + point][below + set.count_ones() as usize];
            set += 1;
        }
        below += 1;
    }
    ranks
};

/// The highest point of a set, and the set without it. One step for each set: compilers evaluate these tables slowly.
const fn highest(set: usize) -> (usize, usize) {
    let point = set.ilog2() as usize;
    (point, set ^ 1 << point)
}

/// The number of a set among the sets with as many points, in ascending order (the combinatorial number system).
#[inline]
pub(crate) fn rank(set: u32) -> u32 {
    let (low, high) = (set as usize % (1 << LOW), (set >> LOW) as usize);
    u32::from(LOW_RANKS[low]) + HIGH_RANKS[low.count_ones() as usize][high]
}

/// The sets with `count` of the lowest `of` points, in ascending order.
pub(crate) fn sets(count: u32, of: u32) -> impl Iterator<Item = u32> {
    let first = (1u32 << count) - 1;
    let mut next = (count <= of).then_some(first);
    std::iter::from_fn(move || {
        let set = next?;
        next = successor(set).filter(|set| *set < 1 << of);
        Some(set)
    })
}

/// The next larger set with as many points (Gosper's hack).
#[inline]
fn successor(set: u32) -> Option<u32> {
    let lowest = set & set.wrapping_neg();
    let carried = set + lowest;
    (set != 0).then(|| carried | ((set ^ carried) / lowest) >> 2)
}

/// The set with this rank among the sets of `count` points.
pub(crate) fn unrank(mut rank: u32, count: u32) -> u32 {
    let mut set = 0;
    let mut point = POINTS;
    for left in (1..=count as usize).rev() {
        while CHOOSE[point][left] > rank {
            point -= 1;
        }
        rank -= CHOOSE[point][left];
        set |= 1 << point;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_sets_of_each_size_in_order() {
        for count in [0, 1, 2, 3, 12, 24] {
            for (number, set) in sets(count, POINTS as u32).enumerate().step_by(97) {
                assert_eq!(rank(set), number as u32, "{set:b}");
                assert_eq!(unrank(number as u32, count), set);
            }
            let all = sets(count, POINTS as u32).count();
            assert_eq!(all as u32, CHOOSE[POINTS][count as usize]);
        }
    }
}
