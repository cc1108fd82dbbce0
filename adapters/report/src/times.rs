//! The time that the moves of a player took.

use leap_match::events::Move;

/// Plies that are grouped when time is shown in the course of the game.
pub(super) const PLIES_TOGETHER: u64 = 10;
/// Plies beyond which positions in the game are not distinguished: this bounds memory whatever the events contain.
const MOST_PLIES: u64 = 2000;

/// Sums and times of a player's moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// Microseconds of each move.
    times_us: Vec<u64>,
    depths: (u64, u64),
    /// Nodes, and the microseconds of the moves whose node counts are known.
    nodes: (u64, u64),
    /// Moves and microseconds of each [`PLIES_TOGETHER`] plies.
    along: Vec<(u64, u64)>,
}

impl Times {
    pub(super) fn note(&mut self, mv: &Move) {
        self.times_us.push(mv.time_us);
        if let Some(depth) = mv.depth {
            self.depths.0 += 1;
            self.depths.1 = self.depths.1.saturating_add(depth.into());
        }
        if let Some(nodes) = mv.nodes {
            self.nodes.0 = self.nodes.0.saturating_add(nodes);
            self.nodes.1 = self.nodes.1.saturating_add(mv.time_us);
        }
        let at = (mv.ply.clamp(1, MOST_PLIES) - 1) / PLIES_TOGETHER;
        let at = at as usize;
        if self.along.len() <= at {
            self.along.resize(at + 1, (0, 0));
        }
        let (moves, time) = &mut self.along[at];
        *moves += 1;
        *time = time.saturating_add(mv.time_us);
    }

    pub(super) fn moves(&self) -> usize {
        self.times_us.len()
    }

    /// The times in milliseconds within which these shares of the moves were made, each from 0 to 1.
    pub(super) fn quantiles_ms<const N: usize>(&self, shares: [f64; N]) -> Option<[f64; N]> {
        let mut times = self.times_us.clone();
        times.sort_unstable();
        let last = times.len().checked_sub(1)?;
        Some(shares.map(|share| times[(share * last as f64).round() as usize] as f64 / 1e3))
    }

    pub(super) fn mean_ms(&self) -> Option<f64> {
        let sum: f64 = self.times_us.iter().map(|time| *time as f64).sum();
        (!self.times_us.is_empty()).then(|| sum / self.times_us.len() as f64 / 1e3)
    }

    pub(super) fn mean_depth(&self) -> Option<f64> {
        let (moves, sum) = self.depths;
        (moves > 0).then(|| sum as f64 / moves as f64)
    }

    pub(super) fn nodes_per_second(&self) -> Option<f64> {
        let (nodes, time_us) = self.nodes;
        (time_us > 0).then(|| nodes as f64 / time_us as f64 * 1e6)
    }

    /// Mean milliseconds per move in the course of the game: the middle of a group of plies, and the time.
    pub(super) fn along_ms(&self) -> Vec<(f64, f64)> {
        let middle = |at: usize| (at as f64 + 0.5) * PLIES_TOGETHER as f64;
        let known = self.along.iter().enumerate().filter(|(_, (moves, _))| *moves > 0);
        known.map(|(at, (moves, us))| (middle(at), *us as f64 / *moves as f64 / 1e3)).collect()
    }
}
