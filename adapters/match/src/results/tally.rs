//! The games of a match with their results.

use std::ops::Deref;

use crate::events::End;
use crate::events::games::{Finished, Games, State};
use crate::plan::config::Config;
use crate::results::ratings::Ratings;
use crate::stats::sprt::Status;

/// The games of a match with their results, which are kept: a long match asks after every game.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    games: Games,
    finished: u64,
    ratings: Ratings,
}

impl Deref for Tally {
    type Target = Games;

    fn deref(&self) -> &Games {
        &self.games
    }
}

impl Tally {
    /// No games yet, between this many engines.
    pub(crate) fn new(engines: usize) -> Self {
        Self { games: Games::default(), finished: 0, ratings: Ratings::new(engines) }
    }

    /// These games, between this many engines.
    pub(crate) fn of(games: Games, engines: usize) -> Self {
        let mut tally = Self { games: games.clone(), ..Self::new(engines) };
        games.results().for_each(|(number, game)| tally.count(number, game));
        tally
    }

    /// Adds the end of an attempt at a game.
    pub(crate) fn close(&mut self, players: [usize; 2], end: &End) {
        if let Some(finished) = self.games.close(players, end) {
            self.count(end.game, &finished);
        }
    }

    /// Adds a game that has ended for good. `false` if its end is known: then nothing changes.
    pub(crate) fn finish(&mut self, number: u64, finished: Finished) -> bool {
        let is_new = self.result(number).is_none();
        if is_new {
            self.games.game(number, finished.players).state = State::Ended(finished);
            self.count(number, &finished);
        }
        is_new
    }

    fn count(&mut self, number: u64, finished: &Finished) {
        self.finished += 1;
        self.ratings.note(number.div_ceil(2), finished);
    }

    /// How many games have ended for good.
    pub(crate) fn finished(&self) -> u64 {
        self.finished
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
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::events::{Outcome, Reason};

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
