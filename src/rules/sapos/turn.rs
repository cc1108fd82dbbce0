//! A move of Sapos as it is entered step by step, with the reasons why not.

use super::chain::{Chain, Placing};
use super::jumps::{LANDINGS, NEIGHBOURS, over};
use super::{Sapos, SaposMove, SaposPosition, letter};
use crate::rules::Square;
use crate::rules::bits::Squares;
use crate::rules::notation::{Effect, Glyph, Illegal, Next, Reason, Step, Turn};

/// A partly entered move.
#[derive(Clone)]
pub struct SaposTurn<'a> {
    game: &'a Sapos,
    position: &'a SaposPosition,
    placing: Placing,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    Nothing,
    Lifted(Chain),
    Jumped(Chain),
    Placed(Chain, Square),
}

impl<'a> SaposTurn<'a> {
    pub(super) const fn new(game: &'a Sapos, position: &'a SaposPosition) -> Self {
        let placing = Placing::new(game, position);
        SaposTurn { game, position, placing, progress: Progress::Nothing }
    }

    fn lift(&self, from: Square) -> Result<Progress, Illegal> {
        if self.position.empty() & from.bit() != 0 {
            return Err(Illegal::at(Reason::EmptySquare, from));
        }
        if self.position.enemy() & from.bit() != 0 {
            return Err(Illegal::at(Reason::NotYourPiece, from));
        }
        let chain = Chain::new(self.game, self.position, from);
        if chain.landings() == 0 {
            return Err(Illegal::at(Reason::Blocked, from));
        }
        Ok(Progress::Lifted(chain))
    }

    fn jump(&self, chain: &Chain, to: Square) -> Result<Progress, Illegal> {
        if LANDINGS[chain.at.index()] & to.bit() == 0 {
            return Err(Illegal::at(Reason::NoSuchLine, to));
        }
        if chain.open & to.bit() == 0 {
            let visited = (self.position.empty() | chain.from.bit()) & to.bit() != 0;
            let reason = if visited { Reason::Revisit } else { Reason::LandingOccupied };
            return Err(Illegal::at(reason, to));
        }
        let over = over(chain.at, to);
        if (chain.friends | chain.enemy) & over.bit() == 0 {
            return Err(Illegal::at(Reason::NothingToJump, over));
        }
        Ok(Progress::Jumped(chain.landed(to)))
    }

    fn place(&self, chain: &Chain, square: Square) -> Result<Progress, Illegal> {
        if chain.captured != 0 {
            return Err(Illegal::at(Reason::DropNotAllowed, square));
        }
        if self.placing.beside(chain.at) == 0 {
            return Err(self.cannot_place(chain));
        }
        if NEIGHBOURS[chain.at.index()] & square.bit() == 0 {
            return Err(Illegal::at(Reason::DropNotAdjacent, square));
        }
        if self.placing.beside(chain.at) & square.bit() == 0 {
            return Err(Illegal::at(Reason::DropOccupied, square));
        }
        Ok(Progress::Placed(*chain, square))
    }

    /// Why nothing can be placed after a stop on a square with no placement.
    const fn cannot_place(&self, chain: &Chain) -> Illegal {
        let reserve = self.position.reserve(self.position.counters.side);
        let reason = if reserve == 0 { Reason::ReserveEmpty } else { Reason::CannotPlace };
        Illegal::at(reason, chain.at)
    }

    fn advance(&self, step: Step) -> Result<Progress, Illegal> {
        match (self.progress, step) {
            (_, Step::Remove(square)) => Err(Illegal::at(Reason::NoRemoval, square)),
            (Progress::Nothing | Progress::Lifted(_), Step::Drop(_)) => {
                Err(Illegal::nowhere(Reason::Incomplete))
            }
            (Progress::Nothing, Step::To(square)) => self.lift(square),
            (Progress::Lifted(chain) | Progress::Jumped(chain), Step::To(square)) => {
                self.jump(&chain, square)
            }
            (Progress::Jumped(chain), Step::Drop(square)) => self.place(&chain, square),
            (Progress::Placed(..), Step::To(square)) => Err(Illegal::at(Reason::TurnEnded, square)),
            (Progress::Placed(..), Step::Drop(square)) => {
                Err(Illegal::at(Reason::TooManyDrops, square))
            }
        }
    }

    /// The origins of legal moves.
    fn origins(&self) -> u64 {
        Squares(self.position.own())
            .filter(|from| Chain::new(self.game, self.position, *from).can_go_on(&self.placing))
            .fold(0, |set, from| set | from.bit())
    }

    /// The landings from which the end of a legal move can be reached.
    fn landings(&self, chain: &Chain) -> u64 {
        Squares(chain.landings())
            .filter(|to| chain.landed(*to).can_finish(&self.placing))
            .fold(0, |set, to| set | to.bit())
    }
}

impl Turn for SaposTurn<'_> {
    type Move = SaposMove;

    fn next(&self) -> Next {
        let (squares, drops, may_end) = match &self.progress {
            Progress::Nothing => (self.origins(), 0, false),
            Progress::Lifted(chain) => (self.landings(chain), 0, false),
            Progress::Jumped(chain) if chain.captured != 0 => (self.landings(chain), 0, true),
            Progress::Jumped(chain) => {
                let drops = self.placing.beside(chain.at);
                (self.landings(chain), drops, self.placing.is_needless(chain.at))
            }
            Progress::Placed(..) => (0, 0, true),
        };
        let drops = Squares(drops).map(Step::Drop);
        Next { steps: Squares(squares).map(Step::To).chain(drops).collect(), may_end }
    }

    fn take(&mut self, step: Step, effects: &mut Vec<Effect>) -> Result<(), Illegal> {
        let progress = self.advance(step)?;
        match (self.progress, progress) {
            (Progress::Lifted(before) | Progress::Jumped(before), Progress::Jumped(after)) => {
                effects.push(Effect::Moved { from: before.at, to: after.at });
                let captured = before.enemy ^ after.enemy;
                effects.extend(Squares(captured).map(Effect::Captured));
            }
            (_, Progress::Placed(_, square)) => {
                let glyph = Glyph::plain(letter(self.position.counters.side));
                effects.push(Effect::Dropped(square, glyph));
            }
            _ => {}
        }
        self.progress = progress;
        Ok(())
    }

    fn finish(&self, _: &mut Vec<Effect>) -> Result<SaposMove, Illegal> {
        match &self.progress {
            Progress::Nothing | Progress::Lifted(_) => Err(Illegal::nowhere(Reason::Incomplete)),
            Progress::Placed(chain, square) => Ok(chain.end(Some(*square))),
            Progress::Jumped(chain)
                if chain.captured != 0 || self.placing.is_needless(chain.at) =>
            {
                Ok(chain.end(None))
            }
            Progress::Jumped(chain) if self.placing.beside(chain.at) != 0 => {
                Err(Illegal::at(Reason::DropMissing, chain.at))
            }
            Progress::Jumped(chain) => Err(self.cannot_place(chain)),
        }
    }
}
