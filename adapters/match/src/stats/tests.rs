//! Tests against closed forms, published figures, and simulated matches.

mod bounds;
mod expected;
mod published;
mod rated;
mod simulated;

use super::sprt::{Model, Sprt};
use super::*;

fn trinomial(wins: u64, draws: u64, losses: u64) -> Trinomial {
    Trinomial { wins, draws, losses }
}

fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

/// The same pairs from the opponent's view.
fn swapped(Pentanomial([a, b, c, d, e]): Pentanomial) -> Pentanomial {
    Pentanomial([e, d, c, b, a])
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "expected {expected}, found {found}");
}

/// Results of all kinds, odd ones among them.
fn many() -> Vec<Pentanomial> {
    vec![
        Pentanomial([0, 0, 0, 0, 1]),
        Pentanomial([0, 0, 1, 0, 0]),
        Pentanomial([1, 0, 0, 0, 1]),
        Pentanomial([0, 1, 0, 0, 0]),
        Pentanomial([0, 1, 4, 0, 0]),
        Pentanomial([0, 0, 0, 0, 5550]),
        Pentanomial([0, 0, 9999, 0, 0]),
        Pentanomial([13, 37, 50, 25, 3]),
        Pentanomial([4, 3, 34, 42, 117]),
        Pentanomial([1, 0, 1_000_000_000, 0, 0]),
        Pentanomial([u64::from(u32::MAX), 1, 0, 0, 7]),
    ]
}

#[test]
fn elo_and_score_are_inverse_and_of_known_size() {
    close(score_of_elo(400.0), 10.0 / 11.0, 1e-15);
    close(elo_of_score(0.75), 400.0 * 3_f64.log10(), 1e-12);
    for elo in [-800.0, -3.5, 0.0, 20.0, 350.0] {
        close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
    }
}

#[test]
fn normalized_elo_is_logistic_elo_without_draws_near_equality() {
    let games = trinomial(50_100, 0, 49_900);
    let (logistic, normalized) = (games.elo().unwrap(), games.normalized_elo().unwrap());
    close(logistic.value / normalized.value, 1.0, 1e-4);
    close(logistic.error().unwrap() / normalized.error().unwrap(), 1.0, 1e-4);
}

#[test]
fn independent_pairs_say_what_their_games_say() {
    // 100 wins, 100 losses and 200 draws, paired independently: 1/16, 4/16, 6/16, 4/16, 1/16.
    let pairs = Pentanomial([100, 400, 600, 400, 100]);
    let games = trinomial(800, 1600, 800);
    for (of_pairs, of_games) in
        [(pairs.elo(), games.elo()), (pairs.normalized_elo(), games.normalized_elo())]
    {
        let (of_pairs, of_games) = (of_pairs.unwrap(), of_games.unwrap());
        close(of_pairs.value, of_games.value, 1e-9);
        close(of_pairs.error().unwrap(), of_games.error().unwrap(), 1e-9);
    }
    let test = sprt(-2.0, 3.0, Model::Normalized);
    close(test.status(&pairs).llr, test.status(&games).llr, 1e-3);
}

#[test]
fn pairs_with_one_winner_each_have_no_spread_however_the_games_went() {
    // White wins every game: the trinomial error would be that of coin tosses.
    let record = Results { games: trinomial(50, 0, 50), pairs: Pentanomial([0, 1, 48, 1, 0]) };
    let (paired, single) = (record.summary().elo.unwrap(), record.games.elo().unwrap());
    assert!(paired.error().unwrap() * 4.0 < single.error().unwrap());
}

#[test]
fn swapping_sides_negates_every_estimate() {
    for pairs in many() {
        let (mine, theirs) = (pairs, swapped(pairs));
        for (mine, theirs) in
            [(mine.elo(), theirs.elo()), (mine.normalized_elo(), theirs.normalized_elo())]
        {
            assert_eq!(mine.is_some(), theirs.is_some(), "{pairs:?}");
            let (Some(mine), Some(theirs)) = (mine, theirs) else { continue };
            let scale = 1e-7 * (1.0 + mine.value.abs());
            close(mine.value, -theirs.value, scale);
            assert_eq!(mine.low.is_some(), theirs.high.is_some());
            close(mine.low.unwrap_or(0.0), -theirs.high.unwrap_or(0.0), 1e-6 + scale);
        }
        close(mine.los().unwrap() + theirs.los().unwrap(), 1.0, 1e-9);
        for model in [Model::Logistic, Model::Normalized] {
            let here = sprt(-3.0, 10.0, model).status(&mine).llr;
            let there = sprt(-10.0, 3.0, model).status(&theirs).llr;
            close(here, -there, 1e-6 * (1.0 + here.abs()));
        }
    }
}

#[test]
fn nothing_is_known_without_a_game() {
    let summary = Results::default().summary();
    let Summary { score, elo, normalized_elo, los, draw_ratio, .. } = summary;
    assert_eq!((summary.games, score, los, draw_ratio), (0, None, None, None));
    assert_eq!((elo, normalized_elo), (None, None));
    let status = Results::default().sprt(&sprt(0.0, 5.0, Model::Normalized));
    assert_eq!((status.llr, status.decision), (0.0, None));
}

