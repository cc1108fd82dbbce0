//! What results say about strength: Elo with its error, the likelihood of superiority, and the sequential test.
//!
//! Games of a match are played in pairs, the same opening with sides swapped. The two games of a pair are not
//! independent, so the pair is what is counted: five outcomes instead of three ([`Pentanomial`]). Where games have no
//! partner, they are counted alone ([`Trinomial`]). Everything else is the same for both and lives in [`Outcomes`].
//!
//! No value here is ever NaN or infinite: what the results do not determine is `None`.
//!
//! algorithm: M. Van den Bergh, "Comments on Normalized Elo" and "A practical introduction to the GSPRT"
//! (hardy.uhasselt.be/Fishtest), whose definitions fishtest and fastchess use too.

pub(crate) mod bradley_terry;
mod elo;
mod expected;
mod likelihood;
mod sample;
pub mod sprt;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use elo::signed;
pub use elo::{Estimate, elo_of_score, score_of_elo};
pub use expected::{Expectation, games_for_error};
pub use sample::Sample;

/// Pairs of games, by the points that one player scored in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pentanomial(
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub [u64; 5],
);

impl Pentanomial {
    /// Counts a pair in which the player made this many half points.
    ///
    /// # Panics
    /// If there are more than the 4 half points of two games.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points as usize] += 1;
    }

    /// Pairs won for each pair lost; `None` if none was lost.
    #[must_use]
    pub fn pair_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0;
        let [lost, won] = [ll as f64 + ld as f64, wd as f64 + ww as f64];
        (lost > 0.0).then(|| won / lost)
    }
}

/// Games, by their result for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Trinomial {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Counts a game in which the player made this many half points.
    ///
    /// # Panics
    /// If there are more than the 2 half points of a game.
    pub fn add(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            2 => self.wins += 1,
            more => panic!("expected at most 2 half points, found {more}"),
        }
    }
}

/// Counted outcomes, of pairs or of single games, as seen by one player.
pub trait Outcomes {
    /// The outcomes as numbers.
    fn sample(&self) -> Sample;

    /// How often neither player was ahead.
    fn even(&self) -> u64;

    /// The share of the points, from 0 to 1; `None` without a game.
    fn score(&self) -> Option<f64> {
        self.sample().mean()
    }

    /// The share of games, or pairs, that were drawn; `None` without a game.
    fn draw_ratio(&self) -> Option<f64> {
        let sample = self.sample();
        (sample.count() > 0).then(|| self.even() as f64 / sample.total())
    }

    /// The logistic Elo difference; `None` without a game and where one player made all points.
    fn elo(&self) -> Option<Estimate> {
        elo::logistic(&self.sample())
    }

    /// The normalized Elo difference; `None` where all games are alike, so that the score has no deviation.
    fn normalized_elo(&self) -> Option<Estimate> {
        elo::normalized(&self.sample())
    }

    /// The likelihood that the player is the stronger one, from 0 to 1; `None` without a game.
    fn los(&self) -> Option<f64> {
        elo::los(&self.sample())
    }
}

impl Outcomes for Pentanomial {
    fn sample(&self) -> Sample {
        Sample::new(&self.0, 2)
    }

    fn even(&self) -> u64 {
        self.0[2]
    }
}

impl Outcomes for Trinomial {
    fn sample(&self) -> Sample {
        Sample::new(&[self.losses, self.draws, self.wins], 1)
    }

    fn even(&self) -> u64 {
        self.draws
    }
}

/// All results of a player: every game, and the whole pairs among them.
///
/// Once there is a complete pair, estimates are made from pairs alone; a game without its partner waits for it.
///
/// ```
/// use leap_match::stats::{Pentanomial, Results, Trinomial};
///
/// let games = Trinomial { wins: 45, draws: 30, losses: 25 };
/// let summary = Results { games, pairs: Pentanomial([3, 9, 20, 11, 7]) }.summary();
/// assert_eq!(summary.points, 60.0);
/// assert!(summary.elo.is_some_and(|elo| elo.value > 0.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Results {
    /// All games.
    pub games: Trinomial,
    /// The complete pairs among them.
    pub pairs: Pentanomial,
}

impl Results {
    /// Summarizes the results.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let Self { games: outcomes, pairs } = *self;
        let points = outcomes.wins as f64 + outcomes.draws as f64 / 2.0;
        let (games, score) = (outcomes.games(), outcomes.score());
        let counted = Summary { games, outcomes, points, pairs, score, ..Summary::default() };
        if self.is_paired() {
            counted.estimated(&self.pairs)
        } else {
            counted.estimated(&self.games)
        }
    }

    /// The Elo difference.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        if self.is_paired() { self.pairs.elo() } else { self.games.elo() }
    }

    /// The state of the sequential test.
    #[must_use]
    pub fn sprt(&self, test: &sprt::Sprt) -> sprt::Status {
        if self.is_paired() { test.status(&self.pairs) } else { test.status(&self.games) }
    }

    /// The outcomes that estimates are made from.
    fn sample(&self) -> Sample {
        if self.is_paired() { self.pairs.sample() } else { self.games.sample() }
    }

    fn is_paired(&self) -> bool {
        self.pairs != Pentanomial::default()
    }
}

/// A summary of a player's results. Estimates are made from pairs if there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// The games by their results.
    #[serde(flatten)]
    pub outcomes: Trinomial,
    /// 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Complete pairs of games by the points scored in them.
    pub pairs: Pentanomial,
    /// The Elo difference.
    pub elo: Option<Estimate>,
    /// The normalized Elo difference.
    pub normalized_elo: Option<Estimate>,
    /// The likelihood of superiority, from 0 to 1.
    pub los: Option<f64>,
    /// The share of drawn pairs, or of drawn games if there is no pair.
    pub draw_ratio: Option<f64>,
    /// The share of the points, from 0 to 1. It is no part of the JSON of results.
    #[serde(skip)]
    pub score: Option<f64>,
}

impl Summary {
    fn estimated(self, from: &impl Outcomes) -> Self {
        Self {
            elo: from.elo(),
            normalized_elo: from.normalized_elo(),
            los: from.los(),
            draw_ratio: from.draw_ratio(),
            ..self
        }
    }
}
