//! Single elimination with the usual seeding: the engines are ordered by seed, and the first two can meet in the last
//! round only. If their number is not a power of two, the first ones skip the first round.

use super::{Pairing, PairingResult};

/// How often a drawn pairing is replayed. After that the engine with the better seed advances.
const PLAY_OFFS: usize = 3;

/// What the rounds so far have decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bracket {
    /// The pairings of the next round; empty if there is a winner. A round after a drawn pairing contains that pairing
    /// again.
    pub(crate) next: Vec<Pairing>,
    /// For each engine, the stages that it has survived, also without an opponent.
    pub(crate) survived: Vec<u32>,
    /// Pairings that were level after the last play-off. The first of the two engines advanced.
    pub(crate) level: Vec<Pairing>,
    /// The winner; `None` while games are left.
    pub(crate) winner: Option<usize>,
}

/// The state after these rounds.
pub(crate) fn bracket(engines: usize, played: &[Vec<PairingResult>]) -> Bracket {
    let mut bracket = Bracket { survived: vec![0; engines], ..Bracket::default() };
    let mut slots = seats(engines);
    let mut played = played.iter();
    while slots.len() > 1 {
        match stage(&slots, &mut played, &mut bracket.level) {
            Stage::Won(winners) => slots = winners,
            Stage::Open(pairings) => return Bracket { next: pairings, ..bracket },
        }
        slots.iter().flatten().for_each(|engine| bracket.survived[*engine] += 1);
    }
    Bracket { winner: slots.into_iter().flatten().next(), ..bracket }
}

enum Stage {
    /// The engines that advance.
    Won(Vec<Option<usize>>),
    /// The pairings to play.
    Open(Vec<Pairing>),
}

fn stage<'a>(
    slots: &[Option<usize>],
    played: &mut impl Iterator<Item = &'a Vec<PairingResult>>,
    level: &mut Vec<Pairing>,
) -> Stage {
    let mut winners: Vec<Option<usize>> =
        slots.chunks(2).map(|two| two.iter().copied().flatten().min()).collect();
    let pairing = |at: &usize| match slots[2 * at..2 * at + 2] {
        [Some(a), Some(b)] => Some([a.min(b), a.max(b)]),
        _ => None,
    };
    let mut open: Vec<usize> = (0..winners.len()).filter(|at| pairing(at).is_some()).collect();
    for attempt in 0..=PLAY_OFFS {
        if open.is_empty() {
            break;
        }
        let Some(results) = played.next() else {
            return Stage::Open(open.iter().filter_map(pairing).collect());
        };
        open.retain(|at| {
            let Some(engines) = pairing(at) else { return false };
            let met = results.iter().find(|met| met.engines == engines);
            let [first, second] = met.map_or([0, 0], |met| met.half_points);
            winners[*at] = Some(engines[usize::from(second > first)]);
            if first == second && attempt == PLAY_OFFS {
                level.push(engines);
            }
            first == second && attempt < PLAY_OFFS
        });
    }
    Stage::Won(winners)
}

/// The seats of the first round: 0 at the top, and opponents' seeds have equal sums.
fn seats(engines: usize) -> Vec<Option<usize>> {
    let mut seats = vec![0];
    while seats.len() < engines {
        let sum = 2 * seats.len() - 1;
        seats = seats.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    seats.into_iter().map(|seed| (seed < engines).then_some(seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(engines: usize, played: &[Vec<PairingResult>]) -> Vec<Pairing> {
        bracket(engines, played).next
    }

    fn met(engines: Pairing, half_points: [u32; 2]) -> PairingResult {
        PairingResult { engines, half_points }
    }

    #[test]
    fn the_best_two_seeds_meet_last() {
        assert_eq!(seats(4), [Some(0), Some(3), Some(1), Some(2)]);
        assert_eq!(seats(3), [Some(0), None, Some(1), Some(2)]);
        assert_eq!(seats(1), [Some(0)]);
    }

    #[test]
    fn winners_go_on_and_losers_are_out() {
        assert_eq!(round(4, &[]), [[0, 3], [1, 2]]);
        let first = vec![met([0, 3], [1, 3]), met([1, 2], [4, 0])];
        assert_eq!(round(4, std::slice::from_ref(&first)), [[1, 3]]);
        assert_eq!(round(4, &[first, vec![met([1, 3], [0, 4])]]), Vec::<Pairing>::new());
    }

    #[test]
    fn a_drawn_meeting_is_played_again_but_not_for_ever() {
        let drawn = vec![met([0, 1], [2, 2])];
        for played in 1..=PLAY_OFFS {
            assert_eq!(round(2, &vec![drawn.clone(); played]), [[0, 1]]);
        }
        let decided = bracket(2, &vec![drawn; PLAY_OFFS + 1]);
        assert!(decided.next.is_empty());
        assert_eq!((decided.winner, decided.level), (Some(0), vec![[0, 1]]));
    }

    #[test]
    fn those_without_an_opponent_go_on() {
        assert_eq!(round(3, &[]), [[1, 2]]);
        let first = bracket(3, &[vec![met([1, 2], [0, 4])]]);
        assert_eq!((first.next, first.survived), (vec![[0, 2]], vec![1, 0, 1]));
    }
}
