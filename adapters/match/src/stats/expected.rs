//! How many games a question needs, before any is played.

use serde::Serialize;

use super::elo::{NORMALIZED_ELO_PER_DEVIATION, quantile_of_95, score_of_elo};
use super::sprt::{Model, Sprt};

/// What a sequential test will do if this is the true difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Expectation {
    /// The true difference, in the Elo of the test's model.
    pub elo: f64,
    /// The games that the test takes on average.
    pub games: f64,
    /// The probability that it accepts the alternative, from 0 to 1.
    pub h1: f64,
}

impl Sprt {
    /// What the test will do if the true difference is `elo` and this share of the games is drawn. The share counts in
    /// the logistic model alone.
    ///
    /// The games are assumed to be independent, and the ratio to end exactly at a bound. A real test takes a few games
    /// in a hundred more. Pairs of unbalanced openings are decided sooner in the logistic model.
    ///
    /// algorithm: A. Wald, "Sequential Analysis", 1947, 3.4 and 3.5, for a ratio that moves as Brownian motion;
    /// M. Van den Bergh, "A practical introduction to the GSPRT".
    ///
    /// ```
    /// use leap_match::stats::sprt::{Model, Sprt};
    ///
    /// let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    /// let hardest = test.expectation(2.5, 0.0);
    /// assert!((0.499..0.501).contains(&hardest.h1) && hardest.games > test.expectation(5.0, 0.0).games);
    /// ```
    #[must_use]
    pub fn expectation(&self, elo: f64, draws: f64) -> Expectation {
        let (lower, upper) = self.bounds();
        let place = |elo: f64| match self.model {
            Model::Logistic => score_of_elo(elo),
            Model::Normalized => elo / NORMALIZED_ELO_PER_DEVIATION,
        };
        let variance = match self.model {
            Model::Logistic => variance(score_of_elo(elo), draws),
            Model::Normalized => 1.0,
        };
        let (null, alternative, truth) = (place(self.elo0), place(self.elo1), place(elo));
        let gap = alternative - null;
        // By how much the ratio moves with each game: twice the mean over the variance, and the variance.
        let lean = (2.0 * truth - null - alternative) / gap;
        let spread = gap * gap / variance;
        if (lean * (upper - lower)).abs() < LEVEL {
            let h1 = -lower / (upper - lower);
            return Expectation { elo, games: -lower * upper / spread, h1 };
        }
        // The same quotient twice, so that no power overflows.
        let h1 = if lean > 0.0 {
            (lean * lower).exp_m1() / (-lean * (upper - lower)).exp_m1()
        } else {
            let whole = lean * (upper - lower);
            ((lean * upper).exp() - whole.exp()) / -whole.exp_m1()
        };
        let end = h1 * upper + (1.0 - h1) * lower;
        Expectation { elo, games: 2.0 * end / (lean * spread), h1 }
    }
}

/// A ratio that leans less than this counts as leaning to neither bound.
const LEVEL: f64 = 1e-6;

/// The games after which the 95 % interval of an even match is this many logistic Elo on either side.
///
/// ```
/// use leap_match::stats::games_for_error;
///
/// assert_eq!(games_for_error(10.0, 0.0).round(), 4640.0);
/// ```
#[must_use]
pub fn games_for_error(elo: f64, draws: f64) -> f64 {
    let margin = score_of_elo(elo) - 0.5;
    variance(0.5, draws) * (quantile_of_95() / margin).powi(2)
}

/// The variance of a game's score, if this share is drawn, or as many as the mean leaves room for.
fn variance(mean: f64, draws: f64) -> f64 {
    let draws = draws.min(2.0 * mean.min(1.0 - mean));
    mean - draws / 4.0 - mean * mean
}
