//! Ratings of many engines from all of their results: the Bradley-Terry model, fitted by maximum likelihood.
//!
//! A draw counts as half a win. With two engines the difference of their ratings is the Elo of their match. The interval
//! is that of the match too, because the deviation of the results from the fit is measured in pairs of games.
//!
//! algorithm: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952; D. R. Hunter, "MM
//! Algorithms for Generalized Bradley-Terry Models", 2004, for which results have a fit; P. McCullagh and J. A. Nelder,
//! "Generalized Linear Models", 1989, chapter 9, for the dispersion.

use std::cmp::Reverse;
use std::f64::consts::LN_10;

use statrs::distribution::{ContinuousCDF, Normal};

use super::elo::{Estimate, quantile_of_95};
use super::{Results, Trinomial};

/// Elo for each unit of the logistic curve.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;
/// The largest change of a rating in one step, in these units: the curve is not straight any further.
const LONGEST_STEP: f64 = 1.0;
/// A step that is as short ends the search. Rounding may make the likelihood worse by a part of this size.
const SHORTEST_STEP: f64 = 1e-11;
/// Steps and halvings of a step after which a fit is as good as it gets.
const MOST_STEPS: usize = 200;
const MOST_HALVINGS: usize = 40;

/// Engines whose differences are finite: each has scored, directly or through others, against each other one.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The engines, best first.
    pub(crate) engines: Vec<usize>,
    /// Their Elo, whose mean is zero.
    ratings: Vec<f64>,
    /// The covariance of these, `None` where the results have no deviation.
    covariance: Option<Vec<Vec<f64>>>,
}

/// Rates engines by the results of each (row) against each other (column). The groups are in the order of strength, as
/// far as results tell it: no engine has scored against an earlier group.
pub(crate) fn fit(cross: &[Vec<Results>]) -> Vec<Group> {
    let reach = reach(cross);
    let reached = |engine: usize| reach[engine].iter().filter(|reached| **reached).count();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (engine, reached) in reach.iter().enumerate() {
        let known = groups.iter_mut().find(|group| reached[group[0]] && reach[group[0]][engine]);
        match known {
            Some(group) => group.push(engine),
            None => groups.push(vec![engine]),
        }
    }
    groups.sort_by_key(|group| (Reverse(reached(group[0])), Reverse(group.len())));
    groups.into_iter().map(|engines| Group::fit(engines, cross)).collect()
}

/// Whether each engine has scored against each other one, directly or through others. Each reaches itself.
fn reach(cross: &[Vec<Results>]) -> Vec<Vec<bool>> {
    let has_scored = |a: usize, b: usize| {
        let Trinomial { wins, draws, .. } = cross[a][b].games;
        a == b || wins + draws > 0
    };
    let all = 0..cross.len();
    let mut reach: Vec<Vec<bool>> =
        all.clone().map(|a| all.clone().map(|b| has_scored(a, b)).collect()).collect();
    for through in all.clone() {
        let beyond = reach[through].clone();
        for row in reach.iter_mut().filter(|row| row[through]) {
            row.iter_mut().zip(&beyond).for_each(|(reached, beyond)| *reached |= beyond);
        }
    }
    reach
}

impl Group {
    /// Newton's method on the likelihood, which has one maximum.
    fn fit(engines: Vec<usize>, cross: &[Vec<Results>]) -> Self {
        let pairings = pairings(&engines, cross);
        let mut ratings = vec![0.0; engines.len()];
        let mut likelihood = log_likelihood(&pairings, &ratings);
        for _ in 0..MOST_STEPS {
            let (slope, inverse) = slope_and_inverse(&pairings, &ratings);
            let step: Vec<f64> = inverse.iter().map(|row| dot(row, &slope)).collect();
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            if longest < SHORTEST_STEP {
                break;
            }
            let least = likelihood - SHORTEST_STEP * likelihood.abs();
            let mut share = (LONGEST_STEP / longest).min(1.0);
            let next = (0..MOST_HALVINGS).find_map(|_| {
                let next: Vec<f64> =
                    ratings.iter().zip(&step).map(|(rating, part)| rating + share * part).collect();
                let found = log_likelihood(&pairings, &next);
                share /= 2.0;
                (found >= least).then_some((next, found))
            });
            let Some(better) = next else { break };
            (ratings, likelihood) = better;
        }
        let covariance = covariance(&pairings, &ratings);
        Self { engines, ratings, covariance }.best_first()
    }

