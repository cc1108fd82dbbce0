//! Building the scene from the state.

use std::collections::BTreeMap;

use leap_protocol::payload::{Player, Tally};

use super::App;
use super::lessons::Lessons;
use crate::play::scene::{Mark, Scene};

impl App {
    /// The current scene.
    pub(in crate::play) fn scene(&self, has_colour: bool) -> Scene<'_> {
        let lesson = self.lessons.as_ref().map(Lessons::page);
        Scene {
            board: self.game.board(),
            placement: lesson.map_or_else(|| self.turn.placement(), |lesson| &lesson.placement),
            bottom: if lesson.is_some() { Player::P1 } else { self.bottom },
            cursor: if lesson.is_some() { "" } else { &self.cursor },
            marks: lesson.map_or_else(|| self.marks(), |lesson| lesson.marks.clone()),
            facts: self.facts(),
            thought: self.thought.clone(),
            moves: self.game.moves(),
            entered: self.turn.text(),
            input: &self.input,
            message: &self.message,
            shows_help: self.shows_help,
            lesson,
            has_colour,
        }
    }

    /// Marks by square; where there are several, the last one inserted wins.
    fn marks(&self) -> BTreeMap<String, Mark> {
        let mut marks = BTreeMap::new();
        let mut put = |squares: Vec<String>, mark| {
            marks.extend(squares.into_iter().map(|square| (square, mark)));
        };
        put(self.trace.clone(), Mark::Trace);
        if self.turn.is_begun() {
            put(self.turn.targets().map(str::to_owned).collect(), Mark::Target);
            put(self.turn.here().map(str::to_owned).into_iter().collect(), Mark::Here);
        }
        put(self.victims.clone(), Mark::Victim);
        marks
    }

    fn facts(&self) -> Vec<String> {
        let status = self.game.status();
        let player = |player| {
            let name = if self.people.is(player) { "you" } else { self.game.engine() };
            format!("{}: {name}", self.game.board().colour(player))
        };
        let state = match self.game.is_thinking() {
            true => format!("{} …", self.game.outcome()),
            false => self.game.outcome(),
        };
        let mut facts =
            vec![self.game.id().to_owned(), player(Player::P1), player(Player::P2), state];
        let name = |name| self.game.rules().word(name);
        facts.extend(status.tallies.iter().map(|(word, tally)| match tally {
            Tally::Each(p1, p2) => format!("{} {p1} : {p2}", name(word)),
            Tally::Total(count) => format!("{} {count}", name(word)),
        }));
        facts
    }
}
