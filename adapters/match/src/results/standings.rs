//! The standings of a match. They depend on the finished games alone, not on their order.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ratings::Ratings;
use super::tally::Tally;
use crate::events::{Rating, Reason};
use crate::plan::config::Config;
use crate::stats::sprt::Status;
use crate::stats::{Estimate, Pentanomial, Results, Summary, Trinomial};

/// One engine's results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Standing {
    pub(crate) engine: String,
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// 1 for a win, 1/2 for a draw.
    pub(crate) points: f64,
    /// Complete pairs of games by the half points scored in them, from 0 to 4.
    pub(crate) pairs: Pentanomial,
    /// Elo against its opponents, by the logistic curve.
    pub(crate) elo: Option<Estimate>,
    pub(crate) normalized_elo: Option<Estimate>,
    /// The likelihood that it is stronger than its opponents.
    pub(crate) los: Option<f64>,
    /// The share of drawn pairs.
    pub(crate) draw_ratio: Option<f64>,
    /// Its faults, by reason.
    pub(crate) faults: BTreeMap<Reason, u64>,
}

impl Standing {
    pub(crate) fn new(engine: &str, results: &Results, faults: &BTreeMap<Reason, u64>) -> Self {
        let Results { games: Trinomial { wins, draws, losses }, pairs } = *results;
        let Summary { games, points, elo, normalized_elo, los, draw_ratio, .. } = results.summary();
        let (engine, faults) = (engine.to_owned(), faults.clone());
        let counted =
            Self { engine, games, wins, draws, losses, points, pairs, faults, ..Self::default() };
        Self { elo, normalized_elo, los, draw_ratio, ..counted }
    }
}

/// The results of all engines. Games 1 and 2 are a pair, 3 and 4, and so on.
fn rate(engines: usize, tally: &Tally) -> Ratings {
    let mut ratings = Ratings::new(engines);
    for (number, game) in &tally.finished {
        ratings.note(number.div_ceil(2), game);
    }
    ratings
}

/// The state of the test, if there is one: it is about the first engine.
pub(crate) fn sprt(config: &Config, tally: &Tally) -> Option<Status> {
    let test = config.sprt.as_ref()?;
    rate(config.engines.len(), tally).results.first().map(|results| results.sprt(test))
}

/// The current ratings, as an event.
pub(crate) fn ratings(config: &Config, tally: &Tally) -> Vec<Rating> {
    let llr = sprt(config, tally).map(|status| status.llr);
    let ratings = rate(config.engines.len(), tally);
    let summaries = ratings.results.iter().map(Results::summary);
    let rated = summaries.enumerate().filter_map(|(engine, summary)| {
        let (elo, error) = (summary.elo?.value, summary.elo?.error()?);
        Some(Rating { games: summary.games, engine, elo, error, llr: llr.filter(|_| engine == 0) })
    });
    rated.collect()
}

/// The engines, in the order of [`Ratings::ranking`].
pub(crate) fn standings(config: &Config, tally: &Tally) -> Vec<Standing> {
    let ratings = rate(config.engines.len(), tally);
    let standing = |engine: usize| {
        let name = &config.engines[engine].name;
        Standing::new(name, &ratings.results[engine], &ratings.faults[engine])
    };
    ratings.ranking().into_iter().map(standing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Outcome;
    use crate::results::tally::tests::{end, start};

    fn config(engines: usize) -> Config {
        let toml: String = (0..engines).map(|i| format!("[[engine]]\ncmd = 'e{i}'\n")).collect();
        let args = toml::from_str(&format!("referee = 'none'\n{toml}")).unwrap();
        crate::plan::resolve::config(args).unwrap()
    }

    #[test]
    fn without_a_game_everyone_has_nothing() {
        let table = standings(&config(2), &Tally::default());
        assert_eq!(table.iter().map(|row| row.games).collect::<Vec<_>>(), [0, 0]);
    }

    #[test]
    fn only_whole_pairs_are_counted_as_pairs() {
        let mut tally = Tally::default();
        for (game, players, result) in [
            (1, [0, 1], Outcome::P1Win),
            (2, [1, 0], Outcome::Draw),
            (3, [0, 1], Outcome::P1Win),
            (5, [0, 1], Outcome::P1Win),
            (6, [1, 0], Outcome::Void),
        ] {
            tally.note(&start(game, players, 3));
            tally.note(&end(game, result, None));
        }
        let table = standings(&config(2), &tally);
        assert_eq!([table[0].pairs.0, table[1].pairs.0], [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]);
    }

    #[test]
    fn points_and_faults_are_those_of_finished_games() {
        let mut tally = Tally::default();
        for (game, players, result, guilty) in [
            (1, [0, 1], Outcome::P2Win, Some(1)),
            (2, [1, 0], Outcome::Draw, None),
            (3, [0, 2], Outcome::P1Win, None),
        ] {
            tally.note(&start(game, players, 1));
            tally.note(&end(game, result, guilty));
        }
        let table = standings(&config(3), &tally);
        let rows: Vec<_> = table
            .iter()
            .map(|row| (&*row.engine, row.points, row.faults.values().sum::<u64>()))
            .collect();
        assert_eq!(rows, [("e1", 1.5, 0), ("e0", 1.5, 1), ("e2", 0.0, 0)]);
    }
}
