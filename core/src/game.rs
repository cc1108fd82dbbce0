//! A game as it was played: its positions since it was set up, and what their history forbids or ends.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use super::notation::{IllegalMove, Notation, PartialMove, Reason, Steps};
use super::{EndReason, Key, Outcome, PlayError, Position, Repetition, Rules, RulesExt};

/// A game with its history. It is never empty: the first position is the one that was set up.
///
/// ```
/// use leap_core::Game;
/// use leap_games::tactica::Tactica;
///
/// let mut game = Game::start(Tactica::default());
/// for text in ["a1a2", "a8a7", "a2a1", "a7a8"] {
///     game.push(game.parse_move(text).unwrap());
/// }
/// assert_eq!(game.occurrences(&game.positions()[0]), 2);
///
/// assert!(game.undo(1));
/// assert_eq!(game.moves().len(), 3);
/// assert_eq!(game.outcome(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Game<R: Rules> {
    rules: R,
    positions: Vec<R::Position>,
    moves: Vec<R::Move>,
    /// Where in `positions` each key occurs. This keeps long games quick to set up.
    places: HashMap<Key, Vec<usize>>,
}

impl<R: Rules> Game<R> {
    /// A game that begins at a position.
    #[must_use]
    pub fn new(rules: R, position: R::Position) -> Self {
        let places = HashMap::from([(position.key(), vec![0])]);
        Self { rules, positions: vec![position], moves: Vec::new(), places }
    }

    /// A game that begins at the start position of its rules.
    #[must_use]
    pub fn start(rules: R) -> Self {
        let start = rules.start();
        Self::new(rules, start)
    }

    /// The rules in force.
    #[must_use]
    pub const fn rules(&self) -> &R {
        &self.rules
    }

    /// The current position.
    #[must_use]
    pub fn current(&self) -> &R::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions, from the one that was set up to the current one.
    #[must_use]
    pub fn positions(&self) -> &[R::Position] {
        &self.positions
    }

    /// The moves made since the position that was set up: one fewer than the positions.
    #[must_use]
    pub fn moves(&self) -> &[R::Move] {
        &self.moves
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The move is not legal. The game is then unchanged.
    pub fn play(&mut self, mv: R::Move) -> Result<(), PlayError<R::Move>> {
        let is_it =
            |legal| if legal == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        if self.visit_legal(is_it).is_continue() {
            return Err(PlayError(mv));
        }
        self.push(mv);
        Ok(())
    }

    /// Makes a move, which must be legal. [`Game::play`] checks it.
    pub fn push(&mut self, mv: R::Move) {
        let position = self.rules.after(self.current(), mv);
        self.places.entry(position.key()).or_default().push(self.positions.len());
        self.positions.push(position);
        self.moves.push(mv);
    }

    /// Takes back the last `count` moves. If there are fewer, it changes nothing and returns `false`.
    pub fn undo(&mut self, count: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(count) else { return false };
        self.moves.truncate(left);
        for position in self.positions.drain(left + 1..).rev() {
            if let Entry::Occupied(mut places) = self.places.entry(position.key()) {
                places.get_mut().pop();
                if places.get().is_empty() {
                    places.remove();
                }
            }
        }
        true
    }

    /// How often a position has occurred in the game so far.
    #[must_use]
    pub fn occurrences(&self, position: &R::Position) -> usize {
        let places = self.places.get(&position.key()).map_or(&[][..], Vec::as_slice);
        places.iter().filter(|place| self.positions[**place].repeats(position)).count()
    }

    /// Whether the game's history forbids a position.
    #[must_use]
    pub fn banned(&self, position: &R::Position) -> bool {
        match self.rules.repetition() {
            Repetition::Forbids(limit) => self.occurrences(position) + 1 >= limit as usize,
            Repetition::Ignored | Repetition::Ends(_) => false,
        }
    }

    /// The outcome, if the game is over: first by no legal move, then by limits, then by repetition (SPEC 10.7).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.current();
        if self.visit(|_| ControlFlow::Break(())).is_continue() {
            return Some(self.rules.no_moves(position));
        }
        self.rules.limit_outcome(position).or_else(|| self.repetition_outcome(position, 0))
    }

    /// The outcome, if a move to a position ends the game.
    ///
    /// In games whose history forbids moves, the position counts as over only without any move at all.
    #[must_use]
    pub fn outcome_after(&self, position: &R::Position) -> Option<Outcome> {
        self.rules.outcome(position).or_else(|| self.repetition_outcome(position, 1))
    }

    /// The outcome by repetition, if a position has occurred often enough, `more` times beside those of the game so far.
    fn repetition_outcome(&self, position: &R::Position, more: usize) -> Option<Outcome> {
        let Repetition::Ends(limit) = self.rules.repetition() else { return None };
        (self.occurrences(position) + more >= limit as usize)
            .then(|| Outcome { result: self.rules.count(position), reason: EndReason::Repetition })
    }

    /// Visits the legal moves in listing order, until `visit` breaks. There are none if the game is over.
    pub fn visit_legal(&self, visit: impl FnMut(R::Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        self.visit(visit)
    }

    /// The legal moves in listing order, none if the game is over. In Froglet they may be too many to count.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<R::Move> {
        self.first_moves(usize::MAX)
    }

    /// The first `limit` legal moves in listing order.
    #[must_use]
    pub fn first_moves(&self, limit: usize) -> Vec<R::Move> {
        let mut moves = Vec::new();
        if limit > 0 {
            let _ = self.visit_legal(|mv| {
                moves.push(mv);
                if moves.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        moves
    }

    /// Visits the moves that history does not forbid, even if a limit has ended the game.
    fn visit(&self, mut visit: impl FnMut(R::Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let position = self.current();
        let forbids = matches!(self.rules.repetition(), Repetition::Forbids(_));
        self.rules.visit_moves(position, |mv| {
            if forbids {
                let child = self.rules.after(position, mv);
                if self.banned(&child) {
                    return ControlFlow::Continue(());
                }
            }
            visit(mv)
        })
    }
}

impl<R: Notation> Game<R> {
    /// Begins to enter a move, step by step.
    ///
    /// # Errors
    /// The game is over.
    pub fn partial_move(&self) -> Result<R::PartialMove<'_>, IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::nowhere(Reason::GameOver));
        }
        Ok(self.rules.partial_move(self.current(), Some(self)))
    }

    /// The legal move that a text means. Any route to the move and any order of its drops are accepted.
    ///
    /// # Errors
    /// Why the text means no legal move, and where.
    pub fn parse_move(&self, text: &str) -> Result<R::Move, IllegalMove> {
        self.partial_move()?.complete(&Steps::parse(R::GEOMETRY, text)?)
    }
}
