//! The loss of an evaluation: the cross entropy of the chances that its scores stand for.

use std::fmt;

use crate::examples::Example;

/// Mean losses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Losses {
    /// The loss from the targets, on the positions that weights are fitted to.
    pub(crate) fitted: f64,
    /// The loss from the targets, on the positions held out.
    pub(crate) held_out: f64,
    /// The loss from the results, on the positions held out.
    pub(crate) results: f64,
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fitted, held_out, results } = self;
        write!(f, "loss {fitted:.4}, held out {held_out:.4}, loss of results {results:.4}")
    }
}

/// The scale with which scores predict results best.
pub(crate) fn best_scale(examples: &[Example]) -> f32 {
    let loss = |scale: &f32| -> f64 {
        let loss = |example: &Example| cross_entropy(chance(example.score, *scale), example.result);
        examples.iter().map(loss).sum()
    };
    let scales = (0..40).map(|step| 20.0 * 1.15_f32.powi(step));
    let scored = scales.map(|scale| (loss(&scale), scale));
    scored.min_by(|(a, _), (b, _)| a.total_cmp(b)).map_or(100.0, |(_, scale)| scale)
}

/// The chance of a win that a score stands for.
pub(crate) fn chance(centipawns: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-centipawns / scale).exp())
}

pub(crate) fn cross_entropy(guess: f32, truth: f32) -> f64 {
    let guess = guess.clamp(1e-6, 1.0 - 1e-6);
    -f64::from(truth * guess.ln() + (1.0 - truth) * (1.0 - guess).ln())
}
