//! Winning chances: what an evaluation is worth, measured on games of the engine against itself.
//!
//! Clients get chances as `wdl` (SPEC 5.21). `benches/strength/chances` fits the constants of a game, and
//! docs/analysis.md compares chances with results.

use crate::{Score, Value};

/// The expected scores at the evaluations of [`Chances::evaluations`].
const LEVELS: [f64; 5] = [0.6, 0.7, 0.8, 0.9, 0.97];

/// The winning chances of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// The evaluations in centipawns at which a player scores 60, 70, 80, 90 and 97 points of 100. Strictly ascending
    /// and positive.
    pub evaluations: [i32; 5],
    /// The share of draws at an even evaluation, from 0 to 1. Towards decided games it falls to 0.
    pub draws: f64,
}

impl Chances {
    /// For games that nobody has measured.
    pub const DEFAULT: Self = Self { evaluations: [50, 100, 170, 270, 420], draws: 0.3 };

    /// The expected score of the player with this evaluation, from 0 to 1.
    #[must_use]
    pub fn expectation(&self, centipawns: i32) -> f64 {
        let odds = interpolated(f64::from(centipawns.abs()), self.points());
        let score = 1.0 / (1.0 + (-odds).exp());
        if centipawns < 0 { 1.0 - score } else { score }
    }

    /// The evaluation at which a player has this expected score: the inverse of [`Chances::expectation`]. It stays an
    /// evaluation at 0 and 1.
    #[must_use]
    pub fn evaluation(&self, expectation: f64) -> i32 {
        const MOST: f64 = 0.999;
        let chance = expectation.clamp(1.0 - MOST, MOST);
        let odds = (chance / (1.0 - chance)).ln();
        let cp = interpolated(odds.abs(), self.points().map(|(cp, odds)| (odds, cp)));
        (cp.round() as i32) * odds.signum() as i32
    }

    /// The chances of win, draw and loss in permille. They sum to 1,000. They are certain for a decided score, and for
    /// a *solved* one: the game was searched to its end.
    #[must_use]
    pub fn wdl(&self, score: Score, is_solved: bool) -> [u16; 3] {
        let cp = match score.value() {
            Value::Mate(moves) if moves > 0 => return [1000, 0, 0],
            Value::Mate(_) => return [0, 0, 1000],
            Value::Cp(1..) if is_solved => return [1000, 0, 0],
            Value::Cp(0) if is_solved => return [0, 1000, 0],
            Value::Cp(_) if is_solved => return [0, 0, 1000],
            Value::Cp(cp) => cp,
        };
        let chance = self.expectation(cp);
        let draws = self.draws * (1.0 - (2.0 * chance - 1.0).abs());
        let permille = |share: f64| (1000.0 * share).round() as u16;
        let (win, loss) = (permille(chance - draws / 2.0), permille(1.0 - chance - draws / 2.0));
        [win, 1000 - win - loss, loss]
    }

    /// Evaluations, each with the logarithm of the odds there.
    fn points(&self) -> [(f64, f64); 5] {
        std::array::from_fn(|at| {
            let level = LEVELS[at];
            (f64::from(self.evaluations[at]), (level / (1.0 - level)).ln())
        })
    }
}

/// The value at `x`, on straight lines from the origin through these points. The last line goes on.
fn interpolated(x: f64, points: [(f64, f64); 5]) -> f64 {
    let end = points.iter().position(|point| x <= point.0).unwrap_or(points.len() - 1);
    let (from, to) = (if end == 0 { (0.0, 0.0) } else { points[end - 1] }, points[end]);
    from.1 + (x - from.0) * (to.1 - from.1) / (to.0 - from.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::MAX_EVALUATION;

    const ALL: [Chances; 3] = [
        Chances::DEFAULT,
        Chances { evaluations: [1, 2, 3, 4, 5], draws: 1.0 },
        Chances { evaluations: [200, 210, 800, 801, 900], draws: 0.0 },
    ];

    #[test]
    fn the_chances_at_the_measured_evaluations_are_the_levels() {
        for chances in ALL {
            for (cp, level) in chances.evaluations.into_iter().zip(LEVELS) {
                assert!((chances.expectation(cp) - level).abs() < 1e-9, "{cp}");
                assert!((chances.expectation(-cp) - (1.0 - level)).abs() < 1e-9, "{cp}");
            }
        }
    }

    #[test]
    fn chances_sum_to_1000_and_grow_with_the_score() {
        for chances in ALL {
            let mut last = [0, 0, 1000];
            for cp in (-MAX_EVALUATION..=MAX_EVALUATION).step_by(50) {
                let wdl = chances.wdl(Score::evaluation(cp), false);
                assert_eq!(wdl.iter().sum::<u16>(), 1000, "at {cp}");
                assert!(wdl[0] >= last[0] && wdl[2] <= last[2], "at {cp}");
                last = wdl;
            }
        }
    }

    #[test]
    fn a_decided_game_is_certain_and_so_is_a_solved_one() {
        let wdl = |score| Chances::DEFAULT.wdl(score, false);
        assert_eq!(wdl(Score::win_at(3)), [1000, 0, 0]);
        assert_eq!(wdl(-Score::win_at(3)), [0, 0, 1000]);
        let solved = |cp| Chances::DEFAULT.wdl(Score::evaluation(cp), true);
        assert_eq!([1, 0, -1].map(solved), [[1000, 0, 0], [0, 1000, 0], [0, 0, 1000]]);
    }

    #[test]
    fn an_expected_score_becomes_the_evaluation_with_that_expectation() {
        for chances in ALL {
            assert_eq!(chances.evaluation(0.5), 0);
            for cp in -1000..=1000 {
                let expectation = chances.expectation(cp);
                if (0.001..0.999).contains(&expectation) {
                    assert_eq!(chances.evaluation(expectation), cp);
                }
            }
            assert_eq!(chances.evaluation(0.0), -chances.evaluation(1.0));
        }
    }
}
