//! Patterns: what a learned evaluation looks at.
//!
//! A *pattern* is a list of squares, such as a window of 3x3. Its index is a number with a digit for each square: what
//! stands there. Each index has a weight (the patterns of Buro's Logistello; n-tuple networks). The images of a pattern
//! under the symmetries of the game share their weights. Two indices that are images of each other share one too. A
//! *count* is a number of each player's, such as its men; each pair has a weight.
//!
//! The side to move sees its own pieces first, whichever side it is.
//!
//! An index is a sum over the pieces on the board: each piece adds a number to every pattern, wherever the others stand. The
//! indices of all patterns are found together, by adding a vector for each piece.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::lanes::{LANES, Lanes};
use leap_core::symmetry::Transform;
use leap_core::{Board, Square, SquareSet};

/// The most kinds of pieces, those of both sides.
pub const MAX_KINDS: usize = 12;
/// The most counts.
pub const MAX_COUNTS: usize = 4;
/// The phase of a position that is all ending; 0 is all beginning.
pub const LAST_PHASE: i32 = 64;

/// What a game looks the same under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right are exchanged.
    Mirror,
    /// The square board is turned and mirrored.
    Square,
}

impl Symmetry {
    /// The images of squares, the squares themselves first.
    fn images(self, board: Board, squares: &[Square]) -> Vec<Vec<Square>> {
        let transforms = Transform::ALL.iter().take(self.turns());
        let image = |transform: &Transform| {
            squares.iter().map(|square| board.transform(*square, *transform)).collect()
        };
        transforms.map(image).collect()
    }

    /// How many images there are.
    #[must_use]
    pub const fn turns(self) -> usize {
        match self {
            Self::Mirror => 2,
            Self::Square => 8,
        }
    }
}

/// A pattern: a rectangle of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// File and rank of its lower left square, from 0.
    pub at: (i32, i32),
    /// How many files and ranks it has.
    pub size: (i32, i32),
}

impl Window {
    fn squares(self, board: Board) -> Vec<Square> {
        let Self { at: (file, rank), size: (files, ranks) } = self;
        let square = |index| board.square(file + index % files, rank + index / files);
        (0..files * ranks).filter_map(square).collect()
    }
}

/// Something that each player has a number of.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// What is counted.
    pub name: &'static str,
    /// The largest number that is told apart.
    pub most: u32,
    /// What having so many against so many is worth before anything is learned, in centipawns.
    pub prior: fn(own: f32, enemy: f32) -> f32,
}

/// What an evaluation looks at.
#[derive(Clone, Debug)]
pub struct Design {
    /// The id of the game.
    pub game: &'static str,
    /// The board, of at most 64 squares.
    pub board: Board,
    /// What shares weights.
    pub symmetry: Symmetry,
    /// A sign for each kind of pieces, those of both sides: a square has a digit for each, and 0 for none.
    pub kinds: &'static str,
    /// One of each set of images.
    pub windows: Vec<Window>,
    /// At most [`MAX_COUNTS`].
    pub counts: Vec<Count>,
    /// How the indices of the patterns become a value.
    pub form: Form,
}

/// How the indices of patterns become a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each index has a weight.
    Linear,
    /// A [network](super::network) over the indices.
    Network {
        /// Its units, 32 with those of the images.
        units: usize,
    },
}

impl Form {
    /// How many units there are: none if each index has a weight.
    #[must_use]
    pub const fn units(self) -> usize {
        match self {
            Self::Linear => 0,
            Self::Network { units } => units,
        }
    }
}

impl Design {
    /// How many things can be on a square: a piece of some kind, or nothing.
    #[must_use]
    pub const fn states(&self) -> usize {
        self.kinds.len() + 1
    }
}

/// A position as a design sees it, with the side to move first.
#[derive(Clone, Debug)]
pub struct Perspective {
    /// The squares of each kind of piece.
    pub kinds: ArrayVec<SquareSet, MAX_KINDS>,
    /// Own number and the enemy's, for each count.
    pub counts: ArrayVec<(u32, u32), MAX_COUNTS>,
    /// From 0 to [`LAST_PHASE`].
    pub phase: i32,
}

