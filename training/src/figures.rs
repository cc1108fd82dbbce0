//! What the positions of games are like. Labels that look wrong are refused before weights learn from them.

use std::collections::HashSet;
use std::fmt;

use leap_core::keys::Key;
use leap_core::notation::Notation;
use leap_core::{Counters, GameResult, Position};

use crate::sample::{Played, Sample};

/// Fewer positions are not judged: chance decides too much.
const JUDGED: u64 = 1000;
/// The least correlation of score and result. Labels for the wrong side have a negative one.
const LEAST_CORRELATION: f64 = 0.1;
/// The largest share of positions that have occurred before.
const MOST_DUPLICATES: f64 = 0.5;

/// The figures of games, or of positions from games that are not told apart.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) games: u64,
    decided: u64,
    /// The keys of the positions.
    seen: HashSet<Key>,
    /// The ply of each position.
    plies: Vec<u32>,
    correlation: Correlation,
}

impl Figures {
    pub(crate) fn count_game<R: Notation>(&mut self, game: &Played<R>) {
        self.games += 1;
        self.decided += u64::from(game.result != GameResult::Draw);
        for sample in game.samples() {
            self.count(&sample);
        }
    }

    /// Whether the position is new.
    pub(crate) fn count<P: Position>(&mut self, sample: &Sample<P>) -> bool {
        let Counters { ply, .. } = sample.position.counters();
        self.plies.push(ply);
        self.correlation.add(sample.score as f64, sample.result as f64);
        self.seen.insert(sample.position.key())
    }

    /// Why nothing should be learned from the positions.
    pub(crate) fn fault(&self) -> Option<String> {
        let (correlation, duplicates) = (self.correlation.value(), self.duplicates());
        if self.positions() < JUDGED {
            return None;
        }
        if correlation < LEAST_CORRELATION {
            return Some(format!(
                "expected a correlation of score and result of at least {LEAST_CORRELATION}, found {correlation:.3}"
            ));
        }
        (duplicates > MOST_DUPLICATES).then(|| {
            format!(
                "expected at most {:.0} % duplicates, found {:.1} %",
                100.0 * MOST_DUPLICATES,
                100.0 * duplicates
            )
        })
    }

    fn positions(&self) -> u64 {
        self.plies.len() as u64
    }

    /// The share of positions that have occurred before.
    fn duplicates(&self) -> f64 {
        1.0 - share(self.seen.len() as u64, self.positions())
    }

    /// The plies that a tenth, a half and nine tenths of the positions do not exceed.
    fn quantiles(&self) -> [u32; 3] {
        let mut plies = self.plies.clone();
        plies.sort_unstable();
        [1, 5, 9].map(|tenths| plies.get(plies.len() * tenths / 10).copied().unwrap_or_default())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.games > 0 {
            let decided = 100.0 * share(self.decided, self.games);
            write!(f, "games {} decided {decided:.1} % ", self.games)?;
        }
        let [early, middle, late] = self.quantiles();
        write!(
            f,
            "positions {} duplicates {:.1} % correlation {:.3} plies {early} {middle} {late}",
            self.positions(),
            100.0 * self.duplicates(),
            self.correlation.value()
        )
    }
}

/// A share of a number; 1 of none.
fn share(part: u64, of: u64) -> f64 {
    if of == 0 { 1.0 } else { part as f64 / of as f64 }
}

/// Pearson's correlation, from sums.
#[derive(Default)]
struct Correlation {
    count: f64,
    /// The sums of both values, of their squares, and of their products.
    sums: [f64; 2],
    squares: [f64; 2],
    products: f64,
}

impl Correlation {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.sums = [self.sums[0] + x, self.sums[1] + y];
        self.squares = [self.squares[0] + x * x, self.squares[1] + y * y];
        self.products += x * y;
    }

    /// From -1 to 1; 0 where a value never changes.
    fn value(&self) -> f64 {
        let variance = |i: usize| self.count * self.squares[i] - self.sums[i] * self.sums[i];
        let deviations = (variance(0) * variance(1)).sqrt();
        let covariance = self.count * self.products - self.sums[0] * self.sums[1];
        if deviations > 0.0 { covariance / deviations } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use leap_core::{Game, Rules};
    use leap_games::alquerque::Alquerque;

    use super::*;

    /// The figures of positions from a game of first moves, with labels for each position by its number.
    fn figures(positions: u64, label: impl Fn(u64) -> (i64, i64)) -> Figures {
        let mut figures = Figures::default();
        let game = Alquerque::default();
        let mut record = Game::start(game.clone());
        for number in 0..positions {
            if record.outcome().is_some() {
                record = Game::start(game.clone());
            }
            let (score, result) = label(number);
            figures.count(&Sample { position: *record.current(), score, result });
            record.push(record.legal_moves()[number as usize % record.legal_moves().len()]);
        }
        figures
    }

    #[test]
    fn labels_for_the_wrong_side_and_labels_of_nothing_are_named() {
        let score = |number: u64| (number * 7919 % 2001) as i64 - 1000;
        let right = |number| (score(number), score(number).signum());
        let wrong = |number| (score(number), -score(number).signum());
        assert_eq!(figures(JUDGED, right).fault(), None);
        let fault = figures(JUDGED, wrong).fault().unwrap();
        assert!(
            fault.starts_with(
                "expected a correlation of score and result of at least 0.1, found -0.8"
            ),
            "{fault}"
        );
        assert!(figures(JUDGED, |number| (score(number), 0)).fault().is_some());
        assert_eq!(figures(JUDGED - 1, wrong).fault(), None, "chance decides too much");
    }

    #[test]
    fn positions_that_come_again_and_again_are_named() {
        let game = Alquerque::default();
        let mut figures = Figures::default();
        for number in 0..JUDGED as i64 {
            let score = number % 3 - 1;
            figures.count(&Sample { position: game.start(), score, result: score });
        }
        assert_eq!(figures.fault().unwrap(), "expected at most 50 % duplicates, found 99.9 %");
        assert_eq!(
            figures.to_string(),
            "positions 1000 duplicates 99.9 % correlation 1.000 plies 0 0 0"
        );
    }

    #[test]
    fn values_that_rise_together_correlate_and_constant_ones_do_not() {
        let value = |pairs: &[(f64, f64)]| {
            let mut correlation = Correlation::default();
            pairs.iter().for_each(|(x, y)| correlation.add(*x, *y));
            correlation.value()
        };
        assert!((value(&[(10.0, -1.0), (20.0, 0.0), (30.0, 1.0)]) - 1.0).abs() < 1e-9);
        assert!(
            (value(&[(10.0, 1.0), (-10.0, -1.0), (0.0, 1.0), (0.0, -1.0)]) - 0.5f64.sqrt()).abs()
                < 1e-9
        );
        assert_eq!(value(&[(5.0, 1.0), (5.0, -1.0)]), 0.0);
        assert_eq!(value(&[]), 0.0);
    }
}
