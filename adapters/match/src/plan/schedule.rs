//! Pairing opponents: the rounds of each format, as pure functions of the results so far.

pub(crate) mod knockout;
mod swiss;

use super::config::TournamentFormat;

/// Two engines that play each other, by index; the first is p1 in the first game.
pub(crate) type Pairing = [usize; 2];

/// A pairing with the half points of both engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairingResult {
    pub(crate) engines: Pairing,
    pub(crate) half_points: [u32; 2],
}

impl PairingResult {
    /// The half points of one engine, if it took part.
    fn of(&self, engine: usize) -> Option<u32> {
        self.engines.iter().position(|id| *id == engine).map(|at| self.half_points[at])
    }
}

/// The next round after those that have been played; `None` if the tournament is over.
pub(crate) fn next_round(
    format: TournamentFormat,
    engines: usize,
    rounds: u64,
    played: &[Vec<PairingResult>],
) -> Option<Vec<Pairing>> {
    let more = (played.len() as u64) < rounds;
    let round = match format {
        TournamentFormat::RoundRobin if more => round_robin(engines),
        TournamentFormat::Gauntlet if more => (1..engines).map(|other| [0, other]).collect(),
        TournamentFormat::Swiss if more => swiss::round(engines, played),
        TournamentFormat::Knockout => knockout::bracket(engines, played).next,
        _ => Vec::new(),
    };
    (!round.is_empty()).then_some(round)
}

/// All pairings, in the order of the circle method, which keeps the waiting time of each engine short.
fn round_robin(engines: usize) -> Vec<Pairing> {
    // With an odd number of engines one seat is empty.
    let seats = engines + engines % 2;
    let mut circle: Vec<usize> = (0..seats).collect();
    let mut pairings = Vec::new();
    for _ in 1..seats {
        for seat in 0..seats / 2 {
            let (a, b) = (circle[seat], circle[seats - 1 - seat]);
            if a.max(b) < engines {
                pairings.push([a.min(b), a.max(b)]);
            }
        }
        // The first keeps its seat, all others move on by one.
        circle[1..].rotate_right(1);
    }
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_round_robin_all_meet_once() {
        for engines in 2..9 {
            let mut pairings = round_robin(engines);
            pairings.sort_unstable();
            let all: Vec<Pairing> =
                (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect();
            assert_eq!(pairings, all);
        }
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        assert_eq!(next_round(TournamentFormat::Gauntlet, 3, 1, &[]), Some(vec![[0, 1], [0, 2]]));
        assert_eq!(next_round(TournamentFormat::Gauntlet, 3, 1, &[vec![]]), None);
    }
}
