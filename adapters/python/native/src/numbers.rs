//! Actions as numbers, and games as rows of numbers.

use leap_core::notation::{Step, Steps};
use leap_core::{GameResult, Geometry, Outcome, Side};
use rustc_hash::FxHashMap;

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

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }
}

/// 1 or -1 if player 1 has won or lost, and otherwise 0.
pub(crate) fn result(outcome: Option<Outcome>) -> i32 {
    match outcome.map(|outcome| outcome.result) {
        Some(GameResult::Win(Side::One)) => 1,
        Some(GameResult::Win(Side::Two)) => -1,
        Some(GameResult::Draw) | None => 0,
    }
}

/// Several games as numbers: a row for each, one after the other.
#[derive(Default)]
pub(crate) struct Rows {
    /// 1 for each legal action.
    pub(crate) masks: Vec<u8>,
    /// The number of the piece on each square, with the entered part of the move made.
    pub(crate) pieces: Vec<u8>,
    /// For each square 1 if the entered part of the move names it, 2 if it is the last of them.
    pub(crate) route: Vec<u8>,
    /// The player to move, whether the game is over, its result, drops, turns, quiet, repetitions and ply, then the
    /// pairs of `query status`. In the bytes of the machine, four for a number.
    pub(crate) numbers: Vec<u8>,
}

impl Rows {
    /// Adds so many zeros, and returns them.
    pub(crate) fn added(bytes: &mut Vec<u8>, count: usize) -> &mut [u8] {
        let first = bytes.len();
        bytes.resize(first + count, 0);
        &mut bytes[first..]
    }

    pub(crate) fn add_number(&mut self, number: i32) {
        self.numbers.extend_from_slice(&number.to_ne_bytes());
    }

    pub(crate) fn add_count(&mut self, count: u32) {
        self.add_number(i32::try_from(count).unwrap_or(i32::MAX));
    }

    /// Adds a game.
    ///
    /// # Errors
    /// A legal token has no number.
    pub(crate) fn add(&mut self, play: &dyn AnyPlay, actions: &Actions) -> Result<(), String> {
        let legal = actions.legal(play)?;
        let mask = Self::added(&mut self.masks, actions.len());
        for action in legal {
            mask[action] = 1;
        }
        play.show(self);
        Ok(())
    }
}
