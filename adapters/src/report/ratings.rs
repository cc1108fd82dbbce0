//! Who did how well against whom, and how that became clear in the course of the match.

use std::collections::{BTreeMap, HashMap};

use super::games::Game;
use crate::stats::{Estimate, Outcomes, Record};
use crate::tournament::event::Reason;

/// The results of all players.
#[derive(Debug)]
pub(super) struct Ratings {
    /// Each against all others.
    pub(super) players: Vec<Player>,
    /// Each (row) against each (column).
    pub(super) cross: Vec<Vec<Record>>,
    /// Games that p1 has won, that were drawn, and that p2 has won.
    pub(super) by_side: [u64; 3],
    /// Pairs of which one game is known: who played it, and their half points.
    half: HashMap<u64, ([usize; 2], [u32; 2])>,
}

/// One player against all others.
#[derive(Clone, Debug, Default)]
pub(super) struct Player {
    pub(super) record: Record,
    /// Games that it has spoilt, by reason.
    pub(super) faults: BTreeMap<Reason, u64>,
    /// Elo after each of its games from which it can be told.
    pub(super) history: Vec<(u64, Estimate)>,
}

impl Ratings {
    pub(super) fn new(players: usize) -> Ratings {
        Ratings {
            players: vec![Player::default(); players],
            cross: vec![vec![Record::default(); players]; players],
            by_side: [0; 3],
            half: HashMap::new(),
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
        self.each(players, half_points, |record, half_points| record.games.add(half_points));
        if let Some((players, half_points)) = self.whole_pair(game.start.pair, players, half_points)
        {
            self.each(players, half_points, |record, half_points| record.pairs.add(half_points));
        }
        for player in players {
            let Player { record, history, .. } = &mut self.players[player];
            history.extend(record.elo().map(|elo| (record.games.sample().count(), elo)));
        }
    }

    /// Adds something to the results of both players, against each other and against all.
    fn each(&mut self, [a, b]: [usize; 2], half_points: [u32; 2], add: impl Fn(&mut Record, u32)) {
        for (me, you, half_points) in [(a, b, half_points[0]), (b, a, half_points[1])] {
            add(&mut self.cross[me][you], half_points);
            add(&mut self.players[me].record, half_points);
        }
    }

    /// The half points of both games of a pair, once both are known.
    fn whole_pair(
        &mut self,
        pair: u64,
        players: [usize; 2],
        half_points: [u32; 2],
    ) -> Option<([usize; 2], [u32; 2])> {
        match self.half.remove(&pair) {
            Some(([b, a], [of_b, of_a])) if [a, b] == players => {
                Some((players, [half_points[0] + of_a, half_points[1] + of_b]))
            }
            // No game of this pair, whatever the events say.
            Some(_) => None,
            None => {
                self.half.insert(pair, (players, half_points));
                None
            }
        }
    }

    /// The players, the best first: by their shares of the points, then in the order of the configuration.
    pub(super) fn ranking(&self) -> Vec<usize> {
        let share = |player: &usize| self.players[*player].record.games.score().unwrap_or(0.0);
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        ranking.sort_by(|a, b| share(b).total_cmp(&share(a)));
        ranking
    }
}
