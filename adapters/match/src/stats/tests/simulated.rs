//! Matches between players whose difference is known.

use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;

/// Probabilities of the five outcomes of a pair.
type Players = [f64; 5];

/// Opponents of equal strength, with the correlated pairs of unbalanced openings.
const EQUAL: Players = [0.03, 0.22, 0.50, 0.22, 0.03];
/// One is somewhat stronger.
const STRONGER: Players = [0.02, 0.17, 0.47, 0.29, 0.05];
/// One is much stronger.
const MUCH_STRONGER: Players = [0.01, 0.04, 0.20, 0.30, 0.45];

pub(super) struct Matches(ChaCha8Rng);

impl Matches {
    pub(super) fn new(seed: u64) -> Matches {
        Matches(ChaCha8Rng::seed_from_u64(seed))
    }

    fn add_pair(&mut self, pairs: &mut Pentanomial, players: &Players) {
        let mut drawn = f64::from(self.0.next_u32()) / (f64::from(u32::MAX) + 1.0);
        let outcome = players.iter().position(|p| {
            drawn -= p;
            drawn < 0.0
        });
        pairs.add(outcome.unwrap_or(4) as u32);
    }

    fn play(&mut self, pairs: u64, players: &Players) -> Pentanomial {
        let mut found = Pentanomial::default();
        (0..pairs).for_each(|_| self.add_pair(&mut found, players));
        found
    }

    /// Pairs of games whose first engine is stronger by this much, with a third of the games drawn at most.
    pub(super) fn of_strength(&mut self, pairs: u64, elo: f64) -> Results {
        let score = score_of_elo(elo);
        let drawn = (2.0 * score.min(1.0 - score)).min(1.0) / 3.0;
        let mut found = Results::default();
        for _ in 0..pairs {
            let both = [0, 1].map(|_| {
                let at = f64::from(self.0.next_u32()) / (f64::from(u32::MAX) + 1.0);
                let won = score - drawn / 2.0;
                if at < won { 2 } else { u32::from(at < won + drawn) }
            });
            both.into_iter().for_each(|half_points| found.games.add(half_points));
            found.pairs.add(both[0] + both[1]);
        }
        found
    }

    /// Plays until the test decides.
    fn test(&mut self, test: &Sprt, players: &Players) -> sprt::Decision {
        let mut pairs = Pentanomial::default();
        loop {
            self.add_pair(&mut pairs, players);
            if let Some(decision) = test.status(&pairs).decision {
                return decision;
            }
        }
    }
}

/// The true difference, on both scales.
fn truth(players: &Players) -> [f64; 2] {
    let expect = |f: &dyn Fn(f64) -> f64| -> f64 {
        players.iter().enumerate().map(|(at, p)| f(at as f64 / 4.0) * p).sum()
    };
    let mean = expect(&|score| score);
    let deviation_of_game = (2.0 * expect(&|score| (score - mean).powi(2))).sqrt();
    [elo_of_score(mean), (mean - 0.5) / deviation_of_game * 800.0 / 10_f64.ln()]
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_matches() {
    const MATCHES: u32 = 4000;
    for (seed, players) in [EQUAL, STRONGER, MUCH_STRONGER].into_iter().enumerate() {
        let mut matches = Matches::new(seed as u64);
        let truth = truth(&players);
        let mut held = [0; 2];
        for _ in 0..MATCHES {
            let pairs = matches.play(250, &players);
            let estimates = [pairs.elo().unwrap(), pairs.normalized_elo().unwrap()];
            for ((estimate, truth), held) in estimates.iter().zip(truth).zip(&mut held) {
                let Estimate { low: Some(low), high: Some(high), .. } = *estimate else {
                    panic!("{pairs:?}")
                };
                *held += u32::from((low..=high).contains(&truth));
            }
        }
        for held in held {
            // Three deviations of the count, and a little for the normal approximation.
            close(f64::from(held) / f64::from(MATCHES), 0.95, 0.0104 + 0.005);
        }
    }
}

#[test]
fn los_of_equal_players_is_evenly_spread() {
    let mut matches = Matches::new(10);
    let below = (0..2000).filter(|_| matches.play(200, &EQUAL).los().unwrap() < 0.1).count();
    close(below as f64 / 2000.0, 0.1, 0.02);
}

/// How many matches each test decides.
fn tests() -> u32 {
    leap_testing::tried(600)
}

/// How often a test decides wrongly where `elo0` is the truth, and where `elo1` is. Both are tried side by side.
fn errors(test: impl Fn([f64; 2], [f64; 2]) -> Sprt, seed: u64) -> [f64; 2] {
    let tests = tests();
    let test = test(truth(&EQUAL), truth(&STRONGER));
    let errors = |(players, wrong, seed)| {
        let mut matches = Matches::new(seed);
        let wrong = (0..tests).filter(|_| matches.test(&test, players) == wrong).count();
        wrong as f64 / f64::from(tests)
    };
    let tried = [(&EQUAL, sprt::Decision::H1, seed), (&STRONGER, sprt::Decision::H0, seed + 1)];
    thread::scope(|scope| {
        tried.map(|tried| scope.spawn(move || errors(tried))).map(|found| found.join().unwrap())
    })
}

#[track_caller]
fn within_bounds([type_1, type_2]: [f64; 2], alpha: f64, beta: f64) {
    // The last pair carries a test past its bound, so it errs a little less often than it may.
    for (found, allowed) in [(type_1, alpha), (type_2, beta)] {
        let deviation = (allowed * (1.0 - allowed) / f64::from(tests())).sqrt();
        assert!(found < allowed + 3.0 * deviation, "expected {allowed}, found {found}");
        assert!(found > allowed / 3.0, "expected {allowed}, found {found}");
    }
}

#[test]
fn tests_by_logistic_elo_err_as_often_as_they_may() {
    let test = |null: [f64; 2], alternative: [f64; 2]| Sprt {
        elo0: null[0],
        elo1: alternative[0],
        alpha: 0.05,
        beta: 0.10,
        model: Model::Logistic,
    };
    within_bounds(errors(test, 20), 0.05, 0.10);
}

#[test]
fn tests_by_normalized_elo_err_as_often_as_they_may() {
    let test = |null: [f64; 2], alternative: [f64; 2]| Sprt {
        elo0: null[1],
        elo1: alternative[1],
        alpha: 0.10,
        beta: 0.05,
        model: Model::Normalized,
    };
    within_bounds(errors(test, 30), 0.10, 0.05);
}
