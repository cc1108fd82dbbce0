//! Games that repeat another game of the match. They say nothing new, so results look surer than they are.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde::Serialize;

use super::{End, Move, Outcome, Start};

/// From this factor on, intervals are too narrow to be trusted.
const MISLEADING: f64 = 1.1;

/// Games, counted by whether they repeat an earlier one. A repeated game has the same players on the same sides, the same
/// start and the same moves.
#[derive(Clone, Debug, Default)]
pub struct RepeatedGames {
    games: u64,
    repeated: u64,
    /// How often each game was counted, by its hash. Two of ten million games have the same hash by chance in three of a
    /// million matches.
    seen: HashMap<u64, u64>,
}

/// What repetitions do to a result, in the JSON of results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Repetition {
    /// Games that repeat another one.
    pub(crate) repeated: u64,
    /// Games without these.
    pub(crate) distinct: u64,
    /// How many independent games would tell as much.
    pub(crate) effective_games: f64,
    #[serde(skip)]
    games: u64,
}

impl RepeatedGames {
    /// Adds a game of a match. A void one is not counted.
    pub fn note(&mut self, start: &Start, moves: &[Move], end: &End) {
        if end.result != Outcome::Void {
            let own = moves.iter().map(|mv| &mv.mv);
            let moves: Vec<&String> = start.moves.iter().chain(own).collect();
            self.count_game((start.p1, start.p2, &start.fen, moves));
        }
    }

    /// Adds a game that is counted, as what makes it differ from others.
    pub fn count_game(&mut self, game: impl Hash) {
        self.games += 1;
        match self.seen.entry(hash(game)) {
            Entry::Vacant(new) => drop(new.insert(1)),
            Entry::Occupied(mut known) => {
                *known.get_mut() += 1;
                self.repeated += 1;
            }
        }
    }

    /// Adds a game that others may repeat, and that is not counted.
    pub fn know(&mut self, game: impl Hash) {
        self.seen.entry(hash(game)).or_default();
    }

    /// How many games repeat an earlier one.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.repeated
    }

    /// What the repetitions do to a result.
    ///
    /// algorithm: the effective sample size of clusters whose members are all alike (L. Kish, "Survey Sampling", 1965).
    pub(crate) fn repetition(&self) -> Repetition {
        let &Self { games, repeated, .. } = self;
        let squares: f64 = self.seen.values().map(|count| (*count as f64).powi(2)).sum();
        let effective_games = if games == 0 { 0.0 } else { (games as f64).powi(2) / squares };
        Repetition { repeated, distinct: games - repeated, effective_games, games }
    }
}

fn hash(game: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish()
}

/// `16 of 64 games repeat another game`.
impl fmt::Display for RepeatedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, games) = (self.repeated, self.games);
        let verb = if count == 1 { "repeats" } else { "repeat" };
        write!(f, "{count} of {games} games {verb} another game")
    }
}

/// `64 games, 7 different`, and by how much intervals are too narrow.
impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} different", self.games, self.distinct)?;
        let factor = (self.games as f64 / self.effective_games.max(1.0)).sqrt();
        if factor < MISLEADING {
            return Ok(());
        }
        write!(f, ", so the 95 % intervals are {factor:.1} times too narrow")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tally::tests::end;

    /// A game of these players, whose opening is the first move.
    fn played([p1, p2]: [usize; 2], moves: &[&str], result: Outcome) -> (Start, Vec<Move>, End) {
        let (opening, own) = moves.split_at(1);
        let moves = opening.iter().map(|&mv| mv.to_owned()).collect();
        let own = own.iter().map(|&mv| Move { mv: mv.to_owned(), ..Move::default() });
        let start = Start { p1, p2, moves, ..Start::default() };
        (start, own.collect(), end(1, result, None))
    }

    #[test]
    fn a_game_repeats_another_one_if_players_start_and_moves_are_the_same() {
        let mut repeated = RepeatedGames::default();
        for (players, moves, result, expected) in [
            ([0, 1], &["a1a2", "b1b2"][..], Outcome::P1Win, 0),
            ([0, 1], &["a1a2", "b1b3"], Outcome::P1Win, 0),
            ([1, 0], &["a1a2", "b1b2"], Outcome::P2Win, 0),
            ([0, 1], &["a1a2", "b1b2", "c1c2"], Outcome::P1Win, 0),
            ([0, 1], &["a1a2b1b2"], Outcome::P1Win, 0),
            ([0, 1], &["a1a2", "b1b2"], Outcome::Void, 0),
            ([0, 1], &["a1a2", "b1b2"], Outcome::P1Win, 1),
            ([1, 0], &["a1a2", "b1b2"], Outcome::P2Win, 2),
        ] {
            let (start, moves, end) = played(players, moves, result);
            repeated.note(&start, &moves, &end);
            assert_eq!(repeated.count(), expected, "{players:?} {moves:?}");
        }
        assert_eq!(repeated.to_string(), "2 of 7 games repeat another game");
    }

    #[test]
    fn an_opening_is_a_part_of_the_game() {
        let mut repeated = RepeatedGames::default();
        let moves = ["a1a2", "b1b2"];
        let (mut start, mut moves, end) = played([0, 1], &moves, Outcome::Draw);
        repeated.note(&start, &moves, &end);
        start.moves.push(moves.remove(0).mv);
        repeated.note(&start, &moves, &end);
        assert_eq!(repeated.to_string(), "1 of 2 games repeats another game");
        start.fen = Some("8/8 1".to_owned());
        repeated.note(&start, &moves, &end);
        assert_eq!(repeated.count(), 1);
    }

    #[test]
    fn repetitions_make_intervals_too_narrow() {
        for (counts, effective, expected) in [
            (&[][..], 0.0, "0 games, 0 different"),
            (&[1, 1, 1], 3.0, "3 games, 3 different"),
            (
                &[500, 500],
                2.0,
                "1000 games, 2 different, so the 95 % intervals are 22.4 times too narrow",
            ),
            (
                &[8, 1, 1],
                100.0 / 66.0,
                "10 games, 3 different, so the 95 % intervals are 2.6 times too narrow",
            ),
            (&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 169.0 / 15.0, "13 games, 12 different"),
        ] {
            let mut repeated = RepeatedGames::default();
            repeated.know("an earlier game");
            for (game, count) in counts.iter().enumerate() {
                (0..*count).for_each(|_| repeated.count_game(game));
            }
            let found = repeated.repetition();
            assert!((found.effective_games - effective).abs() < 1e-9, "{found:?}");
            assert_eq!(found.to_string(), expected);
        }
    }
}
