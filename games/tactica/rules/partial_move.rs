//! A move of Táctica "S" that is entered as origin, then destination, with the reasons for illegal steps.

use super::flips::Flips;
use super::slides::Direction;
use super::{Tactica, TacticaMove, TacticaPosition};
use leap_core::notation::{IllegalMove, MoveEffect, PartialMove, Piece, Reason, Step};
use leap_core::{Game, RulesExt, Square, SquareSet};

/// A partly entered move.
#[derive(Clone)]
pub struct TacticaPartialMove<'a> {
    rules: &'a Tactica,
    position: &'a TacticaPosition,
    /// The game in play, which may forbid positions (SPEC 15.16).
    history: Option<&'a Game<Tactica>>,
    entered: Entered,
    effects: Vec<MoveEffect>,
}

#[derive(Clone, Copy)]
enum Entered {
    Nothing,
    Lifted(Square),
    Slid(TacticaMove),
}

impl<'a> TacticaPartialMove<'a> {
    pub(super) fn new(
        rules: &'a Tactica,
        position: &'a TacticaPosition,
        history: Option<&'a Game<Tactica>>,
    ) -> Self {
        Self { rules, position, history, entered: Entered::Nothing, effects: Vec::new() }
    }

    fn is_banned(&self, mv: TacticaMove) -> bool {
        self.history.is_some_and(|game| game.banned(&self.rules.after(self.position, mv)))
    }

    /// The legal destinations of the piece on `from`, in ascending order.
    fn legal_destinations(&self, from: Square) -> impl Iterator<Item = Square> {
        let flips = Flips::new(self.position, self.rules.pairs);
        let destinations = self.position.destinations(from).into_iter();
        destinations.filter(move |to| !self.is_banned(flips.slide(from, *to)))
    }

    /// Accepts an origin whose destinations are all banned, though [`PartialMove::steps`] leaves it out.
    ///
    /// A move from there fails at its end (SPEC 6.9).
    fn lift(&self, from: Square) -> Result<Entered, IllegalMove> {
        let position = self.position;
        IllegalMove::unless_own(from, position.empty(), position.enemy())?;
        if position.flipped.contains(from) {
            return Err(IllegalMove::at(Reason::FlippedPiece, from));
        }
        if position.destinations(from).is_empty() {
            return Err(IllegalMove::at(Reason::Blocked, from));
        }
        Ok(Entered::Lifted(from))
    }

    fn slide(&mut self, from: Square, to: Square) -> Result<Entered, IllegalMove> {
        if !self.position.destinations(from).contains(to) {
            return Err(self.obstacle(from, to));
        }
        let mv = Flips::new(self.position, self.rules.pairs).slide(from, to);
        if self.is_banned(mv) {
            return Err(IllegalMove::at(Reason::Repetition, to));
        }
        self.effects.push(MoveEffect::Moved { from, to });
        for square in mv.flips {
            let Piece { letter, flipped } = self.position.piece(square);
            self.effects.push(MoveEffect::Flipped(square, Piece { letter, flipped: !flipped }));
        }
        Ok(Entered::Slid(mv))
    }

    /// Why the piece on `from` does not reach `to`.
    fn obstacle(&self, from: Square, to: Square) -> IllegalMove {
        let Some(direction) = self.direction(from, to) else {
            return IllegalMove::at(Reason::NoSuchLine, to);
        };
        let mut at = direction.step(SquareSet::of(from));
        while at.intersects(self.position.empty()) {
            at = direction.step(at);
        }
        if at.contains(to) {
            return IllegalMove::at(Reason::LandingOccupied, to);
        }
        IllegalMove { reason: Reason::Blocked, at: at.first() }
    }

    /// The direction in which the piece on `from` would reach `to` on an empty board.
    fn direction(&self, from: Square, to: Square) -> Option<&'static Direction> {
        let from = SquareSet::of(from);
        let slides = self.position.slides(from).into_iter();
        slides
            .flat_map(|(slider, directions)| directions.iter().map(move |d| (slider, d)))
            .find(|(slider, direction)| direction.slide(*slider, !from).contains(to))
            .map(|(_, direction)| direction)
    }
}

impl PartialMove for TacticaPartialMove<'_> {
    type Move = TacticaMove;

    fn steps(&self) -> Vec<Step> {
        match self.entered {
            Entered::Nothing => {
                let movers = self.position.movers(self.position.counters.side).into_iter();
                let can_move = |from: &Square| self.legal_destinations(*from).next().is_some();
                movers.filter(can_move).map(Step::To).collect()
            }
            Entered::Lifted(from) => self.legal_destinations(from).map(Step::To).collect(),
            Entered::Slid(_) => Vec::new(),
        }
    }

    fn go_to(&mut self, to: Square) -> Result<(), IllegalMove> {
        self.entered = match self.entered {
            Entered::Nothing => self.lift(to),
            Entered::Lifted(from) => self.slide(from, to),
            Entered::Slid(_) => Err(IllegalMove::at(Reason::TurnEnded, to)),
        }?;
        Ok(())
    }

    /// Every move of the piece would repeat a position too often.
    fn dead_end(&self) -> IllegalMove {
        IllegalMove::nowhere(Reason::Repetition)
    }

    fn effects(&self) -> &[MoveEffect] {
        &self.effects
    }

    fn finish(&self) -> Result<TacticaMove, IllegalMove> {
        match self.entered {
            Entered::Slid(mv) => Ok(mv),
            Entered::Nothing | Entered::Lifted(_) => Err(IllegalMove::nowhere(Reason::Incomplete)),
        }
    }
}
