//! A move of Sapos that is entered step by step, with the reasons for illegal steps.

use super::chain::{Chain, Placing};
use super::jumps::{LANDINGS, NEIGHBOURS};
use super::{Sapos, SaposMove, SaposPosition};
use leap_core::men::man;
use leap_core::notation::{IllegalMove, MoveEffect, PartialMove, Reason, Step};
use leap_core::{Square, SquareSet};

/// A partly entered move.
#[derive(Clone)]
pub struct SaposPartialMove<'a> {
    rules: &'a Sapos,
    position: &'a SaposPosition,
    placing: Placing,
    entered: Entered,
    effects: Vec<MoveEffect>,
}

#[derive(Clone, Copy)]
enum Entered {
    Nothing,
    Lifted(Chain),
    Jumped(Chain),
    Placed(Chain, Square),
}

impl<'a> SaposPartialMove<'a> {
    pub(super) fn new(rules: &'a Sapos, position: &'a SaposPosition) -> Self {
        let placing = Placing::new(rules, position);
        Self { rules, position, placing, entered: Entered::Nothing, effects: Vec::new() }
    }

    fn lift(&self, from: Square) -> Result<Entered, IllegalMove> {
        IllegalMove::unless_own(from, self.position.empty(), self.position.enemy())?;
        let chain = Chain::new(self.rules, self.position, from);
        if chain.landings().is_empty() {
            return Err(IllegalMove::at(Reason::Blocked, from));
        }
        Ok(Entered::Lifted(chain))
    }

    fn jump(&mut self, chain: &Chain, to: Square) -> Result<Entered, IllegalMove> {
        if !LANDINGS[chain.at.index()].contains(to) {
            return Err(IllegalMove::at(Reason::NoSuchLine, to));
        }
        if !chain.open.contains(to) {
            let visited = self.position.empty().with(chain.from).contains(to);
            let reason = if visited { Reason::Revisit } else { Reason::LandingOccupied };
            return Err(IllegalMove::at(reason, to));
        }
        let over = chain.at.midpoint(to);
        if !(chain.friends | chain.enemy).contains(over) {
            return Err(IllegalMove::at(Reason::NothingToJump, over));
        }
        self.effects.push(MoveEffect::Moved { from: chain.at, to });
        self.effects.extend(chain.enemy.contains(over).then_some(MoveEffect::Captured(over)));
        Ok(Entered::Jumped(chain.landed(to)))
    }

    fn place(&self, chain: &Chain, square: Square) -> Result<Entered, IllegalMove> {
        if !chain.captured.is_empty() {
            return Err(IllegalMove::at(Reason::DropNotAllowed, square));
        }
        if self.placing.beside(chain.at).is_empty() {
            return Err(self.cannot_place(chain));
        }
        if !NEIGHBOURS[chain.at.index()].contains(square) {
            return Err(IllegalMove::at(Reason::DropNotAdjacent, square));
        }
        if !self.placing.beside(chain.at).contains(square) {
            return Err(IllegalMove::at(Reason::DropOccupied, square));
        }
        Ok(Entered::Placed(*chain, square))
    }

    /// Why nothing can be placed after a stop on this square. Called only if there is no placement.
    const fn cannot_place(&self, chain: &Chain) -> IllegalMove {
        let reserve = self.position.reserve(self.position.counters.side);
        let reason = if reserve == 0 { Reason::ReserveEmpty } else { Reason::CannotPlace };
        IllegalMove::at(reason, chain.at)
    }

    /// The origins of legal moves.
    fn origins(&self) -> SquareSet {
        let chain = |from| Chain::new(self.rules, self.position, from);
        let own = self.position.own().into_iter();
        own.filter(|from| chain(*from).can_go_on(&self.placing)).collect()
    }

    /// The landings from which the end of a legal move can be reached.
    fn landings(&self, chain: &Chain) -> SquareSet {
        let landings = chain.landings().into_iter();
        landings.filter(|to| chain.landed(*to).can_finish(&self.placing)).collect()
    }
}

impl PartialMove for SaposPartialMove<'_> {
    type Move = SaposMove;

    fn steps(&self) -> Vec<Step> {
        let (squares, drops) = match &self.entered {
            Entered::Nothing => (self.origins(), SquareSet::EMPTY),
            Entered::Jumped(chain) if chain.captured.is_empty() => {
                (self.landings(chain), self.placing.beside(chain.at))
            }
            Entered::Lifted(chain) | Entered::Jumped(chain) => {
                (self.landings(chain), SquareSet::EMPTY)
            }
            Entered::Placed(..) => (SquareSet::EMPTY, SquareSet::EMPTY),
        };
        let drops = drops.into_iter().map(Step::Drop);
        squares.into_iter().map(Step::To).chain(drops).collect()
    }

    fn go_to(&mut self, to: Square) -> Result<(), IllegalMove> {
        self.entered = match self.entered {
            Entered::Nothing => self.lift(to),
            Entered::Lifted(chain) | Entered::Jumped(chain) => self.jump(&chain, to),
            Entered::Placed(..) => Err(IllegalMove::at(Reason::TurnEnded, to)),
        }?;
        Ok(())
    }

    fn drop_on(&mut self, square: Square) -> Result<(), IllegalMove> {
        self.entered = match &self.entered {
            Entered::Nothing | Entered::Lifted(_) => Err(IllegalMove::nowhere(Reason::Incomplete)),
            Entered::Jumped(chain) => self.place(chain, square),
            Entered::Placed(..) => Err(IllegalMove::at(Reason::TooManyDrops, square)),
        }?;
        self.effects.push(MoveEffect::Dropped(square, man(self.position.counters.side)));
        Ok(())
    }

    /// Wherever the piece stops, it captures nothing and cannot place a piece.
    fn dead_end(&self) -> IllegalMove {
        match &self.entered {
            Entered::Lifted(chain) | Entered::Jumped(chain) => self.cannot_place(chain),
            Entered::Nothing | Entered::Placed(..) => IllegalMove::nowhere(Reason::Incomplete),
        }
    }

    fn effects(&self) -> &[MoveEffect] {
        &self.effects
    }

    fn finish(&self) -> Result<SaposMove, IllegalMove> {
        match &self.entered {
            Entered::Nothing | Entered::Lifted(_) => Err(IllegalMove::nowhere(Reason::Incomplete)),
            Entered::Placed(chain, square) => Ok(chain.end(Some(*square))),
            Entered::Jumped(chain)
                if !chain.captured.is_empty() || self.placing.is_needless(chain.at) =>
            {
                Ok(chain.end(None))
            }
            Entered::Jumped(chain) if !self.placing.beside(chain.at).is_empty() => {
                Err(IllegalMove::at(Reason::DropMissing, chain.at))
            }
            Entered::Jumped(chain) => Err(self.cannot_place(chain)),
        }
    }
}
