//! The results of a match, and how they developed.

use leap_match::events::games::Finished;
use leap_match::results::ratings::Ratings;
use leap_match::stats::Estimate;

/// The results of all players.
#[derive(Debug)]
pub(super) struct Statistics {
    pub(super) ratings: Ratings,
    /// For each player, Elo after each of its games from which it can be estimated.
    pub(super) histories: Vec<Vec<(u64, Estimate)>>,
    /// Games won by p1, drawn, and won by p2.
    pub(super) by_side: [u64; 3],
}

impl Statistics {
    pub(super) fn new(players: usize) -> Self {
        Self {
            ratings: Ratings::new(players),
            histories: vec![Vec::new(); players],
            by_side: [0; 3],
        }
    }

    /// Adds a game. Games must be added in the order in which they ended.
    pub(super) fn note(&mut self, pair: u64, game: &Finished) {
        let Some(half_points) = self.ratings.note(pair, game) else { return };
        self.by_side[2 - half_points[0] as usize] += 1;
        for player in game.players {
            let results = &self.ratings.results[player];
            let elo = results.elo().map(|elo| (results.games.games(), elo));
            self.histories[player].extend(elo);
        }
    }
}
