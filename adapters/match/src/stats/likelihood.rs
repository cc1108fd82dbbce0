//! The likeliest distribution of outcomes under a hypothesis about strength.
//!
//! Among the distributions that satisfy the hypothesis, the observed outcomes are most probable under this one. No draw
//! model is needed.

/// An outcome: its score, and its weight or probability.
pub(super) type Cell = (f64, f64);

/// Distributions are found to this accuracy in each probability.
const ACCURACY: f64 = 1e-12;
/// The largest step of the deviation.
const STEP: f64 = 0.1;
/// The smallest part of the way that is tried.
const LEAST_STEP: f64 = 1e-12;
/// Rounds after which the search for a fixed point is given up; it takes about ten.
const MOST_ROUNDS: usize = 100;

/// The likeliest probabilities with an expected score of `score`, between 0 and 1.
///
/// algorithm: M. Van den Bergh, "The support MLE for a multinomial distribution" (support_MLE_multinomial.pdf),
/// proposition 1.1: q = p / (1 + x (a - score)) where x makes the mean right.
pub(super) fn with_mean(seen: &[Cell], score: f64) -> Vec<f64> {
    tilted(seen, |value| value - score)
}

/// The likeliest probabilities whose mean is `t` deviations above one half.
///
/// algorithm: M. Van den Bergh, "Normalized Elo: practical" (normalized_elo_practical.pdf), section 4.1.
///
/// 1. Begin with the solution of equality.
/// 2. Make the condition linear at the mean and deviation of the last solution.
/// 3. Solve the linear condition as [`with_mean`] does, and repeat.
///
/// `t` is approached in [`STEP`]s, and in shorter ones where nearly all outcomes are the same. A condition that is made
/// linear too far from its solution may have none.
pub(super) fn with_deviations(seen: &[Cell], t: f64) -> Vec<f64> {
    let mut found = with_mean(seen, 0.5);
    let longest = 1.0 / (t.abs() / STEP).ceil().max(1.0);
    // The part of the way that is made, and the next step.
    let (mut part, mut step) = (0.0_f64, longest);
    while part < 1.0 && step > LEAST_STEP {
        // Rounding must not leave a last step of almost no length.
        let next = if part + step * 1.5 > 1.0 { 1.0 } else { part + step };
        match fixed_point(seen, t * next, &found) {
            Some(solution) => (found, part, step) = (solution, next, longest.min(2.0 * step)),
            None => step /= 2.0,
        }
    }
    found
}

/// The solution at `t` deviations, starting from a nearby one; `None` if that was too far away.
fn fixed_point(seen: &[Cell], t: f64, near: &[f64]) -> Option<Vec<f64>> {
    let mut found = near.to_vec();
    for _ in 0..MOST_ROUNDS {
        let (mean, deviation) = mean_and_deviation(seen, &found);
        let next = tilted(seen, |value| {
            let distance = (mean - value) / deviation;
            value - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        if !next.iter().all(|p| p.is_finite() && *p > 0.0) {
            return None;
        }
        let change = next.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < ACCURACY {
            break;
        }
    }
    Some(found)
}

/// The mean score of these probabilities, and its deviation for one outcome.
fn mean_and_deviation(cells: &[Cell], probabilities: &[f64]) -> (f64, f64) {
    let expect = |f: &dyn Fn(f64) -> f64| -> f64 {
        cells.iter().zip(probabilities).map(|((value, _), p)| f(*value) * p).sum()
    };
    let mean = expect(&|value| value);
    (mean, expect(&|value| (value - mean).powi(2)).sqrt())
}

/// The likeliest probabilities under which `excess` is zero on average. `excess` must take both signs.
fn tilted(seen: &[Cell], excess: impl Fn(f64) -> f64) -> Vec<f64> {
    let total: f64 = seen.iter().map(|(_, weight)| weight).sum();
    let cells: Vec<Cell> =
        seen.iter().map(|(value, weight)| (excess(*value), weight / total)).collect();
    let x = tilt(&cells);
    cells.iter().map(|(excess, p)| p / (1.0 + x * excess)).collect()
}

/// The `x` for which the mean of `e / (1 + x e)` is zero. Between the poles on either side of 0 the mean falls from
/// plus to minus infinity, so it has one root there.
///
/// algorithm: Newton's method, with bisection where a step would leave the bracket or not halve the last step (Press et
/// al., "Numerical Recipes", section 9.4).
fn tilt(cells: &[Cell]) -> f64 {
    let least = cells.iter().map(|(excess, _)| *excess).fold(f64::INFINITY, f64::min);
    let most = cells.iter().map(|(excess, _)| *excess).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = low + (high - low) / 2.0;
    let mut step = high - low;
    loop {
        let (mut mean, mut fall) = (0.0, 0.0);
        for (excess, p) in cells {
            let share = excess / (1.0 + x * excess);
            mean += p * share;
            fall += p * share * share;
        }
        if mean > 0.0 {
            low = x
        } else {
            high = x
        }
        let newton = x + mean / fall;
        let is_sound = low < newton && newton < high && (newton - x).abs() < step / 2.0;
        let next = if is_sound { newton } else { low + (high - low) / 2.0 };
        if next == x || next <= low || next >= high {
            return x;
        }
        (x, step) = (next, (next - x).abs());
    }
}
