//! Patterns: what a learned evaluation looks at.
//!
//! A *pattern* is a list of squares, such as a window of 3x3. Its index is a number with a digit for each square: what
//! stands there. Each index has a weight (the patterns of Buro's Logistello; n-tuple networks). The images of a pattern
//! under the symmetries of the game share their weights. Two indices that are images of each other share one too. A
//! *count* is a number that each player has, such as its men. Each pair of numbers has a weight.
//!
//! The side to move sees its own pieces first, whichever side it is.
//!
//! An index is a sum over the pieces on the board. Each piece adds the same number to a pattern, wherever the other
//! pieces stand. Adding a vector for each piece therefore gives the indices of all patterns.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::lanes::{LANES, Lanes};
use leap_core::symmetry::Transform;
use leap_core::{Geometry, Square, SquareSet};

/// The most kinds of pieces, with each side's pieces as kinds of their own.
pub const MAX_KINDS: usize = 12;
/// The most counts.
pub const MAX_COUNTS: usize = 4;
/// The phase of a pure endgame. The phase of an opening is 0.
pub const LAST_PHASE: i32 = 64;

/// The symmetry of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right can be exchanged.
    Mirror,
    /// The square board can be turned and mirrored.
    Square,
}

impl Symmetry {
    /// The images of squares, the squares themselves first.
    fn images(self, board: Geometry, squares: &[Square]) -> Vec<Vec<Square>> {
        let transforms = Transform::ALL.iter().take(self.turns());
        let image = |transform: &Transform| {
            squares.iter().map(|square| board.transform(*square, *transform)).collect()
        };
        transforms.map(image).collect()
    }

    /// The number of images of a board, the board itself included.
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
    fn squares(self, board: Geometry) -> Vec<Square> {
        let Self { at: (file, rank), size: (files, ranks) } = self;
        let square = |index| board.square(file + index % files, rank + index / files);
        (0..files * ranks).filter_map(square).collect()
    }
}

/// A number that each player has.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// What is counted.
    pub name: &'static str,
    /// The largest number with weights of its own. Larger numbers count as this one.
    pub most: u32,
    /// The value of two numbers before training, in centipawns.
    pub prior: fn(own: f32, enemy: f32) -> f32,
}

/// The patterns and counts that an evaluation looks at.
#[derive(Clone, Debug)]
pub struct Design {
    /// The id of the game.
    pub game: &'static str,
    /// The board, of at most 64 squares.
    pub board: Geometry,
    /// The symmetry of the game.
    pub symmetry: Symmetry,
    /// A sign for each kind of piece, of both sides. The digits of these kinds are 1, 2 and so on; 0 is an empty
    /// square.
    pub kinds: &'static str,
    /// The windows: one of each set of images.
    pub windows: Vec<Window>,
    /// The counts, at most [`MAX_COUNTS`].
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
    Network(Shape),
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The number of units of an image. A network is fast if the units of all images fill rows of 32.
    pub units: usize,
    /// The number of parts of a game, from its beginning to its end, with output weights of their own.
    pub buckets: usize,
}

/// The most units of a network, those of all images together.
const MAX_UNITS: usize = 128;

/// The most parts of a game with output weights of their own.
const MAX_BUCKETS: usize = 16;

impl Shape {
    /// The largest shape of a network in a game of this symmetry.
    #[must_use]
    pub const fn largest(symmetry: Symmetry) -> Self {
        Self { units: MAX_UNITS / symmetry.turns(), buckets: MAX_BUCKETS }
    }

    /// Whether a network may have this shape in a game of this symmetry.
    #[must_use]
    pub const fn is_allowed(self, symmetry: Symmetry) -> bool {
        let (Self { units, buckets }, most) = (self, Self::largest(symmetry));
        1 <= units && units <= most.units && 1 <= buckets && buckets <= most.buckets
    }

    /// The part of a game that a phase belongs to.
    #[inline]
    #[must_use]
    pub const fn bucket(self, phase: i32) -> usize {
        phase as usize * self.buckets / (LAST_PHASE as usize + 1)
    }
}

impl Form {
    /// The shape of the network. It has no units and no buckets if each index has a weight.
    #[must_use]
    pub const fn shape(self) -> Shape {
        match self {
            Self::Linear => Shape { units: 0, buckets: 0 },
            Self::Network(shape) => shape,
        }
    }
}

