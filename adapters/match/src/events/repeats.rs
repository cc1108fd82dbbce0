//! Games that repeat another game of the match. They say nothing new, so results look surer than they are.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use super::{End, Move, Outcome, Start};

/// Games, counted by whether they repeat an earlier one. A repeated game has the same players on the same sides, the same
/// start and the same moves.
#[derive(Clone, Debug, Default)]
pub struct RepeatedGames {
    games: u64,
    repeated: u64,
    /// A hash of each game. Two of ten million games have the same one by chance in three of a million matches.
    seen: HashSet<u64>,
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
        self.repeated += u64::from(!self.know(game));
    }

    /// Adds a game that others may repeat, and that is not counted. `false` if it is known.
    pub fn know(&mut self, game: impl Hash) -> bool {
        let mut hasher = DefaultHasher::new();
        game.hash(&mut hasher);
        self.seen.insert(hasher.finish())
    }

    /// How many games repeat an earlier one.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.repeated
    }
}

/// `16 of 64 games repeat another game`.
impl fmt::Display for RepeatedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, games) = (self.repeated, self.games);
        let verb = if count == 1 { "repeats" } else { "repeat" };
        write!(f, "{count} of {games} games {verb} another game")
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
}
