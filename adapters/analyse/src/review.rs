//! What an examination says of a game: chances, labels, accuracies. Everything that is written is made from reviews.

use leap_protocol::payload::Side;
use leap_records::Outcome;

use crate::examine::{Examination, Examined};
use crate::games::Game;
use crate::judgement::{Choice, Label, Yardstick, accuracy};
use crate::store::Conditions;

/// A game with what was found.
pub(crate) struct Review<'a> {
    pub(crate) game: &'a Game,
    pub(crate) examined: &'a Examined,
    /// The moves, each with its mover.
    pub(crate) choices: Vec<(Side, Choice)>,
    pub(crate) yardstick: Yardstick,
}

/// What is said of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SideReview {
    /// From 0 to 100; `None` if no move of the side counts.
    pub(crate) accuracy: Option<f64>,
    /// How many moves have each label, in the order of [`Label::ALL`].
    pub(crate) labels: [usize; 3],
}

impl<'a> Review<'a> {
    pub(crate) fn new(game: &'a Game, examined: &'a Examined, conditions: &Conditions) -> Self {
        let Conditions { engine, effort, .. } = conditions;
        let yardstick = Yardstick::new(engine, game.stored.id.as_deref(), effort.level);
        Self { game, examined, choices: examined.choices(&yardstick).collect(), yardstick }
    }

    pub(crate) fn side(&self, side: Side) -> SideReview {
        let own =
            || self.choices.iter().filter(|(mover, _)| *mover == side).map(|(_, choice)| choice);
        let count = |label| own().filter(|choice| choice.label() == Some(label)).count();
        SideReview { accuracy: accuracy(own(), &self.yardstick), labels: Label::ALL.map(count) }
    }

    /// The result that the record names; without a record, that of the last position.
    pub(crate) fn result(&self) -> Outcome {
        let last = self.examined.positions.last().and_then(|position| position.result);
        match &self.game.stored.record {
            Some(_) => self.game.record().result,
            None => last.unwrap_or(Outcome::Void),
        }
    }

    /// The position before the move with this index.
    pub(crate) fn before(&self, index: usize) -> &Examination {
        &self.examined.positions[index]
    }

    /// The position after the move with this index.
    pub(crate) fn after(&self, index: usize) -> &Examination {
        &self.examined.positions[index + 1]
    }
}
