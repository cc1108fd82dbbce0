//! A move of Eximo as it is entered step by step, with the reasons why not.

use super::directions::{LAST_ROW, STEPS, over};
use super::hops::{Hops, Path};
use super::{Eximo, EximoMove, EximoPosition, drops, man};
use crate::rules::bits::Squares;
use crate::rules::notation::{Effect, Illegal, Next, Reason, Step, Turn};
use crate::rules::{Game, Position, Side, Square};

/// A partly entered move.
#[derive(Clone)]
pub struct EximoTurn<'a> {
    position: &'a EximoPosition,
    /// The hops allowed: captures, if there is one.
    hops: Hops,
    progress: Progress,
}

#[derive(Clone, Copy)]
enum Progress {
    Nothing,
    Lifted(Square),
    Stepped(Path),
    Hopped(Path),
    /// The man has reached the last row and these squares have been dropped on.
    Removed(Path, u64),
}

impl<'a> EximoTurn<'a> {
    pub(super) fn new(position: &'a EximoPosition) -> Self {
        let hops = position.hops(position.side());
        EximoTurn { position, hops, progress: Progress::Nothing }
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    /// Where the man on `from` may go first.
    fn destinations(&self, from: Square) -> u64 {
        let steps = STEPS[self.side().index()][from.index()] & self.position.empty();
        self.hops.landings(from, 0) | if self.hops.capture() { 0 } else { steps }
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
            let captures = self.hops.capture();
            return refuse(if captures { Reason::CaptureMandatory } else { Reason::Blocked });
        }
        Ok(Progress::Lifted(from))
    }

    fn first(&self, from: Square, to: Square) -> Result<Progress, Illegal> {
        let path = Path::new(from);
        if self.destinations(from) & to.bit() == 0 {
            return Err(self.refusal(path, to, Reason::CaptureMandatory));
        }
        let is_step = STEPS[self.side().index()][from.index()] & to.bit() != 0;
        if is_step {
            return Ok(self.landed(Path { at: to, ..path }, Progress::Stepped));
        }
        Ok(self.landed(self.hops.extend(path, to), Progress::Hopped))
    }

    fn go_on(&self, path: Path, to: Square) -> Result<Progress, Illegal> {
        let landings = self.hops.landings(path.at, path.captured);
        if landings & to.bit() != 0 {
            return Ok(self.landed(self.hops.extend(path, to), Progress::Hopped));
        }
        let refusal = self.refusal(path, to, Reason::CannotMix);
        let over = landings == 0 && refusal.reason != Reason::CannotMix;
        Err(if over { Illegal::at(Reason::TurnEnded, to) } else { refusal })
    }

    /// The progress of a man who has gone along `path`: `still_there`, or off the board again.
    fn landed(&self, path: Path, still_there: fn(Path) -> Progress) -> Progress {
        if path.at.bit() & LAST_ROW[self.side().index()] == 0 {
            still_there(path)
        } else {
            Progress::Removed(path, 0)
        }
    }

    /// Why a man cannot go on to `to`; `other_kind` if the way is free, but not for this kind of move.
    fn refusal(&self, path: Path, to: Square, other_kind: Reason) -> Illegal {
        let (files, forward) = self.offset(path.at, to);
        let distance = files.abs().max(forward.abs());
        let is_straight =
            [0, distance].contains(&files.abs()) && [0, distance].contains(&forward.abs());
        let empty = path.emptied(self.position.empty());
        if !is_straight || !(1..=2).contains(&distance) {
            return Illegal::at(Reason::NoSuchLine, to);
        }
        if forward < 0 || forward == 0 && distance == 1 {
            return Illegal::at(Reason::Backward, to);
        }
        if empty & to.bit() == 0 {
            return Illegal::at(Reason::LandingOccupied, to);
        }
        let over = over(path.at, to);
        if distance == 2 && empty & over.bit() != 0 {
            return Illegal::at(Reason::NothingToJump, over);
        }
        if forward == 0 && self.position.own() & over.bit() != 0 {
            return Illegal::at(Reason::OwnPieceJumped, over);
        }
        Illegal::at(other_kind, to)
    }

    /// How many files to the right and how many ranks forward `to` is.
    fn offset(&self, at: Square, to: Square) -> (i32, i32) {
        let file = |square| i32::from(Eximo::BOARD.file(square));
        let rank = |square| i32::from(Eximo::BOARD.rank(square));
        let up = rank(to) - rank(at);
        (file(to) - file(at), if self.side() == Side::One { up } else { -up })
    }

    /// The empty squares of the drop zone when the man on `path` is off the board.
    fn room(&self, path: Path) -> u64 {
        drops::room(self.side(), path.emptied(self.position.empty()))
    }

