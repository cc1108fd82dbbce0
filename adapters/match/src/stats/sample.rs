//! Counted outcomes as numbers.

/// The count of an outcome that was never observed, where a likelihood is computed. Every outcome must be possible, and
/// this count is too small to matter. fishtest and fastchess use the same value, so that ratios agree.
const UNSEEN: f64 = 1e-3;

/// The smallest share of an outcome where a likelihood is computed.
///
/// With more than a thousand million games [`UNSEEN`] would be a smaller share, which rounding turns into zero.
const SMALLEST_SHARE: f64 = 1e-12;

/// How often each of several scores has occurred. The scores are evenly spaced from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    counts: Vec<u64>,
    games_each: u32,
}

/// The moments of a sample with a non-zero spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// The mean score minus one half. It is summed directly, since subtracting would lose precision when nearly all
    /// outcomes are even.
    pub(super) lead: f64,
    pub(super) variance: f64,
    pub(super) skewness: f64,
    /// 3 for a normal distribution.
    pub(super) kurtosis: f64,
}

impl Sample {
    /// Creates a sample from at least two counts, worst outcome first. Each outcome stands for this many games.
    #[must_use]
    pub fn new(counts: &[u64], games_each: u32) -> Self {
        Self { counts: counts.to_vec(), games_each }
    }

    /// The number of outcomes.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.counts.iter().copied().map(u128::from).sum()
    }

    /// The number of outcomes as it is divided by. Summed like the scores in [`Sample::mean_of`], so that no mean is
    /// rounded beyond the best score.
    pub(super) fn total(&self) -> f64 {
        self.counts.iter().map(|count| *count as f64).sum()
    }

    /// Games per outcome.
    pub(super) fn games_each(&self) -> f64 {
        f64::from(self.games_each)
    }

    /// The mean score, from 0 to 1; `None` without an outcome.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.mean_of(|score| score))
    }

    /// The moments; `None` where all outcomes are the same.
    pub(super) fn moments(&self) -> Option<Moments> {
        if self.counts.iter().filter(|count| **count > 0).count() < 2 {
            return None;
        }
        let lead = self.mean_of(|score| score - 0.5);
        let variance = self.mean_of(|score| (score - 0.5 - lead).powi(2));
        let deviation = variance.sqrt();
        let standard = |power| self.mean_of(|score| ((score - 0.5 - lead) / deviation).powi(power));
        Some(Moments { lead, variance, skewness: standard(3), kurtosis: standard(4) })
    }

    /// The mean of a function of the score. The sample must not be empty.
    pub(super) fn mean_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 = self.scores().zip(&self.counts).map(|(s, n)| f(s) * *n as f64).sum();
        sum / self.total()
    }

    /// Scores with their weights, none of which is zero: outcomes that were never observed weigh [`UNSEEN`], and none
    /// less than [`SMALLEST_SHARE`] of all.
    pub(super) fn regularized(&self) -> Vec<(f64, f64)> {
        let least = SMALLEST_SHARE * self.total();
        let weight = |count: &u64| if *count == 0 { UNSEEN } else { *count as f64 }.max(least);
        self.scores().zip(self.counts.iter().map(weight)).collect()
    }

    fn scores(&self) -> impl Iterator<Item = f64> + use<> {
        let last = self.counts.len() - 1;
        (0..=last).map(move |at| at as f64 / last as f64)
    }
}