/// The features of a design: the indices that each piece adds to, and the indices that share a weight.
#[derive(Clone, Debug)]
pub struct FeatureSet {
    squares: usize,
    batches: Vec<Batch>,
    placements: Vec<Placement>,
    /// The index of each kind and square, where all patterns are single squares.
    pieces: Option<Vec<u32>>,
    counts: Vec<CountTable>,
    /// For each index the first that it shares its weight with.
    ties: Vec<u32>,
}

/// Patterns whose indices are found together.
#[derive(Clone, Debug)]
struct Batch {
    /// What a piece adds to each index, by kind and square.
    steps: Vec<Lanes>,
    /// The first index of each pattern.
    begins: Vec<u32>,
}

/// A pattern on the board.
#[derive(Clone, Debug)]
struct Placement {
    /// Its first index.
    begin: u32,
    squares: Vec<Square>,
}

#[derive(Clone, Copy, Debug)]
struct CountTable {
    begin: u32,
    most: u32,
}

impl FeatureSet {
    /// The features of a design.
    #[must_use]
    pub fn new(design: &Design) -> Self {
        let mut features = Self {
            squares: design.board.squares(),
            batches: Vec::new(),
            placements: Vec::new(),
            pieces: None,
            counts: Vec::new(),
            ties: Vec::new(),
        };
        for window in &design.windows {
            features.add_window(design, &window.squares(design.board));
        }
        features.pieces = features.single_pieces(design);
        for count in &design.counts {
            let begin = features.ties.len() as u32;
            features.counts.push(CountTable { begin, most: count.most });
            features.ties.extend(begin..begin + (count.most + 1).pow(2));
        }
        features
    }

