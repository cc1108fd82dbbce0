//! The sequential probability ratio test: play until it is clear which of two hypotheses is the better one.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Outcomes;
use super::elo::{NORMALIZED_ELO_PER_DEVIATION, score_of_elo};
use super::likelihood::{Cell, with_deviations, with_mean};

/// A test of the hypothesis that a player is `elo1` stronger against the one that it is `elo0` stronger.
///
/// algorithm: the generalized SPRT. For each hypothesis it takes the likeliest distribution of outcomes that satisfies
/// the hypothesis (M. Van den Bergh, "A practical introduction to the GSPRT"). The bounds are those of A. Wald,
/// "Sequential Tests of Statistical Hypotheses", 1945.
///
/// An outcome that was never seen counts a thousandth, so that the ratio is finite from the first game on.
///
/// ```
/// use leap_match::stats::Pentanomial;
/// use leap_match::stats::sprt::{Decision, Model, Sprt};
///
/// let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
/// test.check()?;
/// assert_eq!(test.status(&Pentanomial([0, 1, 2, 1, 0])).decision, None);
/// assert_eq!(test.status(&Pentanomial([0, 10, 200, 190, 100])).decision, Some(Decision::H1));
/// # Ok::<(), leap_match::stats::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The probability of accepting the alternative although the null hypothesis holds.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis although the alternative holds.
    pub beta: f64,
    /// The Elo model.
    pub model: Model,
}

/// The meaning of Elo in a test.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Logistic: by the expected score.
    Logistic,
    /// Normalized: by the expected score over its deviation, so that tests take the same number of games whatever the
    /// share of draws.
    #[default]
    Normalized,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The null hypothesis: `elo0`.
    H0,
    /// The alternative: `elo1`.
    H1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Status {
    /// The log-likelihood ratio of the alternative to the null hypothesis.
    pub llr: f64,
    /// At or below this value the null hypothesis is accepted.
    pub lower: f64,
    /// At or above this value the alternative is accepted.
    pub upper: f64,
    /// The decision; `None` while the test goes on.
    pub decision: Option<Decision>,
}

/// `LLR 2.95 (-2.94, 2.94), H1 is accepted`, without the end while there is no decision.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { llr, lower, upper, decision } = self;
        write!(f, "LLR {llr:.2} ({lower:.2}, {upper:.2})")?;
        decision.map_or(Ok(()), |decision| write!(f, ", {decision} is accepted"))
    }
}

/// Why the parameters of a test are invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are equal, in the wrong order, or not numbers.
    #[error("expected elo0 < elo1, found {elo0} and {elo1}")]
    Hypotheses {
        /// The null hypothesis, as given.
        elo0: f64,
        /// The alternative, as given.
        elo1: f64,
    },
    /// The error probabilities leave no room between the bounds.
    #[error("expected alpha and beta above 0 with a sum below 1, found {alpha} and {beta}")]
    Errors {
        /// The first probability, as given.
        alpha: f64,
        /// The second probability, as given.
        beta: f64,
    },
    /// No player is that strong.
    #[error("expected hypotheses within {MOST_ELO} Elo, found {0}")]
    TooFar(f64),
}

/// Beyond this, expected scores cannot be told from 0 and 1.
const MOST_ELO: f64 = 1000.0;

impl Sprt {
    /// Checks that the parameters are valid.
    ///
    /// # Errors
    /// [`SprtError`] if they are not.
    pub fn check(&self) -> Result<(), SprtError> {
        let &Self { elo0, elo1, alpha, beta, .. } = self;
        if elo0.partial_cmp(&elo1) != Some(Ordering::Less) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if let Some(far) = [elo0, elo1].into_iter().find(|elo| elo.abs() > MOST_ELO) {
            return Err(SprtError::TooFar(far));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(())
    }

    /// The values of the log-likelihood ratio at which the null hypothesis and the alternative are accepted.
    pub(super) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The state of the test after these results. Its parameters must be [valid](Sprt::check).
    pub fn status(&self, results: &impl Outcomes) -> Status {
        let (lower, upper) = self.bounds();
        let llr = self.llr(results);
        let decision = match llr {
            llr if llr >= upper => Some(Decision::H1),
            llr if llr <= lower => Some(Decision::H0),
            _ => None,
        };
        Status { llr, lower, upper, decision }
    }

    fn llr(&self, results: &impl Outcomes) -> f64 {
        let sample = results.sample();
        if sample.count() == 0 {
            return 0.0;
        }
        let seen = sample.regularized();
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => with_mean(&seen, score_of_elo(elo)),
            Model::Normalized => {
                let deviations = elo / NORMALIZED_ELO_PER_DEVIATION;
                with_deviations(&seen, deviations * sample.games_each().sqrt())
            }
        });
        let ratio = |(((_, weight), p0), p1): ((&Cell, &f64), &f64)| weight * (p1 / p0).ln();
        seen.iter().zip(&null).zip(&alternative).map(ratio).sum()
    }
}
