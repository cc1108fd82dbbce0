//! The games of a match, from its events or as they are played: which ones count, and which ones are due (again).

use std::collections::BTreeMap;

use crate::events::{End, Outcome};
use crate::plan::MOST_ATTEMPTS;
use crate::plan::config::Config;
use crate::results::finished::Finished;
use crate::results::ratings::Ratings;
use crate::stats::sprt::Status;

/// The games of a match by number.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    games: BTreeMap<u64, Game>,
    finished: u64,
    /// The results of the finished games, kept with them: a long match asks after every game.
    ratings: Ratings,
}

/// A game that has started, or ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    pub(crate) players: [usize; 2],
    /// Attempts that ended void.
    pub(crate) spent: u32,
    pub(crate) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The game is to be played, perhaps again.
    Due,
    /// The game is in progress, and has this many plies.
    Open(u64),
    /// The game has ended for good.
    Ended(Finished),
}

impl Game {
    fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    fn finished(&self) -> Option<&Finished> {
        if let State::Ended(finished) = &self.state { Some(finished) } else { None }
    }
}

impl Tally {
    /// No games yet, between this many engines.
    pub(crate) fn new(engines: usize) -> Self {
        Self { games: BTreeMap::new(), finished: 0, ratings: Ratings::new(engines) }
    }

    /// The game with this number. It is due if nothing is known of it.
    pub(crate) fn game(&mut self, number: u64, players: [usize; 2]) -> &mut Game {
        self.games.entry(number).or_insert(Game { players, spent: 0, state: State::Due })
    }

    /// The game with this number, if anything is known of it.
    pub(crate) fn known(&mut self, number: u64) -> Option<&mut Game> {
        self.games.get_mut(&number)
    }

    /// Adds the end of an attempt at a game.
    pub(crate) fn close(&mut self, players: [usize; 2], end: &End) {
        let game = self.game(end.game, players);
        game.spent += 1;
        if end.result == Outcome::Void && game.spent < MOST_ATTEMPTS {
            game.state = State::Due;
        } else {
            self.finish(end.game, Finished::new(players, end));
        }
    }

    /// Adds a game that has ended for good. `false` if its end is known: then nothing changes.
    pub(crate) fn finish(&mut self, number: u64, finished: Finished) -> bool {
        let game = self.game(number, finished.players);
        if game.finished().is_some() {
            return false;
        }
        game.state = State::Ended(finished);
        self.finished += 1;
        self.ratings.note(number.div_ceil(2), &finished);
        true
    }

    /// Games in flight are as if they had never started. Returns their numbers.
    pub(crate) fn drop_open(&mut self) -> Vec<u64> {
        let open = self.games.iter_mut().filter(|(_, game)| game.is_open());
        let dropped = open.map(|(number, game)| {
            game.state = State::Due;
            *number
        });
        dropped.collect()
    }

    /// Games that have started and not ended.
    pub(crate) fn in_flight(&self) -> impl Iterator<Item = u64> + '_ {
        self.games.iter().filter(|(_, game)| game.is_open()).map(|(number, _)| *number)
    }

    /// How many games have ended for good.
    pub(crate) fn finished(&self) -> u64 {
        self.finished
    }

    /// A game that has ended for good.
    pub(crate) fn result(&self, game: u64) -> Option<&Finished> {
        self.games.get(&game)?.finished()
    }

    /// The games that have ended for good, by number.
    pub(crate) fn results(&self) -> impl DoubleEndedIterator<Item = (u64, &Finished)> + '_ {
        self.games.iter().filter_map(|(number, game)| Some((*number, game.finished()?)))
    }

    /// The games that were tried, and have not ended for good.
    pub(crate) fn tried(&self) -> impl Iterator<Item = u64> + '_ {
        let is_tried = |game: &Game| game.spent > 0 && game.finished().is_none();
        self.games.iter().filter(move |(_, game)| is_tried(game)).map(|(number, _)| *number)
    }

    /// The results of these games.
    pub(crate) fn ratings(&self) -> &Ratings {
        &self.ratings
    }

    /// The state of the test, if there is one: it is about the first engine.
    pub(crate) fn sprt(&self, config: &Config) -> Option<Status> {
        Some(self.ratings.results.first()?.sprt(config.sprt.as_ref()?))
    }

    /// Whether there are games, and none of them has begun: they say nothing about strength.
    pub(crate) fn is_unstarted(&self) -> bool {
        self.finished > 0 && self.results().all(|(_, game)| game.unstarted)
    }

    /// The number of the next attempt at a game, from 1; `None` if it is finished.
    pub(crate) fn next_attempt(&self, game: u64) -> Option<u32> {
        let spent = self.games.get(&game).map_or(0, |game| game.spent);
        self.result(game).is_none().then_some(spent + 1)
    }

    /// Half points of p1 and p2; zero for a game that does not count.
    pub(crate) fn half_points(&self, game: u64) -> [u32; 2] {
        self.result(game).and_then(|game| game.outcome.half_points()).unwrap_or_default()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::events::Reason;

    /// The end of a game, after a crash if a side is guilty.
    pub(crate) fn end(game: u64, result: Outcome, guilty: Option<u8>) -> End {
        let reason = if guilty.is_some() { Reason::Crash } else { Reason::Rules };
        let (rule, unstarted, plies, time_us, time) = (None, false, 9, 0, String::new());
        End { game, result, reason, rule, guilty, unstarted, plies, time_us, time }
    }

    #[test]
    fn a_void_game_is_played_again_and_at_last_given_up() {
        let mut tally = Tally::new(2);
        let void = end(1, Outcome::Void, Some(1));
        for next in [Some(2), Some(3), None] {
            tally.close([0, 1], &void);
            assert_eq!(tally.next_attempt(1), next);
        }
        assert_eq!((tally.half_points(1), tally.finished()), ([0, 0], 1));
    }
}
