//! A move of Alquerque as it is entered step by step, with the reasons why not.

use super::lines::{HOP_LANDINGS, STEPS, over};
use super::{
    Alquerque, AlquerqueMove, AlquerquePosition, Capture, Chain, can_capture, hop_landings,
};
use crate::rules::Square;
use crate::rules::bits::Squares;
use crate::rules::notation::{Effect, Illegal, Next, Reason, Step, Turn};

/// A partly entered move.
#[derive(Clone)]
pub struct AlquerqueTurn<'a> {
    game: &'a Alquerque,
    position: &'a AlquerquePosition,
    /// Whether a capture must be made in this position.
    must_capture: bool,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    Nothing,
    Lifted(Square),
    Stepped { from: Square, to: Square },
    Hopped(Chain),
}

impl<'a> AlquerqueTurn<'a> {
    pub(super) fn new(game: &'a Alquerque, position: &'a AlquerquePosition) -> Self {
        let must_capture = game.capture == Capture::Mandatory && can_capture(position);
        AlquerqueTurn { game, position, must_capture, progress: Progress::Nothing }
    }

    /// Where the man on `from` may go first.
    fn destinations(&self, from: Square) -> u64 {
        let empty = self.position.empty();
        let steps = if self.must_capture { 0 } else { STEPS[from.index()] & empty };
        steps | hop_landings(from, self.position.enemy(), empty)
    }

    fn lift(&self, from: Square) -> Result<Progress, Illegal> {
        let refuse = |reason| Err(Illegal::at(reason, from));
        if self.position.empty() & from.bit() != 0 {
            return refuse(Reason::EmptySquare);
        }
        if self.position.enemy() & from.bit() != 0 {
            return refuse(Reason::NotYourPiece);
        }
        if self.destinations(from) == 0 {
            return refuse(if self.must_capture {
                Reason::CaptureMandatory
            } else {
                Reason::Blocked
            });
        }
        Ok(Progress::Lifted(from))
    }

    fn first(&self, from: Square, to: Square) -> Result<Progress, Illegal> {
        if STEPS[from.index()] & to.bit() == 0 {
            return self.hop(&Chain::new(self.game, self.position, from), to);
        }
        if self.position.empty() & to.bit() == 0 {
            return Err(Illegal::at(Reason::LandingOccupied, to));
        }
        if self.must_capture {
            return Err(Illegal::at(Reason::CaptureMandatory, to));
        }
        Ok(Progress::Stepped { from, to })
    }

    fn hop(&self, chain: &Chain, to: Square) -> Result<Progress, Illegal> {
        if HOP_LANDINGS[chain.at.index()] & to.bit() == 0 {
            return Err(Illegal::at(Reason::NoSuchLine, to));
        }
        if chain.empty & to.bit() == 0 {
            return Err(Illegal::at(Reason::LandingOccupied, to));
        }
        let over = over(chain.at, to);
        if chain.enemy & over.bit() == 0 {
            let own = self.position.own() & !chain.from.bit() & over.bit() != 0;
            let reason = if own { Reason::OwnPieceJumped } else { Reason::NothingToJump };
            return Err(Illegal::at(reason, over));
        }
        Ok(Progress::Hopped(chain.landed(to)))
    }

    fn advance(&self, step: Step) -> Result<Progress, Illegal> {
        let square = match step {
            Step::To(square) => square,
            Step::Remove(square) => return Err(Illegal::at(Reason::NoRemoval, square)),
            Step::Drop(square) => return Err(Illegal::at(Reason::DropNotAllowed, square)),
        };
        match self.progress {
            Progress::Nothing => self.lift(square),
            Progress::Lifted(from) => self.first(from, square),
            Progress::Stepped { .. } => Err(Illegal::at(Reason::TurnEnded, square)),
            Progress::Hopped(chain) => self.hop(&chain, square),
        }
    }
}

impl Turn for AlquerqueTurn<'_> {
    type Move = AlquerqueMove;

    fn next(&self) -> Next {
        let (squares, may_end) = match self.progress {
            Progress::Nothing => {
                let own = Squares(self.position.own());
                let movable = own.filter(|from| self.destinations(*from) != 0);
                (movable.fold(0, |set, from| set | from.bit()), false)
            }
            Progress::Lifted(from) => (self.destinations(from), false),
            Progress::Stepped { .. } => (0, true),
            Progress::Hopped(chain) => {
                let landings = hop_landings(chain.at, chain.enemy, chain.empty);
                (landings, landings == 0 || !chain.must_go_on)
            }
        };
        Next { steps: Squares(squares).map(Step::To).collect(), may_end }
    }

    fn take(&mut self, step: Step, effects: &mut Vec<Effect>) -> Result<(), Illegal> {
        let progress = self.advance(step)?;
        match (self.progress, progress) {
            (_, Progress::Stepped { from, to }) => effects.push(Effect::Moved { from, to }),
            (Progress::Lifted(from), Progress::Hopped(chain)) => {
                hop_effects(from, chain.at, effects)
            }
            (Progress::Hopped(before), Progress::Hopped(chain)) => {
                hop_effects(before.at, chain.at, effects);
            }
            _ => {}
        }
        self.progress = progress;
        Ok(())
    }

    fn finish(&self, _: &mut Vec<Effect>) -> Result<AlquerqueMove, Illegal> {
        match self.progress {
            Progress::Nothing | Progress::Lifted(_) => Err(Illegal::nowhere(Reason::Incomplete)),
            Progress::Stepped { from, to } => Ok(AlquerqueMove { from, to, captured: 0 }),
            Progress::Hopped(chain) => {
                if !self.next().may_end {
                    return Err(Illegal::at(Reason::MustContinue, chain.at));
                }
                Ok(chain.end())
            }
        }
    }
}

fn hop_effects(from: Square, to: Square, effects: &mut Vec<Effect>) {
    effects.extend([Effect::Moved { from, to }, Effect::Captured(over(from, to))]);
}
