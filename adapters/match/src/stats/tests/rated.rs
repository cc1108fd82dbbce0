//! Ratings of many engines.

use super::bradley_terry::{Group, fit};
use super::simulated::Matches;
use super::*;

/// The results of each engine against each other one, from games of the first of two against the second.
fn cross(engines: usize, met: &[([usize; 2], Results)]) -> Vec<Vec<Results>> {
    let mut cross = vec![vec![Results::default(); engines]; engines];
    for &([a, b], results) in met {
        let Results { games: Trinomial { wins, draws, losses }, pairs } = results;
        cross[a][b] = results;
        cross[b][a] = Results { games: trinomial(losses, draws, wins), pairs: swapped(pairs) };
    }
    cross
}

fn games(wins: u64, draws: u64, losses: u64) -> Results {
    Results { games: trinomial(wins, draws, losses), ..Results::default() }
}

/// Pairs and their games, as if none had two draws.
fn pairs(pairs: Pentanomial) -> Results {
    let [ll, ld, even, wd, ww] = pairs.0;
    Results { games: trinomial(2 * ww + wd + even, wd + ld, 2 * ll + ld + even), pairs }
}

/// The place of an engine in the only group.
fn only(groups: Vec<Group>) -> (Group, impl Fn(usize) -> usize) {
    let [group] = groups.try_into().unwrap();
    let engines = group.engines.clone();
    (group, move |engine| engines.iter().position(|found| *found == engine).unwrap())
}

#[test]
fn two_engines_differ_by_the_elo_of_their_match() {
    for results in [games(45, 30, 25), games(1, 0, 2), pairs(Pentanomial([13, 37, 50, 25, 3]))] {
        let expected = results.elo().unwrap();
        let (group, place) = only(fit(&cross(2, &[([0, 1], results)])));
        let found = group.difference(place(0), place(1));
        close(found.value, expected.value, 1e-6);
        // The ends of a match's interval are those of its score.
        let error = expected.error().map_or(found.error().unwrap(), |error| error);
        close(found.error().unwrap() / error, 1.0, 0.02);
        let half = group.rating(place(0)).unwrap();
        close(half.value, found.value / 2.0, 1e-9);
        close(half.error().unwrap(), found.error().unwrap() / 2.0, 1e-9);
        close(
            group.superiority(place(0), place(1)) + group.superiority(place(1), place(0)),
            1.0,
            1e-9,
        );
    }
}

/// A. Agresti, "Categorical Data Analysis", 1990, 10.6: baseball in 1987. The abilities are those that the package
/// `BradleyTerry2` of R finds in its example of them.
#[test]
fn published_results_have_the_published_ratings() {
    const WINS: [[u64; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    const ABILITY: [f64; 7] =
        [1.581_356, 1.436_408, 1.294_485, 1.247_618, 1.107_698, 0.683_853, 0.0];
    let met: Vec<_> = (0..7)
        .flat_map(|a| (a + 1..7).map(move |b| ([a, b], games(WINS[a][b], 0, WINS[b][a]))))
        .collect();
    let (group, place) = only(fit(&cross(7, &met)));
    assert_eq!(group.engines, [0, 1, 2, 3, 4, 5, 6]);
    for (team, ability) in ABILITY.into_iter().enumerate() {
        let found = group.difference(place(team), place(6)).value * 10_f64.ln() / 400.0;
        close(found, ability, 1e-5);
    }
    let mean: f64 = (0..7).map(|at| group.rating(at).unwrap().value).sum();
    close(mean, 0.0, 1e-6);
}

#[test]
fn engines_without_a_finite_difference_are_rated_apart() {
    let engines = |met: &[([usize; 2], Results)]| -> Vec<Vec<usize>> {
        fit(&cross(5, met)).into_iter().map(|group| group.engines).collect()
    };
    assert_eq!(engines(&[]), [[0], [1], [2], [3], [4]]);
    // 3 has beaten 2 in every game; 0 and 1 have met nobody else; 4 has lost to all.
    let met = [
        ([2, 3], games(0, 0, 5)),
        ([0, 1], games(1, 0, 2)),
        ([1, 4], games(9, 0, 0)),
        ([2, 4], games(1, 0, 0)),
    ];
    assert_eq!(engines(&met), [vec![1, 0], vec![3], vec![2], vec![4]]);
    // A draw ties engines, and so does a circle.
    assert_eq!(engines(&[([2, 3], games(0, 1, 5))])[0], [3, 2]);
    let circle = [([0, 1], games(2, 0, 0)), ([1, 2], games(2, 0, 0)), ([2, 0], games(2, 0, 0))];
    assert_eq!(engines(&circle)[0], [0, 1, 2]);
    let alone = &fit(&cross(1, &[]))[0];
    assert_eq!(alone.rating(0), None);
}

#[test]
fn results_without_deviation_have_no_interval() {
    let (group, place) = only(fit(&cross(2, &[([0, 1], games(0, 8, 0))])));
    let found = group.difference(place(0), place(1));
    assert_eq!((found.value, found.error()), (0.0, None));
    close(group.superiority(0, 1), 0.5, 0.0);
}

/// A chain of engines with very many games and none, and one that scores once in a million games.
#[test]
fn lopsided_results_have_finite_ratings() {
    let met = [
        ([0, 1], games(1_000_000, 0, 1)),
        ([1, 2], games(999_999, 1, 0)),
        ([2, 3], games(1, 0, 1_000_000)),
        ([3, 4], games(0, 1, 0)),
    ];
    let (group, place) = only(fit(&cross(5, &met)));
    let lead = |a: usize, b: usize| group.difference(place(a), place(b)).value;
    close(lead(0, 1), elo_of_score(1_000_000.0 / 1_000_001.0), 1e-3);
    close(lead(3, 2), lead(0, 1), 1e-3);
    close(lead(3, 4), 0.0, 1e-3);
    close(lead(1, 2), elo_of_score(999_999.5 / 1_000_000.0), 1e-3);
}

#[test]
fn intervals_of_ratings_hold_the_truth_in_95_of_100_tournaments() {
    const TRUTH: [f64; 4] = [90.0, 20.0, -30.0, -80.0];
    const TOURNAMENTS: u64 = 400;
    let mut held = 0;
    for seed in 0..TOURNAMENTS {
        let mut matches = Matches::new(seed);
        let met: Vec<_> = [[0, 1], [1, 2], [2, 3], [0, 2], [0, 3]]
            .into_iter()
            .map(|[a, b]| ([a, b], matches.of_strength(100, TRUTH[a] - TRUTH[b])))
            .collect();
        let (group, place) = only(fit(&cross(4, &met)));
        for (engine, truth) in TRUTH.into_iter().enumerate() {
            let Estimate { low, high, .. } = group.rating(place(engine)).unwrap();
            held += u64::from((low.unwrap()..high.unwrap()).contains(&truth));
        }
    }
    let share = held as f64 / (4 * TOURNAMENTS) as f64;
    assert!((0.93..0.97).contains(&share), "{share}");
}
