//! The optimiser Adam (Kingma and Ba, arXiv 1412.6980). Weights decay towards their values before training (Loshchilov
//! and Hutter, arXiv 1711.05101).

use rayon::prelude::*;

/// The share of the mean gradient, and of the mean square, that is kept from step to step.
const KEPT: [f32; 2] = [0.9, 0.999];
/// Keeps rare weights from large steps.
const EPSILON: f32 = 1e-6;

/// The state of an optimiser.
pub(crate) struct Adam {
    /// The weights before training.
    prior: Vec<f32>,
    /// The mean gradient and the mean square of each weight.
    means: Vec<[f32; 2]>,
    steps: i32,
}

/// How far weights move.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// The size of a step.
    pub(crate) rate: f32,
    /// The share of a step by which a weight falls back to its prior.
    pub(crate) decay: f32,
    /// The largest absolute value of a weight.
    pub(crate) limit: f32,
}

impl Adam {
    pub(crate) fn new(prior: &[f32]) -> Self {
        Self { prior: prior.to_vec(), means: vec![[0.0; 2]; prior.len()], steps: 0 }
    }

    /// Takes a step against a gradient, which is the sum of the parts.
    pub(crate) fn step(&mut self, weights: &mut [f32], gradients: &[&[f32]], pace: Pace) {
        self.steps += 1;
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        let state = weights.par_iter_mut().zip(&mut self.means).zip(&self.prior).enumerate();
        state.for_each(|(index, ((weight, [mean, square]), prior))| {
            let gradient: f32 = gradients.iter().map(|part| part[index]).sum();
            if gradient == 0.0 && *square == 0.0 {
                return;
            }
            *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * gradient;
            *square = KEPT[1] * *square + (1.0 - KEPT[1]) * gradient * gradient;
            let (mean, square) = (*mean / unbiased[0], *square / unbiased[1]);
            let change = mean / (square.sqrt() + EPSILON);
            *weight -= pace.rate * (change + pace.decay * (*weight - prior));
            *weight = weight.clamp(-pace.limit, pace.limit);
        });
    }
}
