//! The standings of a match. They depend on the finished games alone, not on their order.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ranking::{Knockout, Ranking};
use super::tally::Tally;
use crate::events::{Rating, Reason};
use crate::plan::config::Config;
use crate::stats::{Results, Summary};

/// One engine's results against its opponents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Standing {
    pub(crate) engine: String,
    #[serde(flatten)]
    pub(crate) summary: Summary,
    /// Its faults, by reason.
    pub(crate) faults: BTreeMap<Reason, u64>,
}

/// The current ratings, as an event.
pub(crate) fn ratings(config: &Config, tally: &Tally) -> Vec<Rating> {
    let llr = tally.sprt(config).map(|status| status.llr);
    let summaries = tally.ratings().results.iter().map(Results::summary);
    let rated = summaries.enumerate().filter_map(|(engine, summary)| {
        let (elo, error) = (summary.elo?.value, summary.elo?.error()?);
        Some(Rating { games: summary.games, engine, elo, error, llr: llr.filter(|_| engine == 0) })
    });
    rated.collect()
}

/// The engines, in the order of their [`Ranking`], and how a knockout ended.
pub(crate) fn standings(config: &Config, tally: &Tally) -> (Vec<Standing>, Option<Knockout>) {
    let ratings = tally.ratings();
    let half_points = |game: u64| tally.result(game).map(|_| tally.half_points(game));
    let Ranking { order, knockout } = Ranking::new(config, ratings, half_points);
    let standing = |engine: usize| Standing {
        engine: config.engines[engine].name.clone(),
        summary: ratings.results[engine].summary(),
        faults: ratings.faults[engine].clone(),
    };
    (order.into_iter().map(standing).collect(), knockout)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

    use super::*;
    use crate::events::Outcome::{self, Draw, P1Win, P2Win, Void};
    use crate::events::games::Finished;
    use crate::plan::config::TournamentFormat;
    use crate::plan::{MOST_ATTEMPTS, Plan, ScheduledGame, config_of};
    use crate::results::ratings::Ratings;
    use crate::results::tally::tests::end;

    /// The table after these games: number, players, result, guilty side.
    fn table(engines: usize, games: &[(u64, [usize; 2], Outcome, Option<u8>)]) -> Vec<Standing> {
        let mut tally = Tally::new(engines);
        for &(game, players, result, guilty) in games {
            tally.finish(game, Finished::new(players, &end(game, result, guilty)));
        }
        standings(&config_of(engines, ""), &tally).0
    }

    #[test]
    fn without_a_game_everyone_has_nothing() {
        assert_eq!(table(2, &[]).iter().map(|row| row.summary.games).collect::<Vec<_>>(), [0, 0]);
    }

    #[test]
    fn only_whole_pairs_are_counted_as_pairs() {
        let games = [
            (1, [0, 1], P1Win, None),
            (2, [1, 0], Draw, None),
            (3, [0, 1], P1Win, None),
            (5, [0, 1], P1Win, None),
            (6, [1, 0], Void, None),
        ];
        let table = table(2, &games);
        assert_eq!(
            [table[0].summary.pairs.0, table[1].summary.pairs.0],
            [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]
        );
    }

    #[test]
    fn points_and_faults_are_those_of_finished_games() {
        let games =
            [(1, [0, 1], P2Win, Some(1)), (2, [1, 0], Draw, None), (3, [0, 2], P1Win, None)];
        let table = table(3, &games);
        let faults = |row: &Standing| row.faults.values().sum::<u64>();
        let rows = table.iter().map(|row| (&*row.engine, row.summary.points, faults(row)));
        assert_eq!(rows.collect::<Vec<_>>(), [("e1", 1.5, 0), ("e0", 1.5, 1), ("e2", 0.0, 0)]);
    }

    #[test]
    fn a_win_counts_as_much_as_two_draws_in_the_order() {
        let games = [
            (1, [1, 2], P1Win, None),
            (2, [2, 1], P2Win, None),
            (3, [1, 2], P2Win, None),
            (5, [0, 2], Draw, None),
            (6, [2, 0], Draw, None),
            (7, [0, 2], Draw, None),
        ];
        let table = table(3, &games);
        let rows: Vec<_> = table.iter().map(|row| (&*row.engine, row.summary.points)).collect();
        assert_eq!(rows, [("e1", 2.0), ("e0", 1.5), ("e2", 2.5)], "by the share of the points");
    }

    fn in_format(engines: usize, format: TournamentFormat) -> Config {
        Config { format, ..config_of(engines, "") }
    }

    /// Plays all games of a tournament with results drawn by the seed: the games that each round has, and the tally.
    fn play(config: &Config, seed: u64) -> (Vec<Vec<ScheduledGame>>, Tally) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut plan = Plan::new(config).unwrap();
        let mut tally = Tally::new(config.engines.len());
        let mut rounds: Vec<Vec<ScheduledGame>> = Vec::new();
        loop {
            let known = rounds.iter().map(Vec::len).sum();
            rounds.push(plan.games().skip(known).collect());
            for game in rounds.last().unwrap() {
                let result = match random.next_u64() % 8 {
                    0..3 => P1Win,
                    3..5 => P2Win,
                    5..7 => Draw,
                    _ => Void,
                };
                let attempts = if result == Void { MOST_ATTEMPTS } else { 1 };
                (0..attempts)
                    .for_each(|_| tally.close(game.players, &end(game.number, result, None)));
            }
            if !plan.extend(|game| tally.half_points(game)) {
                return (rounds, tally);
            }
        }
    }

    /// The winner of the last pairing, found from its games alone.
    fn winner(games: &[ScheduledGame], tally: &Tally) -> usize {
        let [a, b] = games[0].players;
        let points = |engine: usize| -> u32 {
            let of = |game: &ScheduledGame| {
                let at = game.players.iter().position(|player| *player == engine).unwrap();
                tally.half_points(game.number)[at]
            };
            games.iter().map(of).sum()
        };
        match points(a).cmp(&points(b)) {
            Ordering::Greater => a,
            Ordering::Less => b,
            Ordering::Equal => a.min(b),
        }
    }

    #[test]
    fn who_wins_the_last_pairing_of_a_knockout_is_on_top_and_named() {
        for engines in 2..=9 {
            let config = in_format(engines, TournamentFormat::Knockout);
            for seed in 0..100 {
                let (rounds, tally) = play(&config, seed);
                let last = rounds.last().unwrap();
                let winner = &config.engines[winner(last, &tally)].name;
                let (table, knockout) = standings(&config, &tally);
                assert_eq!(table[0].engine, *winner, "{engines} engines, seed {seed}");
                assert_eq!(knockout.unwrap().winner.as_ref(), Some(winner));
                let second = last[0].players.map(|player| &config.engines[player].name);
                assert!(second.contains(&&table[1].engine), "{engines} engines, seed {seed}");
            }
        }
    }

    #[test]
    fn results_that_are_kept_are_those_of_all_games_counted_anew() {
        for seed in 0..20 {
            let config = in_format(5, TournamentFormat::RoundRobin);
            let (_, tally) = play(&config, seed);
            let mut anew = Ratings::new(5);
            // The order of the games does not matter.
            for (number, game) in tally.results().rev() {
                anew.note(number.div_ceil(2), game);
            }
            let kept = tally.ratings();
            assert_eq!((&kept.results, &kept.cross), (&anew.results, &anew.cross), "seed {seed}");
        }
    }

    #[test]
    fn a_knockout_with_games_left_has_no_winner() {
        let config = in_format(4, TournamentFormat::Knockout);
        let (_, whole) = play(&config, 1);
        for games in [whole.finished() as usize - 1, 0] {
            let mut tally = Tally::new(4);
            whole.results().take(games).for_each(|(number, game)| {
                assert!(tally.finish(number, *game));
            });
            assert_eq!(standings(&config, &tally).1.unwrap().winner, None);
        }
    }

    #[test]
    fn the_engine_that_runs_a_gauntlet_is_on_top() {
        let config = in_format(4, TournamentFormat::Gauntlet);
        for seed in 0..20 {
            let (_, tally) = play(&config, seed);
            let (table, knockout) = standings(&config, &tally);
            assert_eq!((table[0].engine.as_str(), knockout), ("e0", None));
        }
    }
}
