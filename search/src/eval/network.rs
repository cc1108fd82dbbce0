//! A small network over the indices of patterns. It learns what patterns are worth together.
//!
//! Each index has a row of weights, one for each hidden unit. A unit adds up the weights of a position's indices, clips
//! the sum to 0 and 1 and squares it. The evaluation is a weighted sum of the units. The idea is from the efficiently
//! updatable networks (NNUE) of Nasu, 2018, and of chess engines.
//!
//! The units are applied to all images of a position under the symmetries of the game. A position and its images are
//! therefore worth the same. A row has a lane for each unit and image. Each part of a game may have output weights of its
//! own: the output buckets of chess engines.

use arrayvec::ArrayVec;

use super::lanes::{LANES, Lanes};
use super::patterns::{Design, FeatureSet, Perspective, Shape};

/// The integer that stands for a hidden unit's sum of 1.
pub const ONE: i16 = 512;
/// The number of steps to which squares of sums are rounded.
const STEPS: i32 = 256;
/// The largest output weight.
const MAX_OUTPUT: f32 = i16::MAX as f32;

/// The most patterns of a position: a pattern for each square.
const MAX_PATTERNS: usize = 64;

/// A network with integer weights.
#[derive(Clone, Debug)]
pub struct Network {
    groups: Vec<Group>,
    shape: Shape,
}

/// As many units as a row of [`Lanes`] holds. Their sums stay in registers.
#[derive(Clone, Debug)]
struct Group {
    /// For each index, what it adds to each lane.
    rows: Vec<Lanes>,
    /// The value that each lane begins with.
    biases: Lanes,
    /// The output weight of each lane, in steps of a weight, for each part of a game.
    outputs: Vec<Lanes>,
}

/// A network while it is learned, with real weights, and with units for a single image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetworkParameters {
    /// The shape of the network.
    pub shape: Shape,
    /// Weights from each index to each unit, index by index.
    pub rows: Vec<f32>,
    /// The value that each unit begins with.
    pub biases: Vec<f32>,
    /// The output weight of each unit, in centipawns, part by part of a game.
    pub outputs: Vec<f32>,
}

impl NetworkParameters {
    /// A network of this shape over this many indices, all 0.
    #[must_use]
    pub fn zeros(shape: Shape, indices: usize) -> Self {
        let zeros = |count: usize| vec![0.0; count * shape.units];
        Self { shape, rows: zeros(indices), biases: zeros(1), outputs: zeros(shape.buckets) }
    }

    /// The largest weight of a row that cannot overflow a sum over this many patterns.
    #[must_use]
    pub fn limit(patterns: usize) -> f32 {
        f32::from(i16::MAX) / f32::from(ONE) / (patterns + 1) as f32
    }

    /// The weights as integers, in the order of a file: rows, biases, outputs. A centipawn has `unit` steps.
    pub(super) fn quantised(&self, patterns: usize, unit: i32) -> Vec<i16> {
        let limit = Self::limit(patterns);
        let sum = |weight: &f32| (weight.clamp(-limit, limit) * f32::from(ONE)).round() as i16;
        let output =
            |weight: &f32| (weight * unit as f32).round().clamp(-MAX_OUTPUT, MAX_OUTPUT) as i16;
        let sums = self.rows.iter().chain(&self.biases).map(sum);
        sums.chain(self.outputs.iter().map(output)).collect()
    }
}

impl Network {
    /// The number of integers that a file has for a network.
    pub(super) const fn len(indices: usize, Shape { units, buckets }: Shape) -> usize {
        (indices + 1 + buckets) * units
    }

    /// Builds the network of a file's numbers, with a lane for each unit and image.
    pub(super) fn new(features: &FeatureSet, design: &Design, numbers: &[i16]) -> Self {
        let shape = design.form.shape();
        let images = features.images(design);
        let lanes = shape.units * images.len();
        let group = |group| Group::new(features, &images, shape, numbers, group * LANES);
        Self { groups: (0..lanes.div_ceil(LANES)).map(group).collect(), shape }
    }

    /// The value of a position, in steps of a weight.
    #[inline]
    pub(super) fn value(&self, features: &FeatureSet, perspective: &Perspective) -> i32 {
        let mut indices = ArrayVec::<u32, MAX_PATTERNS>::new();
        features.visit_occupied(perspective, |index| indices.push(index));
        self.value_of(&indices, self.shape.bucket(perspective.phase))
    }

    /// What a pattern adds to the value of an empty board at the beginning of a game, in steps of a weight.
    pub(super) fn alone(&self, index: u32) -> i32 {
        self.value_of(&[index], 0) - self.value_of(&[], 0)
    }

    #[inline]
    fn value_of(&self, indices: &[u32], bucket: usize) -> i32 {
        self.groups.iter().map(|group| group.value(indices, bucket)).sum::<i32>() / STEPS
    }
}

impl Group {
    /// The group whose first lane is the lane `first` of the network. Lanes after the network's last are 0.
    fn new(
        features: &FeatureSet,
        images: &[Vec<u32>],
        Shape { units, buckets }: Shape,
        numbers: &[i16],
        first: usize,
    ) -> Self {
        let indices = features.patterns_len();
        let lanes = |row: &dyn Fn(usize) -> usize| {
            let number = |lane: usize| numbers[row(lane / units) * units + lane % units];
            let is_used = |lane: usize| lane < units * images.len();
            Lanes(std::array::from_fn(|at| {
                Some(first + at).filter(|lane| is_used(*lane)).map_or(0, number)
            }))
        };
        let of_index = |index: usize| lanes(&|image| images[image][index] as usize);
        let mut rows: Vec<Lanes> = (0..indices).map(of_index).collect();
        let mut biases = lanes(&|_| indices);
        fold_empty(features, &mut rows, &mut biases);
        let outputs = (0..buckets).map(|bucket| lanes(&|_| indices + 1 + bucket)).collect();
        Self { rows, biases, outputs }
    }

