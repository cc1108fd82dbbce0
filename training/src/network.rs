//! The network of an evaluation in training: its value, and the gradient of the value.

use leap_search::eval::network::NetworkParameters;
use leap_search::eval::patterns::Shape;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// The first bias of each unit. Most units are then neither 0 nor 1.
const FIRST_BIAS: f32 = 0.3;

/// What a network sees of a position.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    /// The indices of the position's patterns.
    pub(crate) indices: &'a [u32],
    /// The maps from indices to their images.
    pub(crate) images: &'a [Vec<u32>],
    /// The part of the game.
    pub(crate) bucket: usize,
}

impl Input<'_> {
    /// The indices in each image of the board.
    fn images(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let Self { indices, images, .. } = *self;
        images.iter().map(move |image| indices.iter().map(|index| image[*index as usize] as usize))
    }
}

/// A random network, for positions with this many patterns and for this many indices. Its output weights are within
/// half of `scale`, in centipawns. All parts of a game begin with the same output weights.
pub(crate) fn untrained(
    shape: Shape,
    patterns: usize,
    indices: usize,
    scale: f32,
    random: &mut ChaCha8Rng,
) -> NetworkParameters {
    let mut uniform = |size: f32| size * (random.next_u32() as f32 / u32::MAX as f32 - 0.5);
    let spread = (patterns as f32).sqrt().recip();
    let rows = (0..indices * shape.units).map(|_| uniform(spread)).collect();
    let outputs: Vec<f32> = (0..shape.units).map(|_| uniform(scale)).collect();
    NetworkParameters {
        shape,
        rows,
        biases: vec![FIRST_BIAS; shape.units],
        outputs: outputs.repeat(shape.buckets),
    }
}

/// The value in centipawns. `sums` receives the sum of each unit, image by image.
pub(crate) fn value(network: &NetworkParameters, input: Input<'_>, sums: &mut Vec<f32>) -> f32 {
    let units = network.shape.units;
    sums.clear();
    for image in input.images() {
        let begin = sums.len();
        sums.extend(&network.biases);
        for index in image {
            let row = &network.rows[index * units..][..units];
            for (sum, weight) in sums[begin..].iter_mut().zip(row) {
                *sum += weight;
            }
        }
    }
    let outputs = network.outputs[input.bucket * units..][..units].iter().cycle();
    sums.iter().zip(outputs).map(|(sum, output)| output * sum.clamp(0.0, 1.0).powi(2)).sum()
}

/// Adds `error` times the derivatives of the value to `gradient`. The caller gives the sums of [`value`].
pub(crate) fn add_gradient(
    network: &NetworkParameters,
    input: Input<'_>,
    sums: &mut [f32],
    error: f32,
    gradient: &mut NetworkParameters,
) {
    let units = network.shape.units;
    let begin = input.bucket * units;
    for (image, sums) in input.images().zip(sums.chunks_mut(units.max(1))) {
        for (unit, sum) in sums.iter_mut().enumerate() {
            let clipped = sum.clamp(0.0, 1.0);
            gradient.outputs[begin + unit] += error * clipped.powi(2);
            // The derivative replaces the sum. A clipped sum has the derivative 0.
            let slope = if *sum == clipped { 2.0 * clipped } else { 0.0 };
            *sum = error * network.outputs[begin + unit] * slope;
            gradient.biases[unit] += *sum;
        }
        for index in image {
            let row = &mut gradient.rows[index * units..][..units];
            for (weight, change) in row.iter_mut().zip(&*sums) {
                *weight += change;
            }
        }
    }
}
