//! How long tests take: published figures, and simulated matches.

use super::*;

/// The share of the sample that a sequential test saves against the best test of fixed size: A. Wald, "Sequential
/// Analysis", 1947, 3.6, where `error` is that of both kinds.
#[test]
fn tests_save_what_wald_says() {
    for (error, quantile, saved) in [(0.05, 1.644_854, 51.0), (0.01, 2.326_348, 58.0)] {
        let test = Sprt { alpha: error, beta: error, ..sprt(0.0, 5.0, Model::Normalized) };
        let per_deviation = 800.0 / 10_f64.ln();
        let fixed = (2.0 * quantile * per_deviation / test.elo1).powi(2);
        for elo in [test.elo0, test.elo1] {
            let share = test.expectation(elo, 0.0).games / fixed;
            close(100.0 * (1.0 - share), saved, 0.5);
        }
    }
}

/// Elo and the share of draws in the BayesElo model of cutechess, with a `drawelo` of 240.
fn of_bayes_elo(bayes: f64) -> (f64, f64) {
    let (win, loss) = (score_of_elo(bayes - 240.0), score_of_elo(-bayes - 240.0));
    (elo_of_score((1.0 + win - loss) / 2.0), 1.0 - win - loss)
}

/// The output of M. Van den Bergh's `sprt2.py` (talkchess.com, "2-SPRT", 28 January 2015). The test is a plain one of
/// -1.5 against 4.5. A row is the truth in BayesElo, and the expected number of games.
#[test]
fn tests_take_as_long_as_van_den_bergh_says() {
    let ((elo0, _), (elo1, _)) = (of_bayes_elo(-1.5), of_bayes_elo(4.5));
    let test = sprt(elo0, elo1, Model::Logistic);
    for (bayes, games) in [
        (-4.5, 9_570.0),
        (-3.3, 11_815.0),
        (-1.5, 17_322.0),
        (-0.3, 22_714.0),
        (0.9, 27_544.0),
        (1.5, 28_336.0),
    ] {
        let (elo, draws) = of_bayes_elo(bayes);
        close(test.expectation(elo, draws).games, games, 0.003 * games);
    }
}

/// 2,000 simulated tests each (J. Muñoz, talkchess.com, topic 49584): hypotheses in BayesElo, and the average number of
/// games where the truth is halfway. Simulated tests end a few games beyond their bounds.
#[test]
fn tests_take_as_long_as_simulated_ones() {
    let (even, draws) = of_bayes_elo(0.0);
    for (bayes, games) in [(5.0, 10_452.0), (4.0, 15_932.0), (3.0, 28_256.0)] {
        let (elo1, _) = of_bayes_elo(bayes);
        let expected = sprt(-elo1, elo1, Model::Logistic).expectation(even, draws);
        close(expected.games, games, 0.04 * games);
        close(expected.h1, 0.5, 0.01);
    }
}

#[test]
fn a_test_errs_as_often_as_it_may() {
    for model in [Model::Logistic, Model::Normalized] {
        let test = Sprt { alpha: 0.02, beta: 0.10, ..sprt(-3.0, 4.0, model) };
        close(test.expectation(test.elo0, 0.0).h1, 0.02, 1e-3);
        close(test.expectation(test.elo1, 0.0).h1, 0.90, 1e-3);
    }
}

#[test]
fn the_further_the_truth_from_both_hypotheses_the_shorter_the_test() {
    let test = sprt(0.0, 5.0, Model::Logistic);
    let at = |elo| test.expectation(elo, 0.3);
    for (near, far) in [(2.5, 2.6), (5.0, 50.0), (50.0, 900.0), (2.5, 2.4), (0.0, -900.0)] {
        assert!(at(far).games < at(near).games, "{near} {far}");
    }
    for elo in [-1000.0, -0.1, 2.5 - 1e-9, 2.5, 2.5 + 1e-9, 1000.0] {
        let Expectation { games, h1, .. } = at(elo);
        assert!(
            games.is_finite() && games > 0.0 && (0.0..=1.0).contains(&h1),
            "{elo}: {games} {h1}"
        );
    }
    close(at(2.5 - 1e-9).games / at(2.5 - 1e-3).games, 1.0, 1e-3);
}

#[test]
fn draws_shorten_logistic_tests_alone() {
    let games = |model, draws| sprt(0.0, 5.0, model).expectation(0.0, draws).games;
    close(games(Model::Logistic, 0.6) / games(Model::Logistic, 0.0), 0.4, 1e-3);
    close(games(Model::Normalized, 0.6), games(Model::Normalized, 0.0), 0.0);
}

#[test]
fn a_match_of_the_expected_length_has_the_expected_interval() {
    let draws = 400;
    let games = games_for_error(20.0, 0.4);
    let scale = games / 1000.0;
    let decided = (300.0 * scale) as u64;
    let played = trinomial(decided, (f64::from(draws) * scale) as u64, decided);
    close(played.elo().unwrap().error().unwrap(), 20.0, 0.1);
}
