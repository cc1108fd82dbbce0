//! Figures that other programs have printed.

use super::*;

/// fastchess, `elo/elo_test.cpp`; counts, Elo and its error, normalized Elo and its error.
#[test]
fn elo_equals_fastchess() {
    for (pairs, [elo, error, normalized, normalized_error]) in [
        ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28]),
        // pull request 515, the output of ten games of random movers
        ([0, 1, 4, 0, 0], [-34.86, 62.20, -122.84, f64::NAN]),
        // chess.stackexchange.com, question 45881
        ([4, 3, 34, 42, 117], [277.00, 40.90, 345.17, f64::NAN]),
        // github.com/brunocodutra/cinder, pull request 727
        ([50, 287, 610, 387, 73], [18.04, 8.23, 28.19, 12.84]),
        // the same, pull requests 836 and 795
        ([835, 6884, 13116, 7201, 852], [2.11, 1.70, 3.52, 2.83]),
        ([1447, 13972, 26437, 14412, 1441], [1.29, 1.18, 2.19, 2.00]),
        // github.com/princesslana/princhess, pull request 343
        ([1, 22, 52, 21, 4], [8.69, 27.04, 15.51, 48.15]),
    ] {
        let pairs = Pentanomial(pairs);
        let (logistic, found) = (pairs.elo().unwrap(), pairs.normalized_elo().unwrap());
        close(logistic.value, elo, 0.006);
        close(logistic.error().unwrap(), error, 0.006);
        close(found.value, normalized, 0.006);
        // fastchess takes the deviation as known. In rows with its error, the difference must be small.
        if normalized_error.is_finite() {
            close(found.error().unwrap(), normalized_error, 0.04 * normalized_error);
        }
    }
}

/// fastchess and cutechess, single games: wins, losses, draws, Elo, its error.
#[test]
fn elo_of_single_games_equals_cutechess() {
    for (wins, losses, draws, elo, error) in [
        // fastchess, `tests/elo_test.cpp`
        (859, 772, 1329, 10.21, 9.28),
        (1164, 1267, 3049, -6.53, 6.12),
        // cutechess, issue 543
        (880, 759, 1863, 12.0, 7.9),
        // github.com/princesslana/princhess, pull requests 210 and 256
        (745, 678, 501, 12.1, 13.3),
        (289, 294, 417, -1.7, 16.4),
    ] {
        let found = trinomial(wins, draws, losses).elo().unwrap();
        close(found.value, elo, 0.051);
        // cutechess approximates the quantile of the normal distribution: 1.957 for 1.960.
        close(found.error().unwrap(), error, 0.051 + 0.0015 * error);
    }
}

#[test]
fn los_and_ratios_equal_fastchess() {
    for (pairs, los, draw_ratio, pair_ratio) in [
        ([0, 1, 4, 0, 0], 13.18, 80.00, 0.00),
        ([4, 3, 34, 42, 117], 100.00, 17.00, 22.71),
        ([50, 287, 610, 387, 73], 100.00, 43.35, 1.36),
        ([835, 6884, 13116, 7201, 852], 99.25, 45.40, 1.04),
        ([1, 22, 52, 21, 4], 73.60, 52.00, 1.09),
    ] {
        let pairs = Pentanomial(pairs);
        close(pairs.los().unwrap() * 100.0, los, 0.0051);
        close(pairs.draw_ratio().unwrap() * 100.0, draw_ratio, 0.0051);
        close(pairs.pair_ratio().unwrap(), pair_ratio, 0.0051);
    }
}

/// cutechess, issue 543 and pull requests of princhess: percent.
#[test]
fn los_of_single_games_equals_cutechess() {
    for (wins, losses, draws, los) in
        [(880, 759, 1863, 99.9), (745, 678, 501, 96.2), (289, 294, 417, 41.8)]
    {
        close(trinomial(wins, draws, losses).los().unwrap() * 100.0, los, 0.051);
    }
}

/// fishtest's own page of raw statistics (montytest.muzhen.org, test 69d3c8dc7c5b3724e29d2712). It has the exact ratios
/// for hypotheses of 0 and 4 normalized Elo. The page also gives the second as 2.716 logistic.
#[test]
fn ratios_of_pairs_equal_fishtest() {
    let pairs = Pentanomial([13, 37, 50, 25, 3]);
    close(sprt(0.0, 4.0, Model::Normalized).status(&pairs).llr, -0.54912, 5e-6);
    close(sprt(0.0, 2.716, Model::Logistic).status(&pairs).llr, -0.53772, 2e-4);
    close(pairs.elo().unwrap().value, -43.6578, 1e-4);
    close(pairs.normalized_elo().unwrap().value, -63.97, 0.005);
    close(pairs.los().unwrap(), 0.00114, 0.0005);
}

/// fastchess, `sprt_test.cpp`, whose tolerance is one in a hundred, and the output of runs, of two decimals.
#[test]
fn ratios_of_pairs_equal_fastchess() {
    use Model::{Logistic, Normalized};
    for (pairs, elo0, elo1, model, llr) in [
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
        ([0, 0, 0, 0, 5550], 0.0, 5.0, Normalized, 111.82),
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        // pull request 783
        ([379, 10170, 21828, 10640, 343], 0.0, 2.0, Normalized, 2.94598),
        // github.com/brunocodutra/cinder, pull requests 727, 836, 820 and 804
        ([50, 287, 610, 387, 73], 0.0, 5.0, Normalized, 2.97),
        ([835, 6884, 13116, 7201, 852], 0.0, 3.0, Normalized, 2.89),
        ([244, 1980, 3630, 2067, 263], -3.0, 1.0, Normalized, 2.90),
        ([320, 2667, 5158, 2850, 359], 0.0, 3.0, Normalized, 2.90),
        // github.com/princesslana/princhess, pull request 343
        ([1, 22, 52, 21, 4], -5.0, 0.0, Normalized, 0.15),
    ] {
        let found = sprt(elo0, elo1, model).status(&Pentanomial(pairs)).llr;
        close(found, llr, 0.0051 + 0.01 * f64::abs(llr));
    }
}

#[test]
fn ratios_of_single_games_equal_fastchess_and_cutechess() {
    use Model::{Logistic, Normalized};
    for (wins, losses, draws, elo0, elo1, model, llr) in [
        (36433, 36027, 68692, 0.0, 2.0, Normalized, 0.92),
        (10871, 10650, 20431, -1.75, 0.25, Normalized, 2.30),
        (4250, 0, 0, 0.0, 10.0, Normalized, 120.56),
        (21404, 21184, 40708, 0.5, 2.5, Logistic, -1.57),
        (57433, 57030, 106_593, 0.0, 2.0, Logistic, -2.59),
        // cutechess, issue 543
        (880, 759, 1863, 0.0, 5.0, Logistic, 2.95),
        // github.com/brunocodutra/cinder, pull request 570
        (1038, 1037, 1925, -5.0, 5.0, Logistic, 0.0555),
    ] {
        let found = sprt(elo0, elo1, model).status(&trinomial(wins, draws, losses)).llr;
        close(found, llr, 0.0051 + 0.01 * f64::abs(llr));
    }
}
