//! A move of Froglet as it is entered step by step, with the reasons why not.

use super::lattice::{Lattice, Place, cells, squares};
use super::trail::Trail;
use super::{Froglet, FrogletMove, FrogletPosition};
use crate::rules::notation::{Effect, Illegal, Next, Reason, Step, Turn};
use crate::rules::{Game, Square};

/// A partly entered move.
#[derive(Clone)]
pub struct FrogletTurn<'a> {
    game: &'a Froglet,
    position: &'a FrogletPosition,
    progress: Progress,
}

#[derive(Clone)]
enum Progress {
    Nothing,
    Removed(Square),
    /// A frog has been named, and has perhaps hopped.
    Lifted(Trail),
}

impl<'a> FrogletTurn<'a> {
    pub(super) const fn new(game: &'a Froglet, position: &'a FrogletPosition) -> Self {
        FrogletTurn { game, position, progress: Progress::Nothing }
    }

    fn remove(&self, square: Square) -> Result<Progress, Illegal> {
        let reason = match self.progress {
            Progress::Removed(_) => Reason::TurnEnded,
            Progress::Nothing if self.position.is_full() => {
                let Place { class, cell } = Place::of(square);
                if self.position.removable()[class] >> cell & 1 != 0 {
                    return Ok(Progress::Removed(square));
                }
                Reason::NotGreen
            }
            Progress::Nothing | Progress::Lifted(_) => Reason::NoRemoval,
        };
        Err(Illegal::at(reason, square))
    }

    fn lift(&self, from: Square) -> Result<Progress, Illegal> {
        let Place { class, cell } = Place::of(from);
        let lattice = Lattice::of(&self.position.frogs, class);
        let reason = if self.position.is_full() {
            Reason::MustRemove
        } else if lattice.frogs >> cell & 1 == 0 {
            Reason::EmptySquare
        } else if lattice.exits() >> cell & 1 == 0 {
            Reason::Blocked
        } else {
            return Ok(Progress::Lifted(Trail::new(&lattice, cell)));
        };
        Err(Illegal::at(reason, from))
    }

    fn advance(&self, step: Step) -> Result<Progress, Illegal> {
        let to = match step {
            Step::To(square) => square,
            Step::Remove(square) => return self.remove(square),
            Step::Drop(square) => return Err(Illegal::at(Reason::DropNotAllowed, square)),
        };
        match &self.progress {
            Progress::Nothing => self.lift(to),
            Progress::Removed(_) => Err(Illegal::at(Reason::TurnEnded, to)),
            Progress::Lifted(trail) => hop(trail, to).map(Progress::Lifted),
        }
    }

    /// The points that a complete move scores.
    fn points(&self, mv: FrogletMove) -> u32 {
        if mv.is_removal() {
            return u32::from(self.game.first_frog_scores);
        }
        self.position.points_of_hops(mv)
    }
}

fn hop(trail: &Trail, to: Square) -> Result<Trail, Illegal> {
    let from = trail.square();
    let Some(over) = middle(from, to) else {
        return Err(Illegal::at(Reason::NoSuchLine, to));
    };
    let cell = Place::of(to).cell;
    if !trail.is_open(cell) {
        return Err(Illegal::at(Reason::LandingOccupied, to));
    }
    if trail.landings() >> cell & 1 == 0 {
        return Err(Illegal::at(Reason::NothingToJump, over));
    }
    let mut longer = trail.clone();
    longer.hop(cell);
    Ok(longer)
}

/// The square that a hop from one square to another would go over.
fn middle(from: Square, to: Square) -> Option<Square> {
    let directions = [(0, -1), (-1, 0), (1, 0), (0, 1)];
    let leads_to =
        |(files, ranks): &(i32, i32)| Froglet::BOARD.offset(from, 2 * files, 2 * ranks) == Some(to);
    let (files, ranks) = directions.into_iter().find(leads_to)?;
    Froglet::BOARD.offset(from, files, ranks)
}

impl Turn for FrogletTurn<'_> {
    type Move = FrogletMove;

    fn next(&self) -> Next {
        match &self.progress {
            Progress::Nothing => {
                let removals = squares(self.position.removable()).map(Step::Remove);
                let origins = squares(self.position.movers()).map(Step::To);
                Next { steps: removals.chain(origins).collect(), may_end: false }
            }
            Progress::Removed(_) => Next { steps: Vec::new(), may_end: true },
            Progress::Lifted(trail) => {
                let landings = cells(trail.landings()).map(|cell| Step::To(trail.square_of(cell)));
                Next { steps: landings.collect(), may_end: trail.hops() > 0 }
            }
        }
    }

    fn take(&mut self, step: Step, effects: &mut Vec<Effect>) -> Result<(), Illegal> {
        let progress = self.advance(step)?;
        match (&self.progress, &progress) {
            (_, Progress::Removed(square)) => effects.push(Effect::Removed(*square)),
            (Progress::Lifted(before), Progress::Lifted(trail)) => {
                let (from, to) = (before.square(), trail.square());
                effects.push(Effect::Moved { from, to });
                effects.extend(middle(from, to).map(Effect::Captured));
            }
            _ => {}
        }
        self.progress = progress;
        Ok(())
    }

    fn finish(&self, effects: &mut Vec<Effect>) -> Result<FrogletMove, Illegal> {
        let mv = match &self.progress {
            Progress::Removed(square) => FrogletMove::removal(*square),
            Progress::Lifted(trail) if trail.hops() > 0 => trail.end(),
            Progress::Nothing | Progress::Lifted(_) => {
                return Err(Illegal::nowhere(Reason::Incomplete));
            }
        };
        let points = self.points(mv);
        if points > 0 {
            effects.push(Effect::Scored(points));
        }
        Ok(mv)
    }
}
