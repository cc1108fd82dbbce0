//! The table of a match, by the games that are finished. It depends on these alone, not on their order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::ratings::Ratings;
use super::tally::Tally;
use crate::stats::sprt::Status;
use crate::stats::{Estimate, Pentanomial, Record, Summary, Trinomial};
use crate::tournament::events::{Rating, Reason};
use crate::tournament::plan::config::Config;

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
    /// Whole pairs of games by the half points that it made in them, from 0 to 4.
    pub(crate) pairs: Pentanomial,
    /// Elo against its opponents, by the logistic curve.
    pub(crate) elo: Option<Estimate>,
    pub(crate) normalized_elo: Option<Estimate>,
    /// The likelihood that it is stronger than its opponents.
    pub(crate) los: Option<f64>,
    /// The share of pairs that brought both players the same.
    pub(crate) draw_ratio: Option<f64>,
    /// Games that it has spoilt, by reason.
    pub(crate) faults: BTreeMap<Reason, u64>,
}

impl Standing {
    fn fill(&mut self, record: &Record) {
        let Summary { games, points, elo, normalized_elo, los, draw_ratio, .. } = record.summary();
        let Trinomial { wins, draws, losses } = record.games;
        (self.games, self.wins, self.draws, self.losses) = (games, wins, draws, losses);
        (self.points, self.pairs) = (points, record.pairs);
        (self.elo, self.normalized_elo) = (elo, normalized_elo);
        (self.los, self.draw_ratio) = (los, draw_ratio);
    }
}

/// The games and whole pairs of each engine. Games 1 and 2 are a pair, 3 and 4, and so on.
fn records(engines: usize, tally: &Tally) -> Vec<Record> {
    let mut ratings = Ratings::new(engines);
    for (number, game) in &tally.finished {
        if let Some(half_points) = game.outcome.half_points() {
            ratings.note(number.div_ceil(2), game.players, half_points);
        }
    }
    ratings.records
}

/// Where the test stands, if there is one: it is about the first engine.
pub(crate) fn sprt(config: &Config, tally: &Tally) -> Option<Status> {
    let test = config.sprt.as_ref()?;
    records(config.engines.len(), tally).first().map(|record| record.sprt(test))
}

/// How the ratings stand, for those who watch.
pub(crate) fn ratings(config: &Config, tally: &Tally) -> Vec<Rating> {
    let llr = sprt(config, tally).map(|status| status.llr);
    let records = records(config.engines.len(), tally).into_iter().map(|record| record.summary());
    let rated = records.enumerate().filter_map(|(engine, summary)| {
        let (elo, error) = (summary.elo?.value, summary.elo?.error()?);
        Some(Rating { games: summary.games, engine, elo, error, llr: llr.filter(|_| engine == 0) })
    });
    rated.collect()
}

/// The engines in the order of their shares of the points; among equals in that of the configuration.
pub(crate) fn standings(config: &Config, tally: &Tally) -> Vec<Standing> {
    let named = |engine: &crate::tournament::plan::config::EngineConfig| Standing {
        engine: engine.name.clone(),
        ..Standing::default()
    };
    let mut standings: Vec<Standing> = config.engines.iter().map(named).collect();
    for game in tally.finished.values() {
        if let Some(guilty) = game.guilty {
            let player = game.players[usize::from(guilty == 2)];
            *standings[player].faults.entry(game.reason).or_default() += 1;
        }
    }
    for (standing, record) in standings.iter_mut().zip(records(config.engines.len(), tally)) {
        standing.fill(&record);
    }
    // In thousandths, so that the order is total.
    let share = |s: &Standing| (s.points * 1e6) as u64 / s.games.max(1);
    standings.sort_by_key(|standing| Reverse(share(standing)));
    standings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::events::Outcome;
    use crate::tournament::results::tally::tests::{end, start};

    fn config(engines: usize) -> Config {
        let toml: String = (0..engines).map(|i| format!("[[engine]]\ncmd = 'e{i}'\n")).collect();
        let args = toml::from_str(&format!("referee = 'none'\n{toml}")).unwrap();
        crate::tournament::plan::resolve::config(args).unwrap()
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
