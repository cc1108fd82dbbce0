//! Elo differences with their 95 % intervals, and the likelihood of superiority.

use std::f64::consts::LN_10;
use std::fmt;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::sample::{Moments, Sample};

/// Elo points for odds of ten to one.
const ELO_PER_DECADE: f64 = 400.0;
/// Normalized Elo for each deviation of a game's score. The slope of the logistic curve gives the factor: both scales
/// agree where strength is equal and no game is drawn.
pub(super) const NORMALIZED_ELO_PER_DEVIATION: f64 = 2.0 * ELO_PER_DECADE / LN_10;

/// An estimated difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The likeliest value.
    pub value: f64,
    /// The lower end of the 95 % interval; `None` if it is unknown or unbounded.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// Half the width of the 95 % interval, as printed after `±`.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// The 95 % interval as text: `±12.3`, or both ends where one is unbounded; empty where neither is known.
    #[must_use]
    pub fn interval(&self) -> String {
        let end = |end: Option<f64>, open: &str| end.map_or(open.to_owned(), signed);
        match (self.error(), self.low.or(self.high)) {
            (Some(error), _) => format!("±{error:.1}"),
            (None, Some(_)) => format!("[{}, {}]", end(self.low, "-∞"), end(self.high, "+∞")),
            (None, None) => String::new(),
        }
    }
}

/// The value with its interval: `+12.3 ±4.5`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(format!("{} {}", signed(self.value), self.interval()).trim_end())
    }
}

/// Formats a value with sign and one decimal.
pub fn signed(value: f64) -> String {
    // Adding zero turns a negative zero into a positive one.
    format!("{:+.1}", (10.0 * value).round() / 10.0 + 0.0)
}

/// The Elo difference at which a share of the points is expected. Finite for scores between 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    -ELO_PER_DECADE * (1.0 / score - 1.0).log10()
}

/// The share of the points that is expected at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / ELO_PER_DECADE))
}

/// The Elo difference of the mean score, with the interval of the mean.
pub(super) fn logistic(sample: &Sample) -> Option<Estimate> {
    let mean = sample.mean()?;
    let within = |score: f64| (score > 0.0 && score < 1.0).then(|| elo_of_score(score));
    let margin = sample
        .moments()
        .map(|moments| quantile_of_95() * (moments.variance / sample.total()).sqrt());
    Some(Estimate {
        value: within(mean)?,
        low: margin.and_then(|margin| within(mean - margin)),
        high: margin.and_then(|margin| within(mean + margin)),
    })
}

/// Normalized Elo: the distance of the mean from one half, in deviations of a game's score.
///
/// The interval is that of the quotient, because the deviation is estimated from the same games as the mean. If one
/// side is much stronger, the error of the deviation is the greater one. fastchess takes the deviation as known: near
/// equality that is the same, at 500 Elo its interval is three times too narrow.
///
/// algorithm: A. W. Lo, "The Statistics of Sharpe Ratios", 2002, with the moments of E. Mertens, "Comments on variance
/// of the IID estimator in Lo (2002)": Var(t) = (1 - skewness t + (kurtosis - 1)/4 t²) / n.
pub(super) fn normalized(sample: &Sample) -> Option<Estimate> {
    let Moments { lead, variance, skewness, kurtosis } = sample.moments()?;
    let t = lead / variance.sqrt();
    let spread = 1.0 - skewness * t + (kurtosis - 1.0) / 4.0 * t * t;
    let scale = NORMALIZED_ELO_PER_DEVIATION / sample.games_each().sqrt();
    // A spread that is zero may come out slightly negative by rounding.
    let margin = quantile_of_95() * (spread.max(0.0) / sample.total()).sqrt();
    let at = |t: f64| t * scale;
    Some(Estimate { value: at(t), low: Some(at(t - margin)), high: Some(at(t + margin)) })
}

/// The likelihood of superiority, by the normal approximation. Equal outcomes have no spread of their own. The spread
/// is then measured around equality, so that ten wins in a row say more than one.
pub(super) fn los(sample: &Sample) -> Option<f64> {
    if sample.count() == 0 {
        return None;
    }
    let lead = sample.mean_of(|score| score - 0.5);
    let around_equality = || sample.mean_of(|score| (score - 0.5).powi(2));
    let variance = sample.moments().map_or_else(around_equality, |moments| moments.variance);
    if variance == 0.0 {
        // All games were drawn.
        return Some(0.5);
    }
    Some(Normal::standard().cdf(lead / (variance / sample.total()).sqrt()))
}

/// Deviations on either side of the mean that hold 95 % of a normal distribution.
pub(super) fn quantile_of_95() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}
