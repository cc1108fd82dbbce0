//! The table of a match, and how it became clear in the course of it.

use std::collections::BTreeMap;

use super::games::Game;
use crate::stats::{Estimate, Outcomes as _};
use crate::tournament::events::Reason;
use crate::tournament::results::ratings::Ratings;

/// The results of all players.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) ratings: Ratings,
    /// What the ratings do not tell.
    pub(super) players: Vec<Player>,
    /// Games that p1 has won, that were drawn, and that p2 has won.
    pub(super) by_side: [u64; 3],
}

/// One player.
#[derive(Clone, Debug, Default)]
pub(super) struct Player {
    /// Games that it has spoilt, by reason.
    pub(super) faults: BTreeMap<Reason, u64>,
    /// Elo after each of its games from which it can be told.
    pub(super) history: Vec<(u64, Estimate)>,
}

impl Results {
    pub(super) fn new(players: usize) -> Results {
        Results {
            ratings: Ratings::new(players),
            players: vec![Player::default(); players],
            by_side: [0; 3],
        }
    }

    /// Takes a game into account, in the order of their ends.
    pub(super) fn note(&mut self, game: &Game) {
        if let Some(guilty) = game.end.guilty {
            *self.players[game.player(guilty)].faults.entry(game.end.reason).or_default() += 1;
        }
        let Some(half_points) = game.end.result.half_points() else { return };
        let players = [game.start.p1, game.start.p2];
        self.by_side[2 - half_points[0] as usize] += 1;
        self.ratings.note(game.start.pair, players, half_points);
        for player in players {
            let record = &self.ratings.records[player];
            let elo = record.elo().map(|elo| (record.games.sample().count(), elo));
            self.players[player].history.extend(elo);
        }
    }

    /// The players, the best first: by their shares of the points, then in the order of the configuration.
    pub(super) fn ranking(&self) -> Vec<usize> {
        let share = |player: &usize| self.ratings.records[*player].games.score().unwrap_or(0.0);
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        ranking.sort_by(|a, b| share(b).total_cmp(&share(a)));
        ranking
    }
}