    /// How many men are still to be dropped.
    fn owed(&self, path: Path, dropped: u64) -> u32 {
        drops::MEN.min(self.room(path).count_ones()) - dropped.count_ones()
    }

    fn drop(&self, square: Square) -> Result<Progress, Illegal> {
        let (path, dropped) = match self.progress {
            Progress::Nothing | Progress::Lifted(_) => {
                return Err(Illegal::nowhere(Reason::Incomplete));
            }
            Progress::Hopped(_) | Progress::Stepped(_) => {
                self.finish(&mut Vec::new())?;
                return Err(Illegal::at(Reason::DropNotAllowed, square));
            }
            Progress::Removed(path, dropped) => (path, dropped),
        };
        let refuse = |reason| Err(Illegal::at(reason, square));
        if self.owed(path, dropped) == 0 {
            let none = dropped == 0;
            return refuse(if none { Reason::DropNotAllowed } else { Reason::TooManyDrops });
        }
        if drops::room(self.side(), square.bit()) == 0 {
            return refuse(Reason::DropOutsideZone);
        }
        if self.room(path) & !dropped & square.bit() == 0 {
            return refuse(Reason::DropOccupied);
        }
        Ok(Progress::Removed(path, dropped | square.bit()))
    }

    fn advance(&self, step: Step) -> Result<Progress, Illegal> {
        let square = match step {
            Step::To(square) => square,
            Step::Remove(square) => return Err(Illegal::at(Reason::NoRemoval, square)),
            Step::Drop(square) => return self.drop(square),
        };
        match self.progress {
            Progress::Nothing => self.lift(square),
            Progress::Lifted(from) => self.first(from, square),
            Progress::Hopped(path) => self.go_on(path, square),
            Progress::Stepped(_) | Progress::Removed(..) => {
                Err(Illegal::at(Reason::TurnEnded, square))
            }
        }
    }
}

impl Turn for EximoTurn<'_> {
    type Move = EximoMove;

    fn next(&self) -> Next {
        let (squares, dropped) = match self.progress {
            Progress::Nothing => {
                let own = Squares(self.position.own());
                let movable = own.filter(|from| self.destinations(*from) != 0);
                (movable.fold(0, |set, from| set | from.bit()), 0)
            }
            Progress::Lifted(from) => (self.destinations(from), 0),
            Progress::Stepped(_) => (0, 0),
            Progress::Hopped(path) => (self.hops.landings(path.at, path.captured), 0),
            Progress::Removed(path, dropped) if self.owed(path, dropped) > 0 => {
                (0, self.room(path) & !dropped)
            }
            Progress::Removed(..) => (0, 0),
        };
        let steps = Squares(squares).map(Step::To).chain(Squares(dropped).map(Step::Drop));
        Next { steps: steps.collect(), may_end: self.finish(&mut Vec::new()).is_ok() }
    }

    fn take(&mut self, step: Step, effects: &mut Vec<Effect>) -> Result<(), Illegal> {
        let progress = self.advance(step)?;
        match (self.progress, progress) {
            (_, Progress::Nothing | Progress::Lifted(_)) => {}
            (Progress::Removed(..), _) => {
                effects.push(Effect::Dropped(step.square(), man(self.side())));
            }
            (before, Progress::Stepped(path) | Progress::Hopped(path)) => {
                effects.extend(going_effects(before, path));
            }
            (before, Progress::Removed(path, _)) => {
                effects.extend(going_effects(before, path));
                effects.push(Effect::Removed(path.at));
            }
        }
        self.progress = progress;
        Ok(())
    }

    fn finish(&self, _: &mut Vec<Effect>) -> Result<EximoMove, Illegal> {
        let (path, dropped) = match self.progress {
            Progress::Nothing | Progress::Lifted(_) => {
                return Err(Illegal::nowhere(Reason::Incomplete));
            }
            Progress::Hopped(path) if self.hops.landings(path.at, path.captured) != 0 => {
                return Err(Illegal::at(Reason::MustContinue, path.at));
            }
            Progress::Removed(path, dropped) if self.owed(path, dropped) > 0 => {
                return Err(Illegal::at(Reason::DropMissing, path.at));
            }
            Progress::Stepped(path) | Progress::Hopped(path) => (path, 0),
            Progress::Removed(path, dropped) => (path, dropped),
        };
        let mut dropped = Squares(dropped);
        Ok(EximoMove::new(path, [dropped.next(), dropped.next()]))
    }
}

/// What a man does who goes on to the end of `path` after `before`.
fn going_effects(before: Progress, path: Path) -> impl Iterator<Item = Effect> {
    let (from, captured) = match before {
        Progress::Hopped(before) => (before.at, path.captured & !before.captured),
        _ => (path.from, path.captured),
    };
    [Effect::Moved { from, to: path.at }].into_iter().chain(Squares(captured).map(Effect::Captured))
}
