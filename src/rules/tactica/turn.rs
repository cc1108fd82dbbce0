//! A move of Táctica "S" as it is entered: origin, then destination, with the reasons why not.

use super::slides::{DIAGONAL, Direction, ORTHOGONAL};
use super::{Tactica, TacticaMove, TacticaPosition};
use crate::rules::bits::Squares;
use crate::rules::notation::{Banned, Effect, Glyph, Illegal, Next, Reason, Step, Turn};
use crate::rules::{Game, Square};

/// A partly entered move.
#[derive(Clone)]
pub struct TacticaTurn<'a> {
    game: &'a Tactica,
    position: &'a TacticaPosition,
    /// Whether the game's history forbids a move to bring about a position (SPEC 15.16).
    banned: Banned<'a, TacticaPosition>,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    Nothing,
    Lifted(Square),
    Slid(TacticaMove),
}

impl<'a> TacticaTurn<'a> {
    pub(super) fn new(
        game: &'a Tactica,
        position: &'a TacticaPosition,
        banned: Banned<'a, TacticaPosition>,
    ) -> Self {
        TacticaTurn { game, position, banned, progress: Progress::Nothing }
    }

    fn is_banned(&self, mv: TacticaMove) -> bool {
        let mut child = *self.position;
        self.game.play(&mut child, mv);
        (self.banned)(&child)
    }

    /// Where the piece on `from` may go, ascending.
    fn legal_destinations(&self, from: Square) -> impl Iterator<Item = Square> {
        let destinations = Squares(self.position.destinations(from));
        destinations.filter(move |to| !self.is_banned(TacticaMove { from, to: *to }))
    }

    /// An origin whose destinations are all banned is accepted, though [`Turn::next`] leaves it out: what is wrong
    /// with such a move is wrong with its end (SPEC 6.9).
    fn lift(&self, from: Square) -> Result<Progress, Illegal> {
        let position = self.position;
        let is_in = |set: u64| set & from.bit() != 0;
        let reason = if is_in(position.empty()) {
            Reason::EmptySquare
        } else if is_in(position.enemy()) {
            Reason::NotYourPiece
        } else if is_in(position.flipped) {
            Reason::FlippedPiece
        } else if position.destinations(from) == 0 {
            Reason::Blocked
        } else {
            return Ok(Progress::Lifted(from));
        };
        Err(Illegal::at(reason, from))
    }

    fn slide(&self, from: Square, to: Square) -> Result<Progress, Illegal> {
        if self.position.destinations(from) & to.bit() == 0 {
            return Err(self.obstacle(from, to));
        }
        let mv = TacticaMove { from, to };
        if self.is_banned(mv) {
            return Err(Illegal::at(Reason::Repetition, to));
        }
        Ok(Progress::Slid(mv))
    }

    /// Why the piece on `from` does not reach `to`.
    fn obstacle(&self, from: Square, to: Square) -> Illegal {
        let Some(direction) = self.direction(from, to) else {
            return Illegal::at(Reason::NoSuchLine, to);
        };
        let mut at = direction.step(from.bit());
        while at & self.position.empty() != 0 {
            at = direction.step(at);
        }
        if at == to.bit() {
            return Illegal::at(Reason::LandingOccupied, to);
        }
        Illegal { reason: Reason::Blocked, at: Squares(at).next() }
    }

    /// The direction in which the piece on `from` would reach `to` on an empty board.
    fn direction(&self, from: Square, to: Square) -> Option<Direction> {
        let directions =
            [(self.position.orthogonal(), ORTHOGONAL), (self.position.diagonal(), DIAGONAL)];
        directions
            .into_iter()
            .filter(|(sliders, _)| sliders & from.bit() != 0)
            .flat_map(|(_, directions)| directions)
            .find(|direction| direction.slide(from.bit(), !from.bit()) & to.bit() != 0)
    }

    fn advance(&self, step: Step) -> Result<Progress, Illegal> {
        let square = match step {
            Step::To(square) => square,
            Step::Remove(square) => return Err(Illegal::at(Reason::NoRemoval, square)),
            Step::Drop(square) => return Err(Illegal::at(Reason::DropNotAllowed, square)),
        };
        match self.progress {
            Progress::Nothing => self.lift(square),
            Progress::Lifted(from) => self.slide(from, square),
            Progress::Slid(_) => Err(Illegal::at(Reason::TurnEnded, square)),
        }
    }
}

impl Turn for TacticaTurn<'_> {
    type Move = TacticaMove;

    fn next(&self) -> Next {
        let squares: Vec<Square> = match self.progress {
            Progress::Nothing => {
                let movers = Squares(self.position.movers(self.position.counters.side));
                movers.filter(|from| self.legal_destinations(*from).next().is_some()).collect()
            }
            Progress::Lifted(from) => self.legal_destinations(from).collect(),
            Progress::Slid(_) => Vec::new(),
        };
        Next {
            steps: squares.into_iter().map(Step::To).collect(),
            may_end: matches!(self.progress, Progress::Slid(_)),
        }
    }

    fn take(&mut self, step: Step, effects: &mut Vec<Effect>) -> Result<(), Illegal> {
        self.progress = self.advance(step)?;
        if let Progress::Slid(mv) = self.progress {
            effects.push(Effect::Moved { from: mv.from, to: mv.to });
            for square in Squares(self.game.flips(self.position, mv)) {
                let Glyph { letter, flipped } = self.position.glyph(square);
                effects.push(Effect::Flipped(square, Glyph { letter, flipped: !flipped }));
            }
        }
        Ok(())
    }

    fn finish(&self, _: &mut Vec<Effect>) -> Result<TacticaMove, Illegal> {
        match self.progress {
            Progress::Slid(mv) => Ok(mv),
            Progress::Nothing | Progress::Lifted(_) => Err(Illegal::nowhere(Reason::Incomplete)),
        }
    }
}