#[test]
fn one_game_says_little() {
    let win = Results { games: trinomial(1, 0, 0), ..Results::default() }.summary();
    assert_eq!((win.elo, win.normalized_elo, win.score), (None, None, Some(1.0)));
    close(win.los.unwrap(), 0.8413, 1e-4);
    let draw = Results { games: trinomial(0, 1, 0), ..Results::default() }.summary();
    assert_eq!(draw.elo, Some(Estimate { value: 0.0, low: None, high: None }));
    assert_eq!((draw.los, draw.normalized_elo), (Some(0.5), None));
}

#[test]
fn a_whitewash_has_no_elo_but_decides_a_test() {
    let pairs = Pentanomial([0, 0, 0, 0, 50]);
    assert_eq!((pairs.elo(), pairs.normalized_elo(), pairs.pair_ratio()), (None, None, None));
    assert!(pairs.los().unwrap() > 0.999_999);
    for model in [Model::Logistic, Model::Normalized] {
        let test = sprt(0.0, 40.0, model);
        assert_eq!(test.status(&pairs).decision, Some(sprt::Decision::H1));
        assert_eq!(test.status(&swapped(pairs)).decision, Some(sprt::Decision::H0));
    }
}

#[test]
fn an_interval_that_reaches_beyond_all_scores_has_no_end_there() {
    let elo = Pentanomial([0, 0, 0, 1, 1]).elo().unwrap();
    assert!(elo.low.is_some() && elo.high.is_none() && elo.error().is_none());
}

#[test]
fn whatever_is_counted_all_numbers_are_finite() {
    for pairs in many() {
        let summary = Results { games: trinomial(0, 0, 0), pairs }.summary();
        for estimate in [summary.elo, summary.normalized_elo].into_iter().flatten() {
            let ends = [estimate.low, estimate.high].into_iter().flatten();
            assert!(ends.chain([estimate.value]).all(f64::is_finite), "{pairs:?}: {estimate:?}");
        }
        assert!(summary.los.is_some_and(|los| (0.0..=1.0).contains(&los)));
        for (model, elo1) in [(Model::Logistic, 999.0), (Model::Normalized, 999.0)] {
            let llr = sprt(-1000.0, elo1, model).status(&pairs).llr;
            assert!(llr.is_finite(), "{pairs:?}, {model:?}: {llr}");
        }
    }
}

#[test]
fn the_likeliest_distributions_are_distributions_and_satisfy_their_hypothesis() {
    // Beyond this the weight of unobserved outcomes is lost in rounding.
    for pairs in many().into_iter().filter(|pairs| pairs.sample().count() < 1_000_000) {
        let seen = pairs.sample().regularized();
        let sums = |found: &[f64]| {
            let moment = |power| -> f64 {
                seen.iter().zip(found).map(|((score, _), p)| score.powi(power) * p).sum()
            };
            (moment(0), moment(1), (moment(2) - moment(1).powi(2)).sqrt())
        };
        for score in [0.01, 0.5, 0.507, 0.9] {
            let (total, mean, _) = sums(&likelihood::with_mean(&seen, score));
            close(total, 1.0, 1e-7);
            close(mean, score, 1e-7);
        }
        for t in [-1.0, -0.02, 0.0, 0.3, 2.0] {
            let found = likelihood::with_deviations(&seen, t);
            let (total, mean, deviation) = sums(&found);
            close(total, 1.0, 1e-6);
            close(mean - 0.5, t * deviation, 1e-6);
        }
    }
}

#[test]
fn bounds_are_those_of_wald() {
    let test = Sprt { alpha: 0.05, beta: 0.10, ..sprt(0.0, 5.0, Model::Normalized) };
    let status = test.status(&Pentanomial::default());
    close(status.lower, -2.2513, 1e-4);
    close(status.upper, 2.8904, 1e-4);
}

#[test]
fn tests_that_cannot_be_made_are_refused() {
    assert_eq!(sprt(0.0, 5.0, Model::Logistic).check(), Ok(()));
    for (elo0, elo1, alpha, beta) in [
        (5.0, 0.0, 0.05, 0.05),
        (1.0, 1.0, 0.05, 0.05),
        (f64::NAN, 1.0, 0.05, 0.05),
        (0.0, f64::INFINITY, 0.05, 0.05),
        (0.0, 5.0, 0.0, 0.05),
        (0.0, 5.0, 0.5, 0.5),
        (0.0, 5.0, f64::NAN, 0.05),
    ] {
        let test = Sprt { elo0, elo1, alpha, beta, model: Model::Normalized };
        assert!(test.check().is_err(), "{test:?}");
    }
}

#[test]
fn an_estimate_is_written_with_what_is_known_of_its_interval() {
    let written = |value, low, high| Estimate { value, low, high }.to_string();
    assert_eq!(written(12.34, Some(2.3), Some(22.5)), "+12.3 ±10.1");
    assert_eq!(written(-0.0, None, None), "+0.0");
    assert_eq!(written(-0.04, Some(-3.0), Some(3.0)), "+0.0 ±3.0");
    assert_eq!(written(470.4, Some(320.1), None), "+470.4 [+320.1, +∞]");
    assert_eq!(written(-470.4, None, Some(-320.1)), "-470.4 [-∞, -320.1]");
}
