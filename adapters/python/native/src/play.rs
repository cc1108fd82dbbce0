//! Games of any rules behind one trait, stepped by tokens.

use leap_core::notation::{MoveEffect, Next, PartialMove, Step, Steps, Tally};
use leap_core::{Game, Key, Outcome, Position, Side};
use leap_engine::{Entry, bad_position, illegal_move, status};
use leap_protocol::ErrorReply;
use leap_search::Playable;

use crate::numbers::{Rows, result};

/// A game in play, and what has been entered of its next move.
pub(crate) trait AnyPlay: Send + Sync {
    fn copy(&self) -> Box<dyn AnyPlay>;

    /// Goes back to the position in which the game began.
    fn restart(&mut self);

    /// What may follow the entered part of a move.
    fn next(&self) -> &Next;

    /// Enters a step of [`next`](Self::next), or ends the move.
    ///
    /// A step after which the move can only end makes the move.
    fn take(&mut self, step: Option<Step>);

    /// Makes a move. What has been entered is dropped.
    fn play(&mut self, text: &str) -> Result<(), ErrorReply>;

    /// Takes moves back. If there are fewer it changes nothing and returns `false`.
    fn undo(&mut self, count: usize) -> bool;

    /// The texts of the first legal moves.
    fn legal_moves(&self, limit: usize) -> Vec<String>;

    /// The moves as they were entered.
    fn moves(&self) -> Vec<String>;

    fn entered(&self) -> String;

    /// The tokens that [`next`](Self::next) has.
    fn tokens(&self) -> Vec<String>;

    fn side(&self) -> Side;

    fn outcome(&self) -> Option<Outcome>;

    fn fen(&self) -> String;

    fn key(&self) -> Key;

    /// The answer to `query status`.
    fn status(&self) -> String;

    /// Adds the pieces, the route and the numbers of this game.
    fn show(&self, rows: &mut Rows);
}

/// A game by the rules `R`.
#[derive(Clone)]
pub(crate) struct Play<R: Playable> {
    game: Game<R>,
    moves: Vec<Steps>,
    outcome: Option<Outcome>,
    entered: Steps,
    next: Next,
    /// What the entered steps do to the board.
    effects: Vec<MoveEffect>,
    drops: u32,
}

impl<R: Playable> Play<R> {
    /// A game that begins at a position text, or at the start position.
    pub(crate) fn new(rules: R, fen: Option<&str>) -> Result<Self, ErrorReply> {
        let start = match fen {
            None => rules.start(),
            Some(text) => rules.parse_position(text).map_err(|error| bad_position(&error))?,
        };
        Ok(Self::at(rules, start))
    }

    fn at(rules: R, start: R::Position) -> Self {
        let mut play = Self {
            game: Game::new(rules, start),
            moves: Vec::new(),
            outcome: None,
            entered: Steps::default(),
            next: Next::default(),
            effects: Vec::new(),
            drops: 0,
        };
        play.settle();
        play
    }

    /// Begins a move, in the current position of the game.
    fn settle(&mut self) {
        self.outcome = self.game.outcome();
        self.entered = Steps::default();
        self.next = Next::default();
        self.look();
    }

    /// Looks at what the entered steps do, and returns the move if they can only be ended.
    fn look(&mut self) -> Option<R::Move> {
        self.effects.clear();
        self.drops = 0;
        if self.outcome.is_some() {
            return None;
        }
        let turn = self.game.rules().partial_move(self.game.current(), Some(&self.game));
        let entry = Entry::new(turn, &self.entered.0);
        self.next = entry.next();
        if self.next.steps.is_empty() && self.next.may_end {
            return entry.turn.finish().ok();
        }
        self.effects.extend_from_slice(entry.turn.effects());
        self.drops = entry.turn.missing_drops();
        None
    }

    /// The entered steps as a move.
    fn finished(&self) -> Option<R::Move> {
        let turn = self.game.rules().partial_move(self.game.current(), Some(&self.game));
        Entry::new(turn, &self.entered.0).turn.finish().ok()
    }

    fn push(&mut self, mv: R::Move, steps: Steps) {
        self.game.push(mv);
        self.moves.push(steps);
        self.settle();
    }

