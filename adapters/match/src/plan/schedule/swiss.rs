//! Swiss rounds: engines with similar scores meet, avoiding repeated pairings as long as possible.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{Pairing, PairingResult};

/// Pairings tried before repetitions are allowed.
const TRIES: u32 = 100_000;

/// The pairings of the next round. With an odd number of engines one has a bye, which counts as a won pairing. It goes
/// to the last engine in the standings that has not had one yet.
pub(super) fn round(engines: usize, played: &[Vec<PairingResult>]) -> Vec<Pairing> {
    let mut order: Vec<usize> = (0..engines).collect();
    order.sort_by_key(|engine| (Reverse(score(*engine, played)), *engine));
    if engines % 2 == 1 {
        let byes = |engine: usize| played.iter().filter(|round| bye(engine, round)).count();
        let rested = order.iter().rposition(|engine| {
            byes(*engine) == order.iter().map(|other| byes(*other)).min().unwrap_or(0)
        });
        if let Some(rested) = rested {
            order.remove(rested);
        }
    }
    let met: BTreeSet<Pairing> =
        played.iter().flatten().map(|met| sorted(met.engines[0], met.engines[1])).collect();
    let mut tries = TRIES;
    pair_up(&order, &met, &mut tries)
        .unwrap_or_else(|| order.chunks_exact(2).map(|two| sorted(two[0], two[1])).collect())
}

/// Half points of an engine, a bye counted as the best result of its round.
fn score(engine: usize, played: &[Vec<PairingResult>]) -> u32 {
    let of_round = |round: &Vec<PairingResult>| {
        let own = round.iter().find_map(|met| met.of(engine));
        own.unwrap_or_else(|| {
            round.iter().map(|met| met.half_points[0] + met.half_points[1]).max().unwrap_or(0)
        })
    };
    played.iter().map(of_round).sum()
}

fn bye(engine: usize, round: &[PairingResult]) -> bool {
    round.iter().all(|met| met.of(engine).is_none())
}

fn sorted(a: usize, b: usize) -> Pairing {
    [a.min(b), a.max(b)]
}

/// Pairs the first engine with the nearest one that it has not played, such that the rest can be paired too.
fn pair_up(order: &[usize], met: &BTreeSet<Pairing>, tries: &mut u32) -> Option<Vec<Pairing>> {
    let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
    for (at, &second) in rest.iter().enumerate() {
        let pairing = sorted(first, second);
        if met.contains(&pairing) {
            continue;
        }
        *tries = tries.checked_sub(1)?;
        let left = [&rest[..at], &rest[at + 1..]].concat();
        if let Some(mut pairings) = pair_up(&left, met, tries) {
            pairings.insert(0, pairing);
            return Some(pairings);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a round in which the engine with the lower number always wins.
    fn play(round: &[Pairing]) -> Vec<PairingResult> {
        round
            .iter()
            .map(|engines| PairingResult { engines: *engines, half_points: [4, 0] })
            .collect()
    }

    #[test]
    fn nobody_meets_twice_while_that_can_be_avoided() {
        for engines in 2..10 {
            let mut played = Vec::new();
            let mut seen = BTreeSet::new();
            let full = engines - 1 + engines % 2;
            for _ in 0..full.min(4) {
                let pairings = round(engines, &played);
                assert_eq!(pairings.len(), engines / 2);
                let new = pairings.iter().all(|pairing| seen.insert(*pairing));
                assert!(new || played.len() > engines / 2, "{engines} engines: {pairings:?}");
                played.push(play(&pairings));
            }
        }
    }

    #[test]
    fn winners_meet_winners() {
        let first = vec![
            PairingResult { engines: [0, 1], half_points: [0, 4] },
            PairingResult { engines: [2, 3], half_points: [0, 4] },
        ];
        assert_eq!(round(4, &[first]), [[1, 3], [0, 2]]);
    }

    #[test]
    fn byes_go_round() {
        let mut played = Vec::new();
        let mut rested = BTreeSet::new();
        for _ in 0..3 {
            let pairings = round(3, &played);
            let away = (0..3).find(|engine| !pairings[0].contains(engine)).unwrap();
            assert!(rested.insert(away));
            played.push(play(&pairings));
        }
    }

    #[test]
    fn more_rounds_than_opponents_still_pair_everyone() {
        let mut played = Vec::new();
        for _ in 0..5 {
            let pairings = round(2, &played);
            assert_eq!(pairings, [[0, 1]]);
            played.push(play(&pairings));
        }
    }
}
