//! The pages that explain the game: a clause of the rules, with a position on the board.

use std::collections::BTreeMap;

use leap_client::ClientError;
use leap_client::notation::Placement;
use leap_protocol::payload::{Clause, Effect, Example, Guide};

use super::App;
use crate::action::Action;
use crate::scene::{Lesson, Mark};

/// The pages, and the one that is open.
#[derive(Debug)]
pub(super) struct Lessons {
    pages: Vec<Lesson>,
    at: usize,
}

impl Lessons {
    pub(super) fn page(&self) -> &Lesson {
        &self.pages[self.at]
    }
}

impl App {
    /// Opens the first page, in a language if one is given.
    pub(super) fn explain_game(&mut self, language: Option<&str>) -> Result<(), ClientError> {
        if self.game.is_thinking() {
            return self.say("the rules are shown when the engine has moved");
        }
        let rules = self.game.ask_rules(language)?;
        let pages = pages(&rules, self.game.placement());
        if pages.is_empty() {
            return self.say("this engine does not explain its game");
        }
        self.lessons = Some(Lessons { pages, at: 0 });
        Ok(())
    }

    /// Turns the pages or closes them.
    pub(super) fn turn_page(&mut self, action: &Action) {
        let Some(Lessons { pages, at }) = &mut self.lessons else { return };
        match action {
            Action::Step(-1, _) | Action::Step(_, 1) | Action::Tab(false) | Action::Erase => {
                *at = at.saturating_sub(1);
            }
            Action::Step(..) | Action::Tab(true) | Action::Enter | Action::Type(' ') => {
                *at = (*at + 1).min(pages.len() - 1);
            }
            _ => self.lessons = None,
        }
    }
}

/// A page for each example, and for each clause without one, which shows the board as it is.
fn pages(rules: &Guide, now: &Placement) -> Vec<Lesson> {
    let mut pages = Vec::new();
    for clause in &rules.clauses {
        let examples = clause.examples.iter().filter_map(|example| shown(rules, clause, example));
        let count = pages.len();
        pages.extend(examples);
        if pages.len() == count {
            pages.push(lesson(rules, clause, now.clone()));
        }
    }
    let count = pages.len();
    for (page, number) in pages.iter_mut().zip(1..) {
        page.number = [number, count];
    }
    pages
}

fn lesson(rules: &Guide, clause: &Clause, placement: Placement) -> Lesson {
    Lesson {
        title: rules.title.clone(),
        heading: clause.heading.clone(),
        text: clause.text.clone(),
        caption: String::new(),
        number: [0; 2],
        placement,
        marks: BTreeMap::new(),
    }
}

/// A clause with an example; `None` if the text of its position cannot be read.
fn shown(rules: &Guide, clause: &Clause, example: &Example) -> Option<Lesson> {
    let placement = Placement::parse(example.fen.split(' ').next()?)?;
    let effects = example.mv.iter().flat_map(|(_, effects)| &effects.0);
    let mv = example.mv.as_ref().map(|(mv, _)| format!("{mv}: ")).unwrap_or_default();
    Some(Lesson {
        caption: format!("{mv}{}", example.caption),
        marks: marks(effects),
        ..lesson(rules, clause, placement)
    })
}

/// Where the piece starts, where it goes, what it captures, and what is put down.
fn marks<'a>(effects: impl IntoIterator<Item = &'a Effect>) -> BTreeMap<String, Mark> {
    let mut marks = BTreeMap::new();
    for effect in effects {
        let (square, mark) = match effect {
            Effect::From(square) => (square, Mark::Here),
            Effect::To(square) => (square, Mark::Land),
            Effect::Dropped(square, _) => (square, Mark::Drop),
            Effect::Captured(square) | Effect::Changed(_, square, _) | Effect::Removed(square) => {
                (square, Mark::Victim)
            }
            _ => continue,
        };
        // A square that the piece has come to keeps its mark when the piece goes on or leaves the board there.
        let has_come = matches!(effect, Effect::From(_) | Effect::Removed(_));
        if !has_come || !marks.contains_key(square) {
            marks.insert(square.clone(), mark);
        }
    }
    marks
}
