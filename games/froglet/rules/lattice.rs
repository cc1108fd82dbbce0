//! The four lattices of the board.
//!
//! A hop keeps the parity of file and rank. The squares therefore form four classes of 36 squares. A frog lands only on
//! squares of its own class, a lattice of 6x6 *cells* that fits into one word.
//!
//! A frog in the middle of two neighbouring cells is an *edge* of their lattice. A hop along the edge takes that frog
//! away. Middles belong to other classes. A move therefore changes only two cells of its own lattice, its origin and
//! its end.

use leap_core::{Geometry, Rules, Square, SquareSet};

use super::Froglet;

const GEOMETRY: Geometry = Froglet::GEOMETRY;
/// The number of cells in a row of a lattice.
const WIDTH: usize = 6;

/// The number of classes of squares.
pub(super) const CLASSES: usize = 4;
/// The number of cells of a lattice.
pub(super) const CELLS: usize = WIDTH * WIDTH;
/// All cells of a lattice.
pub(super) const ALL: u64 = (1 << CELLS) - 1;
/// The cells with a neighbour to the right.
const NOT_LAST_FILE: u64 = 0b011111_011111_011111_011111_011111_011111;
/// The cells with a neighbour above.
const NOT_LAST_RANK: u64 = ALL >> WIDTH;

/// A set of squares, one word of cells for each class. A class is file parity + 2 * rank parity: a1 has class 0.
pub(super) type Quarters = [u64; CLASSES];

/// The class of a square, and its cell in the lattice.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) class: usize,
    pub(super) cell: usize,
}

impl Place {
    pub(super) const fn of(square: Square) -> Self {
        let (file, rank) = (GEOMETRY.file(square) as usize, GEOMETRY.rank(square) as usize);
        Self { class: file % 2 + rank % 2 * 2, cell: rank / 2 * WIDTH + file / 2 }
    }

    pub(super) const fn bit(self) -> u64 {
        1 << self.cell
    }

    pub(super) const fn square(self) -> Square {
        let file = self.cell % WIDTH * 2 + self.class % 2;
        let rank = self.cell / WIDTH * 2 + self.class / 2;
        Square::new(rank * GEOMETRY.files as usize + file)
    }
}

/// The cells of a set, the lowest first.
pub(super) fn cells(set: u64) -> impl Iterator<Item = usize> {
    SquareSet(set).into_iter().map(Square::index)
}

/// The places of a set, class by class.
pub(super) fn places(set: Quarters) -> impl Iterator<Item = Place> {
    (0..CLASSES).flat_map(move |class| cells(set[class]).map(move |cell| Place { class, cell }))
}

/// The squares of a set, the lowest index first. Two lattices alternate along a rank.
pub(super) fn squares(set: Quarters) -> impl Iterator<Item = Square> {
    (0..GEOMETRY.ranks as usize).flat_map(move |rank| {
        let row = |class: usize| SPREAD[(set[class] >> (rank / 2 * WIDTH)) as usize % SPREAD.len()];
        let even_files = rank % 2 * 2;
        let files = row(even_files) | row(even_files + 1) << 1;
        cells(u64::from(files)).map(move |file| Square::new(rank * GEOMETRY.files as usize + file))
    })
}

/// For each row of six cells, the cells spread over the even files of twelve.
const SPREAD: [u16; 1 << WIDTH] = {
    let mut spread = [0; 1 << WIDTH];
    let mut i = 0;
    while i < spread.len() * WIDTH {
        let (row, file) = (i / WIDTH, i % WIDTH);
        spread[row] |= ((row >> file & 1) << (2 * file)) as u16;
        i += 1;
    }
    spread
};

/// A set of edges of a lattice. Each edge is kept at its lower cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Edges {
    /// The edges from a cell to its right neighbour.
    across: u64,
    /// The edges from a cell to the neighbour above.
    up: u64,
}

impl Edges {
    pub(super) const NONE: Self = Self { across: 0, up: 0 };

    /// The edges that these frogs form in the lattice of a class.
    #[inline]
    pub(super) const fn of(frogs: &Quarters, class: usize) -> Self {
        Self {
            across: frogs[class ^ 1] >> (class % 2) & NOT_LAST_FILE,
            up: frogs[class ^ 2] >> (class / 2 * WIDTH) & NOT_LAST_RANK,
        }
    }

    /// The edges between cells of one set and neighbours in the other set.
    pub(super) const fn from_to(from: u64, to: u64) -> Self {
        Self {
            across: (from & to >> 1 | to & from >> 1) & NOT_LAST_FILE,
            up: (from & to >> WIDTH | to & from >> WIDTH) & NOT_LAST_RANK,
        }
    }

    /// The frogs that form these edges in the lattice of a class.
    pub(super) const fn frogs(self, class: usize) -> Quarters {
        let mut frogs = [0; CLASSES];
        frogs[class ^ 1] = self.across << (class % 2);
        frogs[class ^ 2] = self.up << (class / 2 * WIDTH);
        frogs
    }

