//! Factorised features: rows of a network that all patterns with the same pieces share, wherever they are.
//!
//! A row is the sum of its own weights and of the weights of its factor. Rare patterns so learn from the same pieces
//! elsewhere. Only the sum is kept: what a factor learns goes into all its rows immediately.

use crate::adam::{Adam, Pace};

/// The factors of the rows of a network, and their optimiser.
pub(crate) struct Factors {
    units: usize,
    /// The factor of each row.
    of: Vec<u32>,
    weights: Vec<f32>,
    adam: Adam,
}

impl Factors {
    pub(crate) fn new(of: Vec<u32>, units: usize) -> Self {
        let count = of.iter().max().map_or(0, |last| *last as usize + 1);
        let weights = vec![0.0; count * units];
        Self { units: units.max(1), of, adam: Adam::new(&weights), weights }
    }

    /// Takes a step against a gradient of the rows, which is the sum of the parts.
    pub(crate) fn step(&mut self, rows: &mut [f32], gradients: &[&[f32]], pace: Pace) {
        let mut gradient = vec![0.0; self.weights.len()];
        for part in gradients {
            for (row, of) in part.chunks_exact(self.units).zip(&self.of) {
                let factor = &mut gradient[*of as usize * self.units..];
                factor.iter_mut().zip(row).for_each(|(sum, change)| *sum += change);
            }
        }
        let before = self.weights.clone();
        self.adam.step(&mut self.weights, &[&gradient], pace);
        for (row, of) in rows.chunks_exact_mut(self.units).zip(&self.of) {
            let begin = *of as usize * self.units;
            let learned = self.weights[begin..].iter().zip(&before[begin..]);
            for (weight, (after, before)) in row.iter_mut().zip(learned) {
                *weight = (*weight + after - before).clamp(-pace.limit, pace.limit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_factor_move_together_and_others_stay() {
        let pace = Pace { rate: 0.5, decay: 0.0, limit: 10.0 };
        let mut factors = Factors::new(vec![0, 1, 0], 2);
        let mut rows = vec![1.0, 2.0, 3.0, 4.0, 9.9, 6.0];
        // Only the first row has a gradient, in two parts: its first weight rises, its second falls.
        let parts: [&[f32]; 2] =
            [&[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]];
        factors.step(&mut rows, &parts, pace);
        let expected = [1.5, 1.5, 3.0, 4.0, 10.0, 5.5];
        assert!(
            rows.iter().zip(expected).all(|(row, expected)| (row - expected).abs() < 1e-3),
            "{rows:?}"
        );
    }
}
