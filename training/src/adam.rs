//! Adam (Kingma and Ba, arXiv 1412.6980), with weights that decay to what they were before anything was learned (Loshchilov
//! and Hutter, arXiv 1711.05101).

use leapd::eval::model::PHASES;
use rayon::prelude::*;

/// How much of the mean gradient, and of the mean square, is kept from step to step.
const KEPT: [f32; 2] = [0.9, 0.999];
/// Keeps rare weights from large steps.
const EPSILON: f32 = 1e-6;

/// The state of an optimiser.
pub(crate) struct Adam {
    /// Before anything was learned.
    prior: Vec<[f32; PHASES]>,
    means: Vec<[[f32; 2]; PHASES]>,
    steps: i32,
}

impl Adam {
    pub(crate) fn new(prior: Vec<[f32; PHASES]>) -> Self {
        let means = vec![[[0.0; 2]; PHASES]; prior.len()];
        Self { prior, means, steps: 0 }
    }

    /// A step of this rate, against a gradient given in parts.
    pub(crate) fn step(
        &mut self,
        weights: &mut [[f32; PHASES]],
        gradients: &[Vec<[f32; PHASES]>],
        rate: f32,
        decay: f32,
    ) {
        self.steps += 1;
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        let state = weights.par_iter_mut().zip(&mut self.means).zip(&self.prior).enumerate();
        state.for_each(|(index, ((weight, means), prior))| {
            for phase in 0..PHASES {
                let gradient: f32 = gradients.iter().map(|part| part[index][phase]).sum();
                let [mean, square] = &mut means[phase];
                if gradient == 0.0 && *square == 0.0 {
                    continue;
                }
                *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * gradient;
                *square = KEPT[1] * *square + (1.0 - KEPT[1]) * gradient * gradient;
                let (mean, square) = (*mean / unbiased[0], *square / unbiased[1]);
                let change = mean / (square.sqrt() + EPSILON);
                weight[phase] -= rate * (change + decay * (weight[phase] - prior[phase]));
            }
        });
    }
}
