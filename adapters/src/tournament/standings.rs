//! The table of a match, by the games that are finished. It depends on these alone, not on their order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::config::Config;
use super::event::Reason;
use super::tally::Tally;

/// One engine's results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Standing {
    pub(super) engine: String,
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// 1 for a win, 1/2 for a draw.
    pub(super) points: f64,
    /// Whole pairs of games by the half points that it made in them, from 0 to 4.
    pub(super) pairs: [u64; 5],
    /// Games that it has spoilt, by reason.
    pub(super) faults: BTreeMap<Reason, u64>,
}

/// The engines in the order of their shares of the points; among equals in that of the configuration.
pub(super) fn standings(config: &Config, tally: &Tally) -> Vec<Standing> {
    let named = |engine: &super::config::EngineConfig| Standing {
        engine: engine.name.clone(),
        ..Standing::default()
    };
    let mut standings: Vec<Standing> = config.engines.iter().map(named).collect();
    for game in tally.finished.values() {
        if let Some(guilty) = game.guilty {
            let player = game.players[usize::from(guilty == 2)];
            *standings[player].faults.entry(game.reason).or_default() += 1;
        }
        let Some(half_points) = game.outcome.half_points() else { continue };
        for (player, half_points) in game.players.into_iter().zip(half_points) {
            let standing = &mut standings[player];
            standing.games += 1;
            standing.points += f64::from(half_points) / 2.0;
            match half_points {
                0 => standing.losses += 1,
                1 => standing.draws += 1,
                _ => standing.wins += 1,
            }
        }
    }
    for (player, half_points) in pairs(tally) {
        standings[player].pairs[half_points] += 1;
    }
    // In thousandths, so that the order is total.
    let share = |s: &Standing| (s.points * 1e6) as u64 / s.games.max(1);
    standings.sort_by_key(|standing| Reverse(share(standing)));
    standings
}

/// The players of all whole pairs with the half points that each made in both games. A pair is whole if both games count.
fn pairs(tally: &Tally) -> impl Iterator<Item = (usize, usize)> + '_ {
    let firsts = tally.finished.iter().filter(|(number, _)| *number % 2 == 1);
    firsts.flat_map(|(number, first)| {
        let second = tally.finished.get(&(number + 1));
        let points = first.outcome.half_points().zip(second.and_then(|g| g.outcome.half_points()));
        // Sides are swapped in the second game.
        let both = points.map(|([a, b], [c, d])| [(a + d) as usize, (b + c) as usize]);
        both.into_iter().flat_map(|both| first.players.into_iter().zip(both))
    })
}

#[cfg(test)]
mod tests {
    use super::super::event::Outcome;
    use super::super::tally::tests::{end, start};
    use super::*;

    fn config(engines: usize) -> Config {
        let toml: String = (0..engines).map(|i| format!("[[engine]]\ncmd = 'e{i}'\n")).collect();
        let args = toml::from_str(&format!("referee = 'none'\n{toml}")).unwrap();
        super::super::resolve::config(args).unwrap()
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
        assert_eq!([table[0].pairs, table[1].pairs], [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]);
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