    /// The edge between two neighbours.
    #[inline]
    pub(super) const fn between(a: usize, b: usize) -> Self {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let is_across = high - low == 1;
        Self { across: (is_across as u64) << low, up: (!is_across as u64) << low }
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.across | self.up == 0
    }

    /// The number of edges.
    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.across.count_ones() + self.up.count_ones()
    }

    /// Whether the set contains an edge.
    #[inline]
    pub(super) const fn has(self, edge: Self) -> bool {
        !self.and(edge).is_empty()
    }

    /// The edges in both sets.
    #[inline]
    pub(super) const fn and(self, other: Self) -> Self {
        Self { across: self.across & other.across, up: self.up & other.up }
    }

    /// The edges in exactly one of the two sets.
    #[inline]
    pub(super) const fn toggled(self, other: Self) -> Self {
        Self { across: self.across ^ other.across, up: self.up ^ other.up }
    }

    /// The cells that an edge of the set connects to one of these cells.
    #[inline]
    pub(super) const fn neighbours(self, cells: u64) -> u64 {
        // No edge leads across from the last file, so nothing wraps into the next row.
        (cells & self.across) << 1
            | cells >> 1 & self.across
            | (cells & self.up) << WIDTH
            | cells >> WIDTH & self.up
    }

    /// Whether a path along these edges leads from one cell to another.
    pub(super) const fn connects(self, from: usize, to: usize) -> bool {
        let mut reached: u64 = 1 << from;
        loop {
            let grown = reached | self.neighbours(reached);
            if grown >> to & 1 != 0 {
                return true;
            }
            if grown == reached {
                return false;
            }
            reached = grown;
        }
    }

    /// For each direction, the cells from which an edge leads onto an empty cell, and the distance to that cell.
    #[inline]
    pub(super) const fn hops(self, empty: u64) -> [(u64, i32); 4] {
        let width = WIDTH as i32;
        [
            ((self.up & empty) << WIDTH, -width),
            ((self.across & empty) << 1, -1),
            (self.across & empty >> 1, 1),
            (self.up & empty >> WIDTH, width),
        ]
    }
}

/// The lattice of one class, with the frogs of a position.
#[derive(Clone, Copy)]
pub(super) struct Lattice {
    pub(super) class: usize,
    pub(super) frogs: u64,
    pub(super) edges: Edges,
    pub(super) hops: [(u64, i32); 4],
}

impl Lattice {
    #[inline]
    pub(super) const fn of(frogs: &Quarters, class: usize) -> Self {
        let edges = Edges::of(frogs, class);
        let hops = edges.hops(ALL & !frogs[class]);
        Self { class, frogs: frogs[class], edges, hops }
    }

    pub(super) const fn empty(&self) -> u64 {
        ALL & !self.frogs
    }

    /// The cells from which a hop leads away. Empty cells count too.
    #[inline]
    pub(super) const fn exits(&self) -> u64 {
        let [(down, _), (left, _), (right, _), (up, _)] = self.hops;
        down | left | right | up
    }

    /// The cells from which at least two hops lead away: a frog that lands on one can go on. Empty cells count too.
    #[inline]
    pub(super) const fn crossings(&self) -> u64 {
        let [(down, _), (left, _), (right, _), (up, _)] = self.hops;
        left & right | down & up | (left | right) & (down | up)
    }

    /// The empty cells onto which a frog on a cell can hop.
    #[inline]
    pub(super) const fn landings(&self, cell: usize) -> u64 {
        self.edges.neighbours(1 << cell) & self.empty()
    }

    /// The cells onto which a frog can hop after a hop from one cell to another, and whether it may then go on.
    ///
    /// `crossings` are those of the lattice.
    #[inline]
    pub(super) const fn second_landings(
        &self,
        from: usize,
        to: usize,
        crossings: u64,
    ) -> (u64, bool) {
        // The frog has left its origin: it can land there, and beside the origin it can go on.
        let origin = 1 << from;
        let left = self.edges.toggled(Edges::between(from, to));
        let landings = left.neighbours(1 << to) & (self.empty() | origin);
        let going_on = crossings | self.edges.neighbours(origin) | origin;
        (landings, landings & going_on != 0)
    }

    /// The edges of the single hops.
    #[inline]
    pub(super) const fn first_edges(&self) -> Edges {
        self.edges.and(Edges::from_to(self.frogs, self.empty()))
    }

    /// The number of single hops.
    #[inline]
    pub(super) fn count_hops(&self) -> u64 {
        self.hops.iter().map(|(origins, _)| u64::from((self.frogs & origins).count_ones())).sum()
    }

    /// The origin and the end of each first hop that another hop can follow.
    #[inline]
    pub(super) fn first_hops(&self) -> impl Iterator<Item = (usize, usize)> {
        let (frogs, exits) = (self.frogs, self.exits());
        self.hops.into_iter().flat_map(move |(origins, distance)| {
            let landings = SquareSet(frogs & origins).rotate(distance).0 & exits;
            cells(landings).map(move |to| ((to as i32 - distance) as usize, to))
        })
    }
}
