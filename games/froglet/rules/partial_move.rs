//! A move of Froglet that is entered step by step, with the reasons for illegal steps.

use super::lattice::{Lattice, Place, cells, squares};
use super::trail::Trail;
use super::{Froglet, FrogletMove, FrogletPosition};
use leap_core::notation::{GameReason, IllegalMove, MoveEffect, PartialMove, Reason, Step};
use leap_core::{Rules, Square};

/// SPEC 14.10: the first frog taken away must be green.
pub(in crate::froglet) const NOT_GREEN: Reason = Reason::OfGame(&GameReason {
    code: "not-green",
    text: "the first frog taken away must be green",
});
/// SPEC 14.10: on a full board, the move takes a green frog away.
pub(in crate::froglet) const MUST_REMOVE: Reason = Reason::OfGame(&GameReason {
    code: "must-remove",
    text: "on a full board the move is to take away a green frog",
});

/// A partly entered move.
#[derive(Clone)]
pub struct FrogletPartialMove<'a> {
    rules: &'a Froglet,
    position: &'a FrogletPosition,
    entered: Entered,
    effects: Vec<MoveEffect>,
}

#[derive(Clone)]
enum Entered {
    Nothing,
    Removed(Square),
    /// A frog has been named, and may have hopped.
    Lifted(Trail),
}

impl<'a> FrogletPartialMove<'a> {
    pub(super) const fn new(rules: &'a Froglet, position: &'a FrogletPosition) -> Self {
        FrogletPartialMove { rules, position, entered: Entered::Nothing, effects: Vec::new() }
    }

    fn lift(&self, from: Square) -> Result<Entered, IllegalMove> {
        let Place { class, cell } = Place::of(from);
        let lattice = Lattice::of(&self.position.frogs, class);
        let reason = if self.position.is_full() {
            MUST_REMOVE
        } else if lattice.frogs >> cell & 1 == 0 {
            Reason::EmptySquare
        } else if lattice.exits() >> cell & 1 == 0 {
            Reason::Blocked
        } else {
            return Ok(Entered::Lifted(Trail::new(&lattice, cell)));
        };
        Err(IllegalMove::at(reason, from))
    }

    /// The points that a finished move scores.
    fn points(&self, mv: FrogletMove) -> u32 {
        if mv.is_removal() {
            return u32::from(self.rules.first_frog_scores);
        }
        self.position.points_of_hops(mv)
    }
}

fn hop(trail: &Trail, to: Square, effects: &mut Vec<MoveEffect>) -> Result<Entered, IllegalMove> {
    let from = trail.square();
    let Some(over) = middle(from, to) else {
        return Err(IllegalMove::at(Reason::NoSuchLine, to));
    };
    let cell = Place::of(to).cell;
    if !trail.is_open(cell) {
        return Err(IllegalMove::at(Reason::LandingOccupied, to));
    }
    if trail.landings() >> cell & 1 == 0 {
        return Err(IllegalMove::at(Reason::NothingToJump, over));
    }
    effects.extend([MoveEffect::Moved { from, to }, MoveEffect::Captured(over)]);
    let mut longer = trail.clone();
    longer.hop(cell);
    Ok(Entered::Lifted(longer))
}

/// The square that a hop from one square to another passes over, if they are two apart.
fn middle(from: Square, to: Square) -> Option<Square> {
    let mut hops = [(0, -2), (-2, 0), (2, 0), (0, 2)].into_iter();
    hops.any(|(files, ranks)| Froglet::GEOMETRY.offset(from, files, ranks) == Some(to))
        .then(|| from.midpoint(to))
}

impl PartialMove for FrogletPartialMove<'_> {
    type Move = FrogletMove;

    fn steps(&self) -> Vec<Step> {
        match &self.entered {
            Entered::Nothing => {
                let removals = squares(self.position.removable()).map(Step::Remove);
                let origins = squares(self.position.movers()).map(Step::To);
                removals.chain(origins).collect()
            }
            Entered::Removed(_) => Vec::new(),
            Entered::Lifted(trail) => {
                cells(trail.landings()).map(|cell| Step::To(trail.square_of(cell))).collect()
            }
        }
    }

    fn go_to(&mut self, to: Square) -> Result<(), IllegalMove> {
        self.entered = match &self.entered {
            Entered::Nothing => self.lift(to),
            Entered::Removed(_) => Err(IllegalMove::at(Reason::TurnEnded, to)),
            Entered::Lifted(trail) => hop(trail, to, &mut self.effects),
        }?;
        Ok(())
    }

    fn remove(&mut self, square: Square) -> Result<(), IllegalMove> {
        let Place { class, cell } = Place::of(square);
        let reason = match self.entered {
            Entered::Removed(_) => Reason::TurnEnded,
            Entered::Nothing if self.position.removable()[class] >> cell & 1 != 0 => {
                self.entered = Entered::Removed(square);
                self.effects.push(MoveEffect::Removed(square));
                return Ok(());
            }
            Entered::Nothing if self.position.is_full() => NOT_GREEN,
            Entered::Nothing | Entered::Lifted(_) => Reason::NoRemoval,
        };
        Err(IllegalMove::at(reason, square))
    }

    fn effects(&self) -> &[MoveEffect] {
        &self.effects
    }

    fn end_effects(&self) -> Vec<MoveEffect> {
        let points = self.finish().map_or(0, |mv| self.points(mv));
        (points > 0).then_some(MoveEffect::Scored(points)).into_iter().collect()
    }

    fn finish(&self) -> Result<FrogletMove, IllegalMove> {
        match &self.entered {
            Entered::Removed(square) => Ok(FrogletMove::removal(*square)),
            Entered::Lifted(trail) if trail.hops() > 0 => Ok(trail.end()),
            Entered::Nothing | Entered::Lifted(_) => Err(IllegalMove::nowhere(Reason::Incomplete)),
        }
    }
}