    /// The number of the piece on each square: 0 for none, else its place in the diagram, counted from 1.
    fn pieces(&self, shown: &mut [u8]) {
        let number = |piece| {
            let place = R::DIAGRAM.pieces.iter().position(|kind| kind.piece == piece);
            place.map_or(0, |place| place as u8 + 1)
        };
        let (rules, position) = (self.game.rules(), self.game.current());
        for (index, shown) in shown.iter_mut().enumerate() {
            *shown = rules.piece(position, leap_core::Square::new(index)).map_or(0, number);
        }
        for effect in &self.effects {
            match *effect {
                MoveEffect::Moved { from, to } => {
                    shown[to.index()] = std::mem::take(&mut shown[from.index()]);
                }
                MoveEffect::Captured(square) | MoveEffect::Removed(square) => {
                    shown[square.index()] = 0;
                }
                MoveEffect::Flipped(square, piece) | MoveEffect::Dropped(square, piece) => {
                    shown[square.index()] = number(piece);
                }
                MoveEffect::Scored(_) => {}
            }
        }
    }
}

impl<R: Playable> AnyPlay for Play<R> {
    fn copy(&self) -> Box<dyn AnyPlay> {
        Box::new(self.clone())
    }

    fn restart(&mut self) {
        *self = Self::at(self.game.rules().clone(), self.game.positions()[0]);
    }

    fn next(&self) -> &Next {
        &self.next
    }

    fn take(&mut self, step: Option<Step>) {
        self.entered.0.extend(step);
        let mv = if step.is_some() { self.look() } else { self.finished() };
        if let Some(mv) = mv {
            let steps = std::mem::take(&mut self.entered);
            self.push(mv, steps);
        }
    }

    fn play(&mut self, text: &str) -> Result<(), ErrorReply> {
        let refuse = |illegal| illegal_move(R::GEOMETRY, 1, text, illegal);
        let mv = self.game.parse_move(text).map_err(refuse)?;
        let steps = Steps::parse(R::GEOMETRY, text).map_err(refuse)?;
        self.push(mv, steps);
        Ok(())
    }

    fn undo(&mut self, count: usize) -> bool {
        let is_undone = self.game.undo(count);
        if is_undone {
            self.moves.truncate(self.game.moves().len());
            self.settle();
        }
        is_undone
    }

    fn legal_moves(&self, limit: usize) -> Vec<String> {
        let (rules, position) = (self.game.rules(), self.game.current());
        let moves = self.game.first_moves(limit).into_iter();
        moves.map(|mv| rules.print_move(position, mv)).collect()
    }

    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(|steps| steps.text(R::GEOMETRY)).collect()
    }

    fn entered(&self) -> String {
        self.entered.text(R::GEOMETRY)
    }

    fn tokens(&self) -> Vec<String> {
        self.next.steps.iter().map(|step| step.text(R::GEOMETRY)).collect()
    }

    fn side(&self) -> Side {
        self.game.current().side()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn fen(&self) -> String {
        self.game.rules().print_position(self.game.current())
    }

    fn key(&self) -> Key {
        self.game.current().key()
    }

    fn status(&self) -> String {
        status(&self.game).to_string()
    }

    fn show(&self, rows: &mut Rows) {
        let (rules, position) = (self.game.rules(), self.game.current());
        let squares = R::GEOMETRY.squares();
        self.pieces(Rows::added(&mut rows.pieces, squares));
        let route = Rows::added(&mut rows.route, squares);
        let mut entered = self.entered.0.iter().filter_map(|step| step.square()).peekable();
        while let Some(square) = entered.next() {
            route[square.index()] = if entered.peek().is_some() { 1 } else { 2 };
        }
        let counters = position.counters();
        rows.add_number(i32::from(counters.side == Side::Two));
        rows.add_number(i32::from(self.outcome.is_some()));
        rows.add_number(result(self.outcome));
        rows.add_count(self.drops);
        rows.add_count(rules.extra(position).parse().unwrap_or(0));
        rows.add_count(counters.quiet);
        rows.add_count(self.game.occurrences(position) as u32);
        rows.add_count(counters.ply);
        for (_, tally) in rules.tally(position) {
            let [own, other] = match tally {
                Tally::Each(counts) => [counts[Side::One], counts[Side::Two]],
                Tally::Board(count) => [count; 2],
            };
            rows.add_count(own);
            rows.add_count(other);
        }
    }
}
