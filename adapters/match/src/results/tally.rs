//! The games played so far, from the events: which ones count, and which ones have to be played (again).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::events::{End, Event, Outcome, Start};
use crate::plan::MOST_ATTEMPTS;
use crate::results::finished::Finished;
use crate::results::ratings::Ratings;

/// The games of a match by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    started: BTreeMap<u64, ([usize; 2], u32)>,
    /// Attempts that ended void.
    pub(crate) spent: BTreeMap<u64, u32>,
    finished: BTreeMap<u64, Finished>,
    /// The results of the finished games, kept with them: a long match asks after every game.
    ratings: Ratings,
}

impl Tally {
    /// Adds an event. Events must be added in the order of the stream.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Start(start) => self.start(start),
            Event::End(end) => self.end(end),
            // Games that were in flight are as if they had never started.
            Event::Resume(_) => self.started.clear(),
            _ => {}
        }
    }

    fn start(&mut self, start: &Start) {
        self.started.insert(start.game, ([start.p1, start.p2], start.attempt));
    }

    fn end(&mut self, end: &End) {
        if let Some((players, attempt)) = self.started.remove(&end.game) {
            self.close(players, attempt, end);
        }
    }

    /// Adds the end of a game.
    pub(crate) fn close(&mut self, players: [usize; 2], attempt: u32, end: &End) {
        if end.result == Outcome::Void && attempt < MOST_ATTEMPTS {
            self.spent.insert(end.game, attempt);
            return;
        }
        self.finish(end.game, Finished::new(players, end));
    }

    /// Adds a game that has ended for good. `false` if its end is known: then nothing changes.
    pub(crate) fn finish(&mut self, number: u64, game: Finished) -> bool {
        let Entry::Vacant(place) = self.finished.entry(number) else { return false };
        place.insert(game);
        self.ratings.note(number.div_ceil(2), &game);
        true
    }

    /// The games that have ended for good, by number.
    pub(crate) fn finished(&self) -> &BTreeMap<u64, Finished> {
        &self.finished
    }

    /// The results of these games.
    pub(crate) fn ratings(&self) -> &Ratings {
        &self.ratings
    }

    /// Whether there are games, and none of them has begun: they say nothing about strength.
    pub(crate) fn is_unstarted(&self) -> bool {
        !self.finished.is_empty() && self.finished.values().all(|game| game.unstarted)
    }

    /// Games that have started and not ended.
    pub(crate) fn in_flight(&self) -> Vec<u64> {
        self.started.keys().copied().collect()
    }

    /// The number of the next attempt at a game, from 1; `None` if it is finished.
    pub(crate) fn next_attempt(&self, game: u64) -> Option<u32> {
        let spent = self.spent.get(&game).copied().unwrap_or(0);
        (!self.finished.contains_key(&game)).then_some(spent + 1)
    }

    /// Half points of p1 and p2; zero for a game that does not count.
    pub(crate) fn half_points(&self, game: u64) -> [u32; 2] {
        let finished = self.finished.get(&game);
        finished.and_then(|game| game.outcome.half_points()).unwrap_or_default()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::events::{Reason, Resume};

    pub(crate) fn start(game: u64, players: [usize; 2], attempt: u32) -> Event {
        Event::Start(Start {
            game,
            pair: game.div_ceil(2),
            round: 1,
            p1: players[0],
            p2: players[1],
            time: String::new(),
            attempt,
            fen: None,
            moves: Vec::new(),
            scale: None,
        })
    }

    pub(crate) fn end(game: u64, result: Outcome, guilty: Option<u8>) -> Event {
        let reason = if guilty.is_some() { Reason::Crash } else { Reason::Rules };
        Event::End(End {
            game,
            result,
            reason,
            rule: None,
            guilty,
            unstarted: false,
            plies: 9,
            time_us: 0,
            time: String::new(),
        })
    }

    fn tally(events: &[Event]) -> Tally {
        let mut tally = Tally::default();
        events.iter().for_each(|event| tally.note(event));
        tally
    }

    #[test]
    fn a_game_without_an_end_is_to_be_played() {
        let tally = tally(&[start(1, [0, 1], 1), start(2, [1, 0], 1), end(1, Outcome::Draw, None)]);
        assert_eq!(tally.in_flight(), [2]);
        assert_eq!(tally.next_attempt(1), None);
        assert_eq!(tally.next_attempt(2), Some(1));
        assert_eq!(tally.half_points(1), [1, 1]);
    }

    #[test]
    fn a_game_is_dropped_once() {
        let resume = Event::Resume(Resume { time: String::new(), dropped: vec![1], grown: None });
        let tally = tally(&[start(1, [0, 1], 1), resume]);
        assert!(tally.in_flight().is_empty());
        assert_eq!(tally.next_attempt(1), Some(1));
    }

    #[test]
    fn a_game_that_was_begun_again_counts_once() {
        let again = start(1, [0, 1], 1);
        let win = end(1, Outcome::P1Win, None);
        let tally = tally(&[again.clone(), again, win]);
        assert_eq!(tally.finished().len(), 1);
        assert_eq!(tally.half_points(1), [2, 0]);
    }

    #[test]
    fn a_void_game_is_played_again_and_at_last_given_up() {
        let void = end(1, Outcome::Void, Some(1));
        let twice = [start(1, [0, 1], 1), void.clone(), start(1, [0, 1], 2), void.clone()];
        assert_eq!(tally(&twice).next_attempt(1), Some(3));
        let thrice = [&twice[..], &[start(1, [0, 1], 3), void]].concat();
        assert_eq!(tally(&thrice).next_attempt(1), None);
        assert_eq!(tally(&thrice).half_points(1), [0, 0]);
    }
}
