//! The games of a match by number: which ones are in progress, have ended, or are due (again).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{End, Outcome, Reason};
use crate::plan::MOST_ATTEMPTS;

/// A game that has ended for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The players of p1 and p2.
    pub players: [usize; 2],
    /// `Void` if all attempts ended void.
    pub(crate) outcome: Outcome,
    pub(crate) reason: Reason,
    /// The guilty side, 1 or 2.
    pub(crate) guilty: Option<u8>,
    /// The game has not begun.
    pub(crate) unstarted: bool,
    pub(crate) plies: u64,
}

impl Finished {
    /// Creates a finished game of these players from its end.
    pub fn new(players: [usize; 2], end: &End) -> Self {
        let &End { result: outcome, reason, guilty, unstarted, plies, .. } = end;
        Self { players, outcome, reason, guilty, unstarted, plies }
    }
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

/// The games of which anything is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Games(BTreeMap<u64, Game>);

impl Games {
    /// The game with this number. It is due if nothing is known of it.
    pub(crate) fn game(&mut self, number: u64, players: [usize; 2]) -> &mut Game {
        self.0.entry(number).or_insert(Game { players, spent: 0, state: State::Due })
    }

    /// The game with this number, if anything is known of it.
    pub(crate) fn known(&mut self, number: u64) -> Option<&mut Game> {
        self.0.get_mut(&number)
    }

    /// Adds the end of an attempt at a game. Returns the game if it has ended for good.
    pub(crate) fn close(&mut self, players: [usize; 2], end: &End) -> Option<Finished> {
        let game = self.game(end.game, players);
        game.spent += 1;
        let is_void = end.result == Outcome::Void && game.spent < MOST_ATTEMPTS;
        let finished = (!is_void).then(|| Finished::new(players, end));
        game.state = finished.map_or(State::Due, State::Ended);
        finished
    }

    /// Games in flight are as if they had never started. Returns their numbers.
    pub(crate) fn drop_open(&mut self) -> Vec<u64> {
        let open = self.0.iter_mut().filter(|(_, game)| game.is_open());
        let dropped = open.map(|(number, game)| {
            game.state = State::Due;
            *number
        });
        dropped.collect()
    }

    /// A game that has started and not ended.
    pub(crate) fn in_flight(&self) -> Option<u64> {
        self.0.iter().find(|(_, game)| game.is_open()).map(|(number, _)| *number)
    }

    /// A game that has ended for good.
    pub(crate) fn result(&self, game: u64) -> Option<&Finished> {
        self.0.get(&game)?.finished()
    }

    /// The games that have ended for good, by number.
    pub(crate) fn results(&self) -> impl DoubleEndedIterator<Item = (u64, &Finished)> + '_ {
        self.0.iter().filter_map(|(number, game)| Some((*number, game.finished()?)))
    }

    /// The games that were tried, and have not ended for good.
    pub(crate) fn tried(&self) -> impl Iterator<Item = u64> + '_ {
        let is_tried = |game: &Game| game.spent > 0 && game.finished().is_none();
        self.0.iter().filter(move |(_, game)| is_tried(game)).map(|(number, _)| *number)
    }

    /// The number of the next attempt at a game, from 1; `None` if it is finished.
    pub(crate) fn next_attempt(&self, game: u64) -> Option<u32> {
        let spent = self.0.get(&game).map_or(0, |game| game.spent);
        self.result(game).is_none().then_some(spent + 1)
    }

    /// Half points of p1 and p2; zero for a game that does not count.
    pub(crate) fn half_points(&self, game: u64) -> [u32; 2] {
        self.result(game).and_then(|game| game.outcome.half_points()).unwrap_or_default()
    }
}