    fn best_first(self) -> Self {
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|a, b| self.ratings[*b].total_cmp(&self.ratings[*a]));
        let sorted = |row: &Vec<f64>| order.iter().map(|at| row[*at]).collect::<Vec<f64>>();
        let elo = |rating: f64| rating * ELO_PER_UNIT;
        Self {
            engines: order.iter().map(|at| self.engines[*at]).collect(),
            ratings: sorted(&self.ratings).into_iter().map(elo).collect(),
            covariance: self
                .covariance
                .map(|rows| order.iter().map(|at| sorted(&rows[*at])).collect()),
        }
    }

    /// The rating of an engine, by its place in the group, against the mean of the group. `None` for a lone engine.
    pub(crate) fn rating(&self, at: usize) -> Option<Estimate> {
        let variance = self.covariance.as_ref().map(|covariance| covariance[at][at]);
        (self.engines.len() > 1).then(|| estimate(self.ratings[at], variance))
    }

    /// By how much one engine is stronger than another one.
    pub(crate) fn difference(&self, a: usize, b: usize) -> Estimate {
        estimate(self.ratings[a] - self.ratings[b], self.variance(a, b))
    }

    /// The likelihood that one engine is stronger than another one.
    pub(crate) fn superiority(&self, a: usize, b: usize) -> f64 {
        let lead = self.ratings[a] - self.ratings[b];
        match self.variance(a, b) {
            Some(variance) if variance > 0.0 => Normal::standard().cdf(lead / variance.sqrt()),
            _ => 0.5,
        }
    }

    /// How much a game between two engines would tell about all ratings. A game tells more if it is even, and if the
    /// interval of the difference is wide.
    pub(crate) fn information(&self, a: usize, b: usize) -> f64 {
        let expected = super::score_of_elo(self.ratings[a] - self.ratings[b]);
        expected * (1.0 - expected) * self.variance(a, b).unwrap_or(f64::MAX)
    }

    fn variance(&self, a: usize, b: usize) -> Option<f64> {
        let covariance = self.covariance.as_ref()?;
        Some(covariance[a][a] + covariance[b][b] - 2.0 * covariance[a][b])
    }
}

fn estimate(value: f64, variance: Option<f64>) -> Estimate {
    let margin = variance.map(|variance| quantile_of_95() * variance.max(0.0).sqrt());
    Estimate { value, low: margin.map(|m| value - m), high: margin.map(|m| value + m) }
}

/// Two engines of a group with games between them, by their places in it.
struct Pairing {
    a: usize,
    b: usize,
    results: Results,
}

impl Pairing {
    fn games(&self) -> f64 {
        self.results.games.games() as f64
    }

    /// The points of the first one.
    fn points(&self) -> f64 {
        self.results.games.wins as f64 + self.results.games.draws as f64 / 2.0
    }

    /// The share of the points that the first one is expected to make, by these ratings.
    fn expected(&self, ratings: &[f64]) -> f64 {
        1.0 / (1.0 + (ratings[self.b] - ratings[self.a]).exp())
    }
}

fn pairings(engines: &[usize], cross: &[Vec<Results>]) -> Vec<Pairing> {
    let places = 0..engines.len();
    let all = places.flat_map(|a| (a + 1..engines.len()).map(move |b| (a, b)));
    let known = all.map(|(a, b)| Pairing { a, b, results: cross[engines[a]][engines[b]] });
    known.filter(|pairing| pairing.games() > 0.0).collect()
}

fn log_likelihood(pairings: &[Pairing], ratings: &[f64]) -> f64 {
    let of = |pairing: &Pairing| {
        let lead = ratings[pairing.a] - ratings[pairing.b];
        let (won, lost) = (pairing.points(), pairing.games() - pairing.points());
        -won * (-lead).exp().ln_1p() - lost * lead.exp().ln_1p()
    };
    pairings.iter().map(of).sum()
}

/// The slope of the likelihood, and the inverse of its curvature. A shift of all ratings changes no result, so the
/// curvature is completed in this direction.
fn slope_and_inverse(pairings: &[Pairing], ratings: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = ratings.len();
    let mut slope = vec![0.0; count];
    let mut curvature = vec![vec![1.0 / count as f64; count]; count];
    for pairing in pairings {
        let &Pairing { a, b, .. } = pairing;
        let expected = pairing.expected(ratings);
        let more = pairing.points() - pairing.games() * expected;
        let weight = pairing.games() * expected * (1.0 - expected);
        slope[a] += more;
        slope[b] -= more;
        curvature[a][a] += weight;
        curvature[b][b] += weight;
        curvature[a][b] -= weight;
        curvature[b][a] -= weight;
    }
    (slope, inverse(curvature))
}

/// The covariance of ratings in Elo, without the shift of all of them. `None` if no result deviates from the fit.
fn covariance(pairings: &[Pairing], ratings: &[f64]) -> Option<Vec<Vec<f64>>> {
    let dispersion = dispersion(pairings, ratings);
    let (_, mut covariance) = slope_and_inverse(pairings, ratings);
    let shift = 1.0 / ratings.len() as f64;
    let factor = dispersion * ELO_PER_UNIT.powi(2);
    covariance.iter_mut().flatten().for_each(|entry| *entry = (*entry - shift) * factor);
    (dispersion > 0.0).then_some(covariance)
}

/// By what factor results vary more than those of single games without draws. Draws and pairs make it smaller.
fn dispersion(pairings: &[Pairing], ratings: &[f64]) -> f64 {
    let mut found = 0.0;
    let mut of_model = 0.0;
    for pairing in pairings {
        let (sample, expected) = (pairing.results.sample(), pairing.expected(ratings));
        found += sample.total() * sample.mean_of(|score| (score - expected).powi(2));
        of_model += sample.total() * expected * (1.0 - expected) / sample.games_each();
    }
    if of_model > 0.0 { found / of_model } else { 0.0 }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| f64::from(u8::from(column == at))));
    }
    for at in 0..count {
        let pivot = matrix[at][at];
        matrix[at].iter_mut().for_each(|entry| *entry /= pivot);
        let head = matrix[at].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at];
            row.iter_mut().zip(&head).for_each(|(entry, head)| *entry -= factor * head);
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}
