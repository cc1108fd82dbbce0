//! Building the scene from the state.

use std::collections::BTreeMap;

use leap_board::People;
use leap_protocol::payload::{Side, Tally};

use super::lessons::Lessons;
use super::{App, Purpose};
use crate::scene::{Mark, Scene};

impl App {
    /// The current scene.
    pub(crate) fn scene(&self, has_colour: bool) -> Scene<'_> {
        let lesson = self.lessons.as_ref().map(Lessons::page);
        Scene {
            board: self.game.board(),
            placement: lesson.map_or_else(|| self.turn.placement(), |lesson| &lesson.placement),
            bottom: if lesson.is_some() { Side::P1 } else { self.bottom },
            cursor: if lesson.is_some() { "" } else { &self.cursor },
            marks: lesson.map_or_else(|| self.marks(), |lesson| lesson.marks.clone()),
            facts: self.facts(),
            kinds: self.kinds(),
            thought: self.thought.clone(),
            moves: self.game.moves(),
            entered: self.turn.text(),
            input: &self.input,
            notice: &self.notice,
            prompt: self.prompt(),
            shows_help: self.shows_help,
            values: self.values.as_ref(),
            lesson,
            has_colour,
        }
    }

    /// Whether a person is to enter a turn.
    fn is_awaited(&self) -> bool {
        let status = self.game.status();
        self.people.is(status.turn) && !status.over
    }

    /// What is awaited, or how the game has ended.
    fn prompt(&self) -> String {
        if let Some(question) = self.question {
            return self.question_text(question);
        }
        let status = self.game.status();
        if status.over {
            return format!("{}; 'new' begins another game", self.game.outcome(self.people));
        }
        if self.game.is_thinking() && self.purpose == Purpose::Hint {
            return "looking for a hint; Esc stops it".to_owned();
        }
        let who = self.game.player(status.turn, self.people);
        let again = match self.game.moves_again() {
            true if who == "you" => Some("you move again".to_owned()),
            true => Some(format!("{who} moves again")),
            false => None,
        };
        if self.is_awaited() {
            let who = again.or_else(|| (self.people == People::Both).then(|| who.to_owned()));
            let who = who.map(|who| format!("{who}: ")).unwrap_or_default();
            let awaited = self.game.awaited(&self.turn, "Enter on the piece");
            let is_start = self.game.moves().is_empty() && !self.turn.is_begun();
            let more = if is_start && !self.game.rules().clauses.is_empty() {
                "; 'rules' explains the game"
            } else {
                ""
            };
            return format!("{who}{awaited}{more}");
        }
        if self.game.is_hopeless() {
            return "the engine is not asked for this move any more; 'both' lets you make it"
                .to_owned();
        }
        let thinks = again.unwrap_or_else(|| format!("{who} is thinking"));
        format!("{thinks}; Enter has it move at once")
    }

    /// Marks by square; where there are several, the last one inserted wins.
    fn marks(&self) -> BTreeMap<String, Mark> {
        let mut marks = BTreeMap::new();
        marks.extend(self.trace.iter().map(|square| (square.clone(), Mark::Trace)));
        if self.is_awaited() {
            let is_begun = self.turn.is_begun();
            // Enter prefers a step to a drop on the same square.
            for token in self.turn.next().iter().rev() {
                let (square, mark) = match token.split_at_checked(1) {
                    Some(("@", square)) => (square, Mark::Drop),
                    Some(("x", square)) => (square, Mark::Remove),
                    _ if is_begun => (token.as_str(), Mark::Land),
                    _ => (token.as_str(), Mark::Origin),
                };
                marks.insert(square.to_owned(), mark);
            }
            if let Some(here) = self.turn.here() {
                let mark = if self.turn.may_end() { Mark::End } else { Mark::Here };
                marks.insert(here.to_owned(), mark);
            }
        }
        marks.extend(self.victims.iter().map(|square| (square.clone(), Mark::Victim)));
        marks
    }

    fn facts(&self) -> Vec<String> {
        let status = self.game.status();
        let player = |player| {
            let name = if self.people.is(player) { "you" } else { self.game.engine() };
            format!("{}: {name}", self.game.board().colour(player))
        };
        let state = match status.over {
            true => "the game is over".to_owned(),
            false => format!("{} is to move", self.game.board().colour(status.turn)),
        };
        let state = if self.game.is_thinking() { format!("{state} …") } else { state };
        let mut facts = vec![self.game.id().to_owned(), player(Side::P1), player(Side::P2)];
        facts.extend(self.game.level().filter(|_| self.people != People::Both));
        facts.push(state);
        let name = |name| self.game.rules().word(name);
        facts.extend(status.tallies.iter().map(|(word, tally)| match tally {
            Tally::Each(p1, p2) => format!("{} {p1} : {p2}", name(word)),
            Tally::Total(count) => format!("{} {count}", name(word)),
        }));
        facts
    }

    /// The counts of the engine that are shown only to those who ask.
    pub(super) fn counts(&self) -> String {
        let status = self.game.status();
        let (ply, quiet, times) = (status.ply, status.quiet, status.repetitions);
        format!(
            "moves made: {ply}; since a capture: {quiet}; times this position has occurred: {times}"
        )
    }

    /// The pieces by name. The name is the colour if a player has only one kind.
    fn kinds(&self) -> Vec<(Vec<String>, String)> {
        let board = self.game.board();
        let mut kinds: Vec<(Vec<String>, String)> = Vec::new();
        let mut pieces: Vec<_> = board.pieces.iter().collect();
        pieces.sort_by_key(|(_, piece)| piece.player().is_none().then_some(piece.value));
        for (text, piece) in pieces {
            let word = self.game.rules().word(&piece.name);
            let name = match piece.player() {
                None => format!("{word}: {}", piece.value),
                Some(player) if board.kinds(player) == 1 => board.colour(player).to_owned(),
                Some(_) => word.to_owned(),
            };
            match kinds.iter_mut().find(|(_, known)| *known == name) {
                Some((texts, _)) => {
                    let owner = |text: &String| &board.pieces[text].owner;
                    if texts.iter().all(|known| owner(known) != owner(text)) {
                        texts.push(text.clone());
                    }
                }
                None => kinds.push((vec![text.clone()], name)),
            }
        }
        if [Side::P1, Side::P2].iter().any(|player| board.kinds(*player) > 1) {
            let (p1, p2) = (board.colour(Side::P1), board.colour(Side::P2));
            kinds.push((vec![], format!("CAPITALS: {p1}, small: {p2}")));
        }
        kinds
    }
}
