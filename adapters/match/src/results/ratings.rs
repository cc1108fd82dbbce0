//! The results of all engines against each other, in games and in pairs of games.

use std::collections::{BTreeMap, HashMap};

use crate::events::Reason;
use crate::events::games::Finished;
use crate::stats::{Results, Trinomial};

/// The results of all engines. They do not depend on the order of the games.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    /// Each engine against all others.
    pub results: Vec<Results>,
    /// Each engine (row) against each other (column).
    pub cross: Vec<Vec<Results>>,
    /// The faults of each engine, by reason.
    pub faults: Vec<BTreeMap<Reason, u64>>,
    /// Pairs of which one game is known: its players and their half points.
    half: HashMap<u64, ([usize; 2], [u32; 2])>,
}

impl Ratings {
    /// No games yet, between this many engines.
    pub fn new(engines: usize) -> Self {
        Self {
            results: vec![Results::default(); engines],
            cross: vec![vec![Results::default(); engines]; engines],
            faults: vec![BTreeMap::new(); engines],
            half: HashMap::new(),
        }
    }

    /// Adds a game of the pair with this number, with the half points of p1 and p2 if it counts.
    pub fn note(&mut self, pair: u64, game: &Finished) -> Option<[u32; 2]> {
        let &Finished { players, outcome, reason, guilty, .. } = game;
        if let Some(guilty) = guilty {
            let player = players[usize::from(guilty == 2)];
            *self.faults[player].entry(reason).or_default() += 1;
        }
        let half_points = outcome.half_points()?;
        self.each(players, half_points, |results, half_points| results.games.add(half_points));
        if let Some(both) = self.whole_pair(pair, players, half_points) {
            self.each(players, both, |results, half_points| results.pairs.add(half_points));
        }
        Some(half_points)
    }

    /// The engines, best first: by their share of the points, then in the order of the configuration.
    pub fn ranking(&self) -> Vec<usize> {
        let share = |engine: usize| {
            let Trinomial { wins, draws, losses } = self.results[engine].games;
            (2 * wins + draws, (wins + draws + losses).max(1))
        };
        let mut ranking: Vec<usize> = (0..self.results.len()).collect();
        ranking.sort_by(|a, b| {
            let ((a_points, a_games), (b_points, b_games)) = (share(*a), share(*b));
            (b_points * a_games).cmp(&(a_points * b_games))
        });
        ranking
    }

    /// Applies a change to the results of both players, against each other and against all.
    fn each(&mut self, [a, b]: [usize; 2], half_points: [u32; 2], add: impl Fn(&mut Results, u32)) {
        for (me, you, half_points) in [(a, b, half_points[0]), (b, a, half_points[1])] {
            add(&mut self.cross[me][you], half_points);
            add(&mut self.results[me], half_points);
        }
    }

    /// The half points of both games of a pair, in terms of this game's sides, once both are known.
    fn whole_pair(
        &mut self,
        pair: u64,
        players: [usize; 2],
        half_points: [u32; 2],
    ) -> Option<[u32; 2]> {
        let Some(([b, a], [of_b, of_a])) = self.half.remove(&pair) else {
            self.half.insert(pair, (players, half_points));
            return None;
        };
        // Without swapped sides it is not a pair, whatever the events claim.
        ([a, b] == players).then_some([half_points[0] + of_a, half_points[1] + of_b])
    }
}
