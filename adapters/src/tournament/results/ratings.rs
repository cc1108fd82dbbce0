//! Who did how well against whom, and in pairs of games.

use std::collections::HashMap;

use crate::stats::Record;

/// The results of all engines. They do not depend on the order of the games.
#[derive(Clone, Debug)]
pub(crate) struct Ratings {
    /// Each against all others.
    pub(crate) records: Vec<Record>,
    /// Each (row) against each (column).
    pub(crate) cross: Vec<Vec<Record>>,
    /// Pairs of which one game is known: who played it, and their half points.
    half: HashMap<u64, ([usize; 2], [u32; 2])>,
}

impl Ratings {
    pub(crate) fn new(engines: usize) -> Ratings {
        Ratings {
            records: vec![Record::default(); engines],
            cross: vec![vec![Record::default(); engines]; engines],
            half: HashMap::new(),
        }
    }

    /// Takes a game that counts into account: the number of its pair, p1 and p2, and their half points.
    pub(crate) fn note(&mut self, pair: u64, players: [usize; 2], half_points: [u32; 2]) {
        self.each(players, half_points, |record, half_points| record.games.add(half_points));
        if let Some(both) = self.whole_pair(pair, players, half_points) {
            self.each(players, both, |record, half_points| record.pairs.add(half_points));
        }
    }

    /// Adds something to the results of both players, against each other and against all.
    fn each(&mut self, [a, b]: [usize; 2], half_points: [u32; 2], add: impl Fn(&mut Record, u32)) {
        for (me, you, half_points) in [(a, b, half_points[0]), (b, a, half_points[1])] {
            add(&mut self.cross[me][you], half_points);
            add(&mut self.records[me], half_points);
        }
    }

    /// The half points of both games of a pair, by the sides of this one, once both are known.
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
        // Without sides swapped it is no pair, whatever the events say.
        ([a, b] == players).then_some([half_points[0] + of_a, half_points[1] + of_b])
    }
}