    /// What the units of the group add to a value, in steps of a weight times [`STEPS`].
    #[inline]
    fn value(&self, indices: &[u32], bucket: usize) -> i32 {
        let add = |sums: Lanes, index: &u32| sums.plus(&self.rows[*index as usize]);
        let Lanes(sums) = indices.iter().fold(self.biases, add);
        let lanes = sums.into_iter().zip(&self.outputs[bucket].0);
        lanes.map(|(sum, output)| i32::from(squared(sum)) * i32::from(*output)).sum()
    }
}

/// Makes the rows of empty patterns 0, so that empty patterns need not be visited. The empty row of a pattern moves
/// into the biases, and is subtracted from the other rows of the pattern.
fn fold_empty(features: &FeatureSet, rows: &mut [Lanes], biases: &mut Lanes) {
    let begins: Vec<usize> = features.empty().map(|index| index as usize).collect();
    let ends = begins.iter().skip(1).copied().chain([rows.len()]);
    for (begin, end) in begins.iter().copied().zip(ends) {
        let empty = rows[begin];
        *biases = biases.plus(&empty);
        rows[begin..end].iter_mut().for_each(|row| *row = row.minus(&empty));
    }
}

/// The square of a clipped sum, from 0 to [`STEPS`].
///
/// The square of `ONE << 3` is `STEPS << 16`. One instruction takes the upper halves of eight products.
#[inline]
fn squared(sum: i16) -> i16 {
    let scaled = i32::from(sum.clamp(0, ONE) << 3);
    ((scaled * scaled) >> 16) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::patterns::tests::{self, perspective};
    use crate::eval::patterns::{LAST_PHASE, Symmetry, Window};
    use leap_core::SplitMix64;

    const UNIT: i32 = 4;
    const SHAPE: Shape = Shape { units: LANES / 2, buckets: 3 };

    fn design(size: i32) -> Design {
        let last = 4 - size;
        let windows = (0..=last).flat_map(|rank| (0..=last / 2).map(move |file| (file, rank)));
        let windows = windows.map(|at| Window { at, size: (size, size) }).collect();
        tests::windows(Symmetry::Mirror, windows).shaped(SHAPE)
    }

    fn parameters(features: &FeatureSet, shape: Shape) -> NetworkParameters {
        let mut random = SplitMix64::new(7);
        let mut numbers = |count: usize, size: f32| -> Vec<f32> {
            let number = |_| size * (random.draw() as f32 / u64::MAX as f32 - 0.5);
            (0..count).map(number).collect()
        };
        let Shape { units, buckets } = shape;
        NetworkParameters {
            shape,
            rows: numbers(features.patterns_len() * units, 1.0),
            biases: numbers(units, 1.0),
            outputs: numbers(buckets * units, 100.0),
        }
    }

    /// The value in centipawns, by real numbers and image by image.
    fn value(
        learned: &NetworkParameters,
        features: &FeatureSet,
        design: &Design,
        perspective: &Perspective,
    ) -> f32 {
        let NetworkParameters { shape, .. } = learned;
        let of_image = |image: &Vec<u32>| -> f32 {
            let mut sums = learned.biases.clone();
            features.visit_patterns(perspective, |index| {
                let row = &learned.rows[image[index as usize] as usize * shape.units..];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            });
            let begin = shape.bucket(perspective.phase) * shape.units;
            let lanes = sums.iter().zip(&learned.outputs[begin..]);
            lanes.map(|(sum, output)| sum.clamp(0.0, 1.0).powi(2) * output).sum()
        };
        features.images(design).iter().map(of_image).sum()
    }

    /// A network of any shape: its lanes may fill a part of a row, a row, or several.
    #[test]
    fn whole_numbers_are_near_the_real_ones() {
        for (size, units) in [(1, 16), (2, 16), (2, 5), (2, 40), (1, 64)] {
            let shape = Shape { units, ..SHAPE };
            let design = design(size).shaped(shape);
            let features = FeatureSet::new(&design);
            let learned = parameters(&features, shape);
            let numbers = learned.quantised(features.patterns(), UNIT);
            assert_eq!(numbers.len(), Network::len(features.patterns_len(), shape));
            let network = Network::new(&features, &design, &numbers);
            let boards = [(0, 0), (0x1234, 0x8081), (0x00ff, 0xff00), (0x8000, 0)];
            for ((own, enemy), phase) in boards.into_iter().zip([0, 1, LAST_PHASE / 2, LAST_PHASE])
            {
                let perspective = Perspective { phase, ..perspective(own, enemy) };
                let expected = value(&learned, &features, &design, &perspective);
                let found = network.value(&features, &perspective) as f32 / UNIT as f32;
                let error = units as f32 / 4.0;
                assert!((found - expected).abs() < error, "{own:x} {enemy:x}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_largest_weights_do_not_overflow() {
        let design = design(1);
        let features = FeatureSet::new(&design);
        let mut learned = parameters(&features, SHAPE);
        learned.rows.fill(1e9);
        learned.biases.fill(1e9);
        learned.outputs.fill(1.0);
        let numbers = learned.quantised(features.patterns(), UNIT);
        let network = Network::new(&features, &design, &numbers);
        assert_eq!(network.value(&features, &perspective(0xff, 0xff00)), LANES as i32 * UNIT);
    }
}
