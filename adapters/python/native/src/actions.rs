//! Actions: the tokens of moves as numbers.

use leap_core::Geometry;
use leap_core::notation::{Step, Steps};
use rustc_hash::FxHashMap;

use crate::numbers::Rows;
use crate::play::AnyPlay;

/// The text of the action that ends a move.
pub(crate) const END: &str = "end";

/// The tokens of moves, numbered from 0.
pub(crate) struct Actions {
    tokens: Vec<String>,
    /// The step of each token. `end` is none.
    steps: Vec<Option<Step>>,
    numbers: FxHashMap<Option<Step>, usize>,
}

impl Actions {
    /// Numbers the tokens in this order.
    ///
    /// # Errors
    /// A text is no token of a move on this board.
    pub(crate) fn new(board: Geometry, tokens: Vec<String>) -> Result<Self, String> {
        let step = |token: &String| match Steps::parse(board, token) {
            _ if token == END => Ok(None),
            Ok(Steps(steps)) if steps.len() == 1 => Ok(Some(steps[0])),
            _ => Err(format!("expected a token of a move, found {token:?}")),
        };
        let steps = tokens.iter().map(step).collect::<Result<Vec<_>, _>>()?;
        let numbers = steps.iter().enumerate().map(|(number, step)| (*step, number)).collect();
        Ok(Self { tokens, steps, numbers })
    }

    /// The legal actions of a game.
    ///
    /// # Errors
    /// A token has no number.
    pub(crate) fn legal(&self, play: &dyn AnyPlay) -> Result<Vec<usize>, String> {
        let next = play.next();
        let steps = next.steps.iter().map(|step| Some(*step));
        let number = |step| {
            let known = self.numbers.get(&step).copied();
            known.ok_or_else(|| format!("expected a number for each of {:?}", play.tokens()))
        };
        steps.chain(next.may_end.then_some(None)).map(number).collect()
    }

    /// The step of a legal action.
    ///
    /// # Errors
    /// The action is not legal in the game with this index.
    pub(crate) fn step(
        &self,
        play: &dyn AnyPlay,
        action: i64,
        index: usize,
    ) -> Result<Option<Step>, String> {
        let number = usize::try_from(action).ok().filter(|number| *number < self.steps.len());
        let step = number.map(|number| self.steps[number]);
        let next = play.next();
        let is_legal = |step: &Option<Step>| match step {
            Some(step) => next.steps.contains(step),
            None => next.may_end,
        };
        step.filter(is_legal).ok_or_else(|| {
            let found =
                number.map_or_else(|| action.to_string(), |number| self.tokens[number].clone());
            format!("expected a legal action in game {index}, found {found}")
        })
    }

    /// Adds a game to the rows.
    ///
    /// # Errors
    /// A legal token has no number.
    pub(crate) fn show(&self, play: &dyn AnyPlay, rows: &mut Rows) -> Result<(), String> {
        let legal = self.legal(play)?;
        let mask = Rows::added(&mut rows.masks, self.steps.len());
        for action in legal {
            mask[action] = 1;
        }
        play.show(rows);
        Ok(())
    }
}
