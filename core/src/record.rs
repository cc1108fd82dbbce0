//! A game as it was played: its positions since it was set up, and what their history forbids or ends.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use super::notation::{Illegal, Notation, Reason};
use super::{EndReason, Game, Key, Outcome, Position, Repetition};

/// A game with its history. It is never empty: the first position is the one that was set up.
///
/// ```
/// use leap_core::Game;
/// use leap_core::record::Record;
/// use leap_games::tactica::Tactica;
///
/// let game = Tactica::default();
/// let mut record = Record::new(game.clone(), game.start());
/// for text in ["a1a2", "a8a7", "a2a1", "a7a8"] {
///     record.push(record.resolve(text).unwrap());
/// }
/// assert_eq!(record.occurrences(&game.start()), 2);
///
/// assert!(record.undo(1));
/// assert_eq!(record.moves().len(), 3);
/// assert_eq!(record.outcome(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    game: G,
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    /// Where in `positions` each key occurs. This keeps long games quick to set up.
    places: HashMap<Key, Vec<usize>>,
}

impl<G: Game> Record<G> {
    /// A game that begins at a position.
    #[must_use]
    pub fn new(game: G, position: G::Position) -> Self {
        let places = HashMap::from([(position.key(), vec![0])]);
        Self { game, positions: vec![position], moves: Vec::new(), places }
    }

    /// The rules in force.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The current position.
    #[must_use]
    pub fn current(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions, from the one that was set up to the current one.
    #[must_use]
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The moves made since the position that was set up: one fewer than the positions.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: G::Move) {
        let position = self.game.after(self.current(), mv);
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
    pub fn occurrences(&self, position: &G::Position) -> usize {
        let places = self.places.get(&position.key()).map_or(&[][..], Vec::as_slice);
        places.iter().filter(|place| self.positions[**place].repeats(position)).count()
    }

    /// Whether the game's history forbids a position.
    #[must_use]
    pub fn banned(&self, position: &G::Position) -> bool {
        match self.game.repetition() {
            Repetition::Forbids(limit) => self.occurrences(position) + 1 >= limit as usize,
            Repetition::Ignored | Repetition::Ends(_) => false,
        }
    }

    /// The outcome, if the game is over: first by no legal move, then by limits, then by repetition (SPEC 10.7).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.current();
        if self.visit(|_| ControlFlow::Break(())).is_continue() {
            return Some(self.game.no_moves(position));
        }
        self.game.limit_outcome(position).or_else(|| self.repetition_outcome(position, 0))
    }

    /// The outcome, if a move to a position ends the game. Moves that the history forbids do not count there.
    #[must_use]
    pub fn outcome_after(&self, position: &G::Position) -> Option<Outcome> {
        self.game.outcome(position).or_else(|| self.repetition_outcome(position, 1))
    }

    /// The outcome by repetition, if a position has occurred often enough, `more` times beside those of the game so far.
    fn repetition_outcome(&self, position: &G::Position, more: usize) -> Option<Outcome> {
        let Repetition::Ends(limit) = self.game.repetition() else { return None };
        (self.occurrences(position) + more >= limit as usize)
            .then(|| Outcome { result: self.game.count(position), reason: EndReason::Repetition })
    }

    /// Visits the legal moves in listing order, until `visit` breaks. There are none if the game is over.
    pub fn visit_legal(&self, visit: impl FnMut(G::Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        self.visit(visit)
    }

    /// The legal moves in listing order, none if the game is over. In Froglet they may be too many to count.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        let _ = self.visit_legal(|mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }

    /// Visits the moves that history does not forbid, even if a limit has ended the game.
    fn visit(&self, mut visit: impl FnMut(G::Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let position = self.current();
        let forbids = matches!(self.game.repetition(), Repetition::Forbids(_));
        self.game.visit_moves(position, |mv| {
            if forbids {
                let child = self.game.after(position, mv);
                if self.banned(&child) {
                    return ControlFlow::Continue(());
                }
            }
            visit(mv)
        })
    }
}

impl<G: Notation> Record<G> {
    /// The legal move that a text means.
    ///
    /// # Errors
    /// Why the text means no legal move, and where.
    pub fn resolve(&self, text: &str) -> Result<G::Move, Illegal> {
        if self.outcome().is_some() {
            return Err(Illegal::nowhere(Reason::GameOver));
        }
        self.game.resolve(self.current(), &|position| self.banned(position), text)
    }
}