    /// How many indices there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ties.len()
    }

    /// Whether there is nothing to look at.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// For each index the first that it shares its weight with.
    #[must_use]
    pub fn ties(&self) -> &[u32] {
        &self.ties
    }

    /// How many indices are those of patterns: they come before those of counts.
    #[must_use]
    pub fn patterns_len(&self) -> usize {
        self.counts.first().map_or(self.ties.len(), |count| count.begin as usize)
    }

    /// How many patterns a position has.
    #[must_use]
    pub const fn patterns(&self) -> usize {
        self.placements.len()
    }

    /// Maps each index of a pattern to its index in each image of the board, the board itself first.
    ///
    /// It is for a design with [units](Form::Network), where each image of a window has indices of its own.
    #[must_use]
    pub fn images(&self, design: &Design) -> Vec<Vec<u32>> {
        let by_place: BTreeMap<Vec<usize>, &Placement> =
            self.placements.iter().map(|placed| (sorted(&placed.squares), placed)).collect();
        let mut images = vec![Vec::new(); design.symmetry.turns()];
        for placed in &self.placements {
            let of_board = design.symmetry.images(design.board, &placed.squares);
            for (indices, image) in images.iter_mut().zip(of_board) {
                let there = by_place[&sorted(&image)];
                let moved = moved(&there.squares, &image, design.states());
                indices.extend(moved.into_iter().map(|index| there.begin + index));
            }
        }
        images
    }

    /// The squares of one of the patterns with an index, and what stands on each: 0 nothing, else a kind of piece from 1
    /// on. Nothing for an index of counts.
    #[must_use]
    pub fn pattern(&self, design: &Design, index: usize) -> Vec<(Square, usize)> {
        let states = design.states();
        let has = |placed: &&Placement| {
            let begin = placed.begin as usize;
            (begin..begin + states.pow(placed.squares.len() as u32)).contains(&index)
        };
        let Some(placed) = self.placements.iter().find(has) else { return Vec::new() };
        let digit = |at: usize| (index - placed.begin as usize) / states.pow(at as u32) % states;
        placed.squares.iter().copied().zip((0..).map(digit)).collect()
    }

    /// The indices of a count, with own number and the enemy's.
    pub fn count(&self, number: usize) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let CountTable { begin, most } = self.counts[number];
        let side = most + 1;
        (0..side.pow(2)).map(move |index| (begin + index, index / side, index % side))
    }

    /// Visits the index of each pattern that has a piece, and perhaps those of others.
    #[inline]
    pub fn visit_occupied(&self, perspective: &Perspective, mut visit: impl FnMut(u32)) {
        let Some(pieces) = &self.pieces else { return self.visit_patterns(perspective, visit) };
        for (set, pieces) in perspective.kinds.iter().zip(pieces.chunks_exact(self.squares)) {
            for square in *set {
                visit(pieces[square.index()]);
            }
        }
    }

    /// The first index of each pattern: that of its empty squares.
    pub fn empty(&self) -> impl Iterator<Item = u32> + '_ {
        self.placements.iter().map(|placed| placed.begin)
    }

    /// Visits the index of each pattern in a position.
    #[inline]
    pub fn visit_patterns(&self, perspective: &Perspective, mut visit: impl FnMut(u32)) {
        for batch in &self.batches {
            let mut sums = Lanes::ZERO;
            for (set, steps) in perspective.kinds.iter().zip(batch.steps.chunks_exact(self.squares))
            {
                for square in *set {
                    sums = sums.plus(&steps[square.index()]);
                }
            }
            for (begin, sum) in batch.begins.iter().zip(sums.0) {
                visit(begin + u32::from(sum as u16));
            }
        }
    }

    /// Visits the index of each count in a position.
    #[inline]
    pub fn visit_counts(&self, perspective: &Perspective, mut visit: impl FnMut(u32)) {
        for (table, (own, enemy)) in self.counts.iter().zip(&perspective.counts) {
            let side = table.most + 1;
            visit(table.begin + (*own).min(table.most) * side + (*enemy).min(table.most));
        }
    }

    /// Adds a pattern and its images: with indices of their own for a network, else they share them.
    fn add_window(&mut self, design: &Design, squares: &[Square]) {
        let begin = self.ties.len() as u32;
        let images = design.symmetry.images(design.board, squares);
        let by_place: BTreeMap<Vec<usize>, &Vec<Square>> =
            images.iter().rev().map(|image| (sorted(image), image)).collect();
        if let Form::Network { .. } = design.form {
            let indices = design.states().pow(squares.len() as u32) as u32;
            for (number, image) in (0..).zip(by_place.values()) {
                self.add_pattern(begin + number * indices, image, design.kinds.len());
            }
            self.ties.extend(begin..begin + by_place.len() as u32 * indices);
            return;
        }
        for image in by_place.values() {
            self.add_pattern(begin, image, design.kinds.len());
        }
        let same_place = images.iter().filter(|image| sorted(image) == sorted(squares));
        let moved = same_place.map(|image| moved(squares, image, design.states()));
        let least =
            |a: Vec<u32>, b: Vec<u32>| a.into_iter().zip(b).map(|(a, b)| a.min(b)).collect();
        let ties = moved.reduce(least).unwrap_or_default();
        self.ties.extend(ties.into_iter().map(|index| begin + index));
    }

    /// The index of each kind and square, if all patterns are single squares.
    fn single_pieces(&self, design: &Design) -> Option<Vec<u32>> {
        let mut pieces = vec![0; design.kinds.len() * self.squares];
        for Placement { begin, squares } in &self.placements {
            let &[square] = squares.as_slice() else { return None };
            for kind in 0..design.kinds.len() {
                pieces[kind * self.squares + square.index()] = begin + kind as u32 + 1;
            }
        }
        Some(pieces)
    }

    /// Adds a single pattern, whose weights may be those of others too.
    fn add_pattern(&mut self, begin: u32, squares: &[Square], kinds: usize) {
        let lane = self.placements.len() % LANES;
        if lane == 0 {
            let steps = vec![Lanes::ZERO; kinds * self.squares];
            self.batches.push(Batch { steps, begins: Vec::new() });
        }
        let Some(batch) = self.batches.last_mut() else { return };
        batch.begins.push(begin);
        self.placements.push(Placement { begin, squares: squares.to_vec() });
        for (at, square) in squares.iter().enumerate() {
            let worth = (kinds + 1).pow(at as u32);
            for kind in 0..kinds {
                let Lanes(steps) = &mut batch.steps[kind * self.squares + square.index()];
                steps[lane] = ((kind + 1) * worth) as i16;
            }
        }
    }
}

fn sorted(squares: &[Square]) -> Vec<usize> {
    let mut indices: Vec<usize> = squares.iter().map(|square| square.index()).collect();
    indices.sort_unstable();
    indices
}