impl Design {
    /// The design with a network of another shape.
    #[must_use]
    pub fn shaped(&self, shape: Shape) -> Self {
        Self { form: Form::Network(shape), ..self.clone() }
    }

    /// The number of states of a square: empty, or a piece of some kind.
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
    /// The own number and the enemy's number for each count.
    pub counts: ArrayVec<(u32, u32), MAX_COUNTS>,
    /// The phase of the game, from 0 to [`LAST_PHASE`].
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
    /// For each index, the first index with the same weight.
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

    /// For each index, the first index with the same weight.
    #[must_use]
    pub fn ties(&self) -> &[u32] {
        &self.ties
    }

    /// The number of indices of patterns. They come before the indices of counts.
    #[must_use]
    pub fn patterns_len(&self) -> usize {
        self.counts.first().map_or(self.ties.len(), |count| count.begin as usize)
    }

    /// The number of patterns of a position.
    #[must_use]
    pub const fn patterns(&self) -> usize {
        self.placements.len()
    }

    /// Maps each index of a pattern to its index in each image of the board, the board itself first.
    ///
    /// Only for a design with [units](Form::Network), where each image of a window has indices of its own.
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

    /// The squares of a pattern with this index, and the state of each square: 0 if empty, otherwise a kind of piece
    /// from 1 on.
    ///
    /// Empty for an index of counts.
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

    /// The indices of a count, each with the own number and the enemy's number.
    pub fn count(&self, number: usize) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let CountTable { begin, most } = self.counts[number];
        let side = most + 1;
        (0..side.pow(2)).map(move |index| (begin + index, index / side, index % side))
    }

    /// Visits the index of each pattern that has a piece, and perhaps of empty patterns.
    #[inline]
    pub fn visit_occupied(&self, perspective: &Perspective, mut visit: impl FnMut(u32)) {
        let Some(pieces) = &self.pieces else { return self.visit_patterns(perspective, visit) };
        for (set, pieces) in perspective.kinds.iter().zip(pieces.chunks_exact(self.squares)) {
            for square in *set {
                visit(pieces[square.index()]);
            }
        }
    }

    /// The first index of each pattern, which stands for empty squares.
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

    /// Adds a pattern and its images. For a network, each image gets indices of its own; otherwise the images share
    /// them.
    fn add_window(&mut self, design: &Design, squares: &[Square]) {
        let begin = self.ties.len() as u32;
        let images = design.symmetry.images(design.board, squares);
        let by_place: BTreeMap<Vec<usize>, &Vec<Square>> =
            images.iter().rev().map(|image| (sorted(image), image)).collect();
        if let Form::Network(_) = design.form {
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

    /// Adds a single pattern. Other patterns may share its indices.
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

/// Maps each index of a pattern to its index after the pieces have moved to `image`.
///
/// The pattern there has the same squares as `image`, in the order of `squares`.
fn moved(squares: &[Square], image: &[Square], states: usize) -> Vec<u32> {
    let place = |square| squares.iter().position(|other| *other == square).unwrap_or(0);
    image.iter().fold(vec![0], |lower, square| {
        let worth = states.pow(place(*square) as u32);
        let with_digit = |digit| lower.iter().map(move |index| index + (digit * worth) as u32);
        (0..states).flat_map(with_digit).collect()
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const GEOMETRY: Geometry = Geometry { files: 4, ranks: 4 };

    /// Windows on a board of 4x4 squares.
    pub(in crate::eval) fn windows(symmetry: Symmetry, windows: Vec<Window>) -> Design {
        Design {
            game: "",
            board: GEOMETRY,
            symmetry,
            kinds: "Ox",
            windows,
            counts: Vec::new(),
            form: Form::Linear,
        }
    }

    fn design(symmetry: Symmetry, at: (i32, i32), size: (i32, i32)) -> Design {
        windows(symmetry, vec![Window { at, size }])
    }

    pub(in crate::eval) fn perspective(own: u64, enemy: u64) -> Perspective {
        let kinds = ArrayVec::from_iter([SquareSet(own), SquareSet(enemy)]);
        Perspective { kinds, counts: ArrayVec::new(), phase: LAST_PHASE / 2 }
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
        assert_eq!(features.ties().len(), 81);
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
                let images = symmetry.images(GEOMETRY, &own);
                for (own, enemy) in images.iter().zip(symmetry.images(GEOMETRY, &enemy)) {
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
