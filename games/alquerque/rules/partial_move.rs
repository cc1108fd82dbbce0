//! A move of Alquerque that is entered step by step, with the reasons for illegal steps.

use super::lines::{HOP_LANDINGS, STEPS};
use super::{Alquerque, AlquerqueMove, AlquerquePosition, Chain, Perspective, hop_landings};
use leap_core::notation::{IllegalMove, MoveEffect, PartialMove, Reason, Step};
use leap_core::{Square, SquareSet};

/// A partly entered move.
#[derive(Clone)]
pub struct AlquerquePartialMove<'a> {
    rules: &'a Alquerque,
    position: &'a AlquerquePosition,
    /// Whether a capture must be made in this position.
    must_capture: bool,
    entered: Entered,
    effects: Vec<MoveEffect>,
}

#[derive(Clone, Copy)]
enum Entered {
    Nothing,
    Lifted(Square),
    Stepped { from: Square, to: Square },
    Hopped(Chain),
}

impl<'a> AlquerquePartialMove<'a> {
    pub(super) fn new(rules: &'a Alquerque, position: &'a AlquerquePosition) -> Self {
        let must_capture = rules.must_capture() && !Perspective::of(position).hoppers().is_empty();
        Self { rules, position, must_capture, entered: Entered::Nothing, effects: Vec::new() }
    }

    /// The points where the man on `from` may go first.
    fn destinations(&self, from: Square) -> SquareSet {
        let empty = self.position.empty();
        let landings = hop_landings(from, self.position.enemy(), empty);
        if self.must_capture { landings } else { landings | STEPS[from.index()] & empty }
    }

    fn lift(&self, from: Square) -> Result<Entered, IllegalMove> {
        self.position.check_origin(from, self.destinations(from), self.must_capture)?;
        Ok(Entered::Lifted(from))
    }

    fn step(&mut self, from: Square, to: Square) -> Result<Entered, IllegalMove> {
        if !self.position.empty().contains(to) {
            return Err(IllegalMove::at(Reason::LandingOccupied, to));
        }
        if self.must_capture {
            return Err(IllegalMove::at(Reason::CaptureMandatory, to));
        }
        self.effects.push(MoveEffect::Moved { from, to });
        Ok(Entered::Stepped { from, to })
    }

    fn hop(&mut self, chain: &Chain, to: Square) -> Result<Entered, IllegalMove> {
        if !HOP_LANDINGS[chain.at.index()].contains(to) {
            return Err(IllegalMove::at(Reason::NoSuchLine, to));
        }
        if !chain.empty.contains(to) {
            return Err(IllegalMove::at(Reason::LandingOccupied, to));
        }
        let over = chain.at.midpoint(to);
        if !chain.enemy.contains(over) {
            let is_own = self.position.own().without(chain.from).contains(over);
            let reason = if is_own { Reason::OwnPieceJumped } else { Reason::NothingToJump };
            return Err(IllegalMove::at(reason, over));
        }
        self.effects.extend([MoveEffect::Moved { from: chain.at, to }, MoveEffect::Captured(over)]);
        Ok(Entered::Hopped(chain.landed(to)))
    }
}

impl PartialMove for AlquerquePartialMove<'_> {
    type Move = AlquerqueMove;

    fn steps(&self) -> Vec<Step> {
        let squares = match self.entered {
            Entered::Nothing => self.position.movers(|from| self.destinations(from)),
            Entered::Lifted(from) => self.destinations(from),
            Entered::Stepped { .. } => SquareSet::EMPTY,
            Entered::Hopped(chain) => chain.landings(),
        };
        squares.into_iter().map(Step::To).collect()
    }

    fn go_to(&mut self, to: Square) -> Result<(), IllegalMove> {
        self.entered = match self.entered {
            Entered::Nothing => self.lift(to),
            Entered::Lifted(from) if STEPS[from.index()].contains(to) => self.step(from, to),
            Entered::Lifted(from) => {
                let chain =
                    Chain::new(Perspective::of(self.position), from, self.rules.must_capture());
                self.hop(&chain, to)
            }
            Entered::Stepped { .. } => Err(IllegalMove::at(Reason::TurnEnded, to)),
            Entered::Hopped(chain) => self.hop(&chain, to),
        }?;
        Ok(())
    }

    fn effects(&self) -> &[MoveEffect] {
        &self.effects
    }

    fn finish(&self) -> Result<AlquerqueMove, IllegalMove> {
        match self.entered {
            Entered::Nothing | Entered::Lifted(_) => Err(IllegalMove::nowhere(Reason::Incomplete)),
            Entered::Stepped { from, to } => Ok(AlquerqueMove::step(from, to)),
            Entered::Hopped(chain) if chain.must_go_on && !self.steps().is_empty() => {
                Err(IllegalMove::at(Reason::MustContinue, chain.at))
            }
            Entered::Hopped(chain) => Ok(chain.end()),
        }
    }
}