/// For each index of a pattern the one after what stands on its squares has moved to those of an image in the same place.
fn moved(squares: &[Square], image: &[Square], states: usize) -> Vec<u32> {
    let place = |square| squares.iter().position(|other| *other == square).unwrap_or(0);
    image.iter().fold(vec![0], |lower, square| {
        let worth = states.pow(place(*square) as u32);
        let with_digit = |digit| lower.iter().map(move |index| index + (digit * worth) as u32);
        (0..states).flat_map(with_digit).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: Board = Board { files: 4, ranks: 4 };

    fn design(symmetry: Symmetry, at: (i32, i32), size: (i32, i32)) -> Design {
        let windows = vec![Window { at, size }];
        Design {
            game: "",
            board: BOARD,
            symmetry,
            kinds: "Ox",
            windows,
            counts: Vec::new(),
            form: Form::Linear,
        }
    }

    fn perspective(own: u64, enemy: u64) -> Perspective {
        let kinds = ArrayVec::from_iter([SquareSet(own), SquareSet(enemy)]);
        Perspective { kinds, counts: ArrayVec::new(), phase: 0 }
    }

    fn indices(features: &FeatureSet, perspective: &Perspective) -> Vec<u32> {
        let mut indices = Vec::new();
        features.visit_patterns(perspective, |index| indices.push(index));
        indices
    }

    fn tied(features: &FeatureSet, perspective: &Perspective) -> Vec<u32> {
        let tie = |index: u32| features.ties()[index as usize];
        let mut tied: Vec<u32> = indices(features, perspective).into_iter().map(tie).collect();
        tied.sort_unstable();
        tied
    }

    #[test]
    fn an_index_has_a_digit_for_each_square() {
        let features = FeatureSet::new(&design(Symmetry::Mirror, (1, 0), (2, 2)));
        // b1 is the side's own, c2 the enemy's.
        assert_eq!(indices(&features, &perspective(1 << 1, 1 << 6)), [1 + 2 * 27]);
        assert_eq!(features.len(), 81);
        let pieces: Vec<_> = features
            .pattern(&design(Symmetry::Mirror, (1, 0), (2, 2)), 1 + 2 * 27)
            .into_iter()
            .map(|(square, kind)| (square.index(), kind))
            .collect();
        assert_eq!(pieces, [(1, 1), (2, 0), (5, 0), (6, 2)]);
    }

    #[test]
    fn a_corner_has_as_many_images_as_corners() {
        let count = |symmetry| {
            let features = FeatureSet::new(&design(symmetry, (0, 0), (2, 2)));
            indices(&features, &perspective(0, 0)).len()
        };
        assert_eq!((count(Symmetry::Mirror), count(Symmetry::Square)), (2, 4));
    }

    #[test]
    fn images_of_a_position_share_their_weights() {
        for (at, size) in [((0, 0), (3, 3)), ((1, 1), (2, 2)), ((0, 1), (4, 1)), ((0, 0), (2, 3))] {
            for symmetry in [Symmetry::Mirror, Symmetry::Square] {
                let features = FeatureSet::new(&design(symmetry, at, size));
                let own = [0, 1, 6, 11].map(Square::new);
                let enemy = [2, 7, 12].map(Square::new);
                let set = |squares: &[Square]| squares.iter().copied().collect::<SquareSet>().0;
                let expected = tied(&features, &perspective(set(&own), set(&enemy)));
                let images = symmetry.images(BOARD, &own);
                for (own, enemy) in images.iter().zip(symmetry.images(BOARD, &enemy)) {
                    assert_eq!(tied(&features, &perspective(set(own), set(&enemy))), expected);
                }
            }
        }
    }

    #[test]
    fn numbers_beyond_the_most_count_as_the_most() {
        let count = Count { name: "men", most: 2, prior: |_, _| 0.0 };
        let design = Design {
            windows: Vec::new(),
            counts: vec![count],
            ..design(Symmetry::Mirror, (0, 0), (1, 1))
        };
        let features = FeatureSet::new(&design);
        let index = |own, enemy| {
            let mut found = 0;
            let counts = ArrayVec::from_iter([(own, enemy)]);
            features
                .visit_counts(&Perspective { counts, ..perspective(0, 0) }, |index| found = index);
            found
        };
        assert_eq!((index(1, 2), index(1, 9), index(9, 0)), (5, 5, 6));
        let all: Vec<_> = features.count(0).collect();
        assert_eq!((all.len(), all[5]), (9, (5, 1, 2)));
    }
}
