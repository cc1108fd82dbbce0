//! A move of Eximo that is entered step by step, with the reasons for illegal steps.

use super::directions::{LAST_ROW, STEPS};
use super::hops::{Hops, Path};
use super::{Eximo, EximoMove, EximoPosition, drops, steps};
use leap_core::men::man;
use leap_core::notation::{IllegalMove, MoveEffect, PartialMove, Reason, Step};
use leap_core::{Position, Rules, Side, Square, SquareSet};

/// A partly entered move.
#[derive(Clone)]
pub struct EximoPartialMove<'a> {
    position: &'a EximoPosition,
    /// The hops that are legal: captures if one exists, otherwise jumps.
    hops: Hops,
    entered: Entered,
    effects: Vec<MoveEffect>,
}

#[derive(Clone, Copy)]
enum Entered {
    Nothing,
    Lifted(Square),
    Stepped(Path),
    Hopped(Path),
    /// The man has reached the last row, and men have been dropped on these squares.
    Removed(Path, SquareSet),
}

impl<'a> EximoPartialMove<'a> {
    pub(super) fn new(position: &'a EximoPosition) -> Self {
        let hops = super::legal_hops(position, position.side());
        EximoPartialMove { position, hops, entered: Entered::Nothing, effects: Vec::new() }
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    /// The squares where the man on `from` may go first.
    fn destinations(&self, from: Square) -> SquareSet {
        let steps = steps(&self.hops, self.side(), from, self.position.empty());
        steps | self.hops.landings(from, SquareSet::EMPTY)
    }

    fn lift(&self, from: Square) -> Result<Entered, IllegalMove> {
        self.position.check_origin(from, self.destinations(from), self.hops.capture())?;
        Ok(Entered::Lifted(from))
    }

    fn first(&self, from: Square, to: Square) -> Result<Entered, IllegalMove> {
        let path = Path::new(from);
        if !self.destinations(from).contains(to) {
            return Err(self.refusal(path, to, Reason::CaptureMandatory));
        }
        if STEPS[self.side()][from.index()].contains(to) {
            return Ok(self.landed(Path { at: to, ..path }, Entered::Stepped));
        }
        Ok(self.landed(self.hops.extend(path, to), Entered::Hopped))
    }

    fn go_on(&self, path: Path, to: Square) -> Result<Entered, IllegalMove> {
        let landings = self.hops.landings(path.at, path.captured);
        if landings.contains(to) {
            return Ok(self.landed(self.hops.extend(path, to), Entered::Hopped));
        }
        let refusal = self.refusal(path, to, Reason::CannotMix);
        let over = landings.is_empty() && refusal.reason != Reason::CannotMix;
        Err(if over { IllegalMove::at(Reason::TurnEnded, to) } else { refusal })
    }

    /// What is entered with `path`: on the last row the man leaves the board, elsewhere it is `still_there`.
    fn landed(&self, path: Path, still_there: fn(Path) -> Entered) -> Entered {
        if LAST_ROW[self.side()].contains(path.at) {
            Entered::Removed(path, SquareSet::EMPTY)
        } else {
            still_there(path)
        }
    }

    /// Why a man cannot go on to `to`. `other_kind` is the reason if only another kind of move leads there.
    fn refusal(&self, path: Path, to: Square, other_kind: Reason) -> IllegalMove {
        let (files, forward) = self.offset(path.at, to);
        let distance = files.abs().max(forward.abs());
        let is_straight =
            [0, distance].contains(&files.abs()) && [0, distance].contains(&forward.abs());
        let empty = path.emptied(self.position.empty());
        if !is_straight || !(1..=2).contains(&distance) {
            return IllegalMove::at(Reason::NoSuchLine, to);
        }
        if forward < 0 || forward == 0 && distance == 1 {
            return IllegalMove::at(Reason::Backward, to);
        }
        if !empty.contains(to) {
            return IllegalMove::at(Reason::LandingOccupied, to);
        }
        let over = path.at.midpoint(to);
        if distance == 2 && empty.contains(over) {
            return IllegalMove::at(Reason::NothingToJump, over);
        }
        if forward == 0 && self.position.own().contains(over) {
            return IllegalMove::at(Reason::OwnPieceJumped, over);
        }
        IllegalMove::at(other_kind, to)
    }

    /// The number of files to the right, and of ranks forward, from `at` to `to`.
    fn offset(&self, at: Square, to: Square) -> (i32, i32) {
        let file = |square| i32::from(Eximo::GEOMETRY.file(square));
        let rank = |square| i32::from(Eximo::GEOMETRY.rank(square));
        let up = rank(to) - rank(at);
        (file(to) - file(at), if self.side() == Side::One { up } else { -up })
    }

    /// The empty squares of the drop zone after the man on `path` has left the board.
    fn room(&self, path: Path) -> SquareSet {
        drops::room(self.side(), path.emptied(self.position.empty()))
    }

    /// The number of men that must still be dropped.
    fn owed(&self, path: Path, dropped: SquareSet) -> u32 {
        drops::MEN.min(self.room(path).len()) - dropped.len()
    }

    fn drop(&self, square: Square) -> Result<Entered, IllegalMove> {
        let (path, dropped) = match self.entered {
            Entered::Nothing | Entered::Lifted(_) => {
                return Err(IllegalMove::nowhere(Reason::Incomplete));
            }
            Entered::Hopped(_) | Entered::Stepped(_) => {
                self.finish()?;
                return Err(IllegalMove::at(Reason::DropNotAllowed, square));
            }
            Entered::Removed(path, dropped) => (path, dropped),
        };
        let refuse = |reason| Err(IllegalMove::at(reason, square));
        if self.owed(path, dropped) == 0 {
            let none = dropped.is_empty();
            return refuse(if none { Reason::DropNotAllowed } else { Reason::TooManyDrops });
        }
        if !drops::ZONE[self.side()].contains(square) {
            return refuse(Reason::DropOutsideZone);
        }
        if !(self.room(path) & !dropped).contains(square) {
            return refuse(Reason::DropOccupied);
        }
        Ok(Entered::Removed(path, dropped.with(square)))
    }
}

impl PartialMove for EximoPartialMove<'_> {
    type Move = EximoMove;

    fn steps(&self) -> Vec<Step> {
        let squares = match self.entered {
            Entered::Nothing => self.position.movers(|from| self.destinations(from)),
            Entered::Lifted(from) => self.destinations(from),
            Entered::Hopped(path) => self.hops.landings(path.at, path.captured),
            Entered::Removed(path, dropped) if self.owed(path, dropped) > 0 => {
                let room = self.room(path) & !dropped;
                return room.into_iter().map(Step::Drop).collect();
            }
            Entered::Stepped(_) | Entered::Removed(..) => SquareSet::EMPTY,
        };
        squares.into_iter().map(Step::To).collect()
    }

    fn go_to(&mut self, to: Square) -> Result<(), IllegalMove> {
        let (before, after) = match self.entered {
            Entered::Nothing => {
                self.entered = self.lift(to)?;
                return Ok(());
            }
            Entered::Lifted(from) => (Path::new(from), self.first(from, to)?),
            Entered::Hopped(path) => (path, self.go_on(path, to)?),
            Entered::Stepped(_) | Entered::Removed(..) => {
                return Err(IllegalMove::at(Reason::TurnEnded, to));
            }
        };
        self.effects.push(MoveEffect::Moved { from: before.at, to });
        if let Entered::Hopped(path) | Entered::Removed(path, _) = after {
            let captured = path.captured & !before.captured;
            self.effects.extend(captured.into_iter().map(MoveEffect::Captured));
        }
        if let Entered::Removed(..) = after {
            self.effects.push(MoveEffect::Removed(to));
        }
        self.entered = after;
        Ok(())
    }

    fn drop_on(&mut self, square: Square) -> Result<(), IllegalMove> {
        self.entered = self.drop(square)?;
        self.effects.push(MoveEffect::Dropped(square, man(self.side())));
        Ok(())
    }

    fn effects(&self) -> &[MoveEffect] {
        &self.effects
    }

    fn missing_drops(&self) -> u32 {
        match self.entered {
            Entered::Removed(path, dropped) => self.owed(path, dropped),
            _ => 0,
        }
    }

    fn finish(&self) -> Result<EximoMove, IllegalMove> {
        let (path, dropped) = match self.entered {
            Entered::Nothing | Entered::Lifted(_) => {
                return Err(IllegalMove::nowhere(Reason::Incomplete));
            }
            Entered::Hopped(path) if !self.hops.landings(path.at, path.captured).is_empty() => {
                return Err(IllegalMove::at(Reason::MustContinue, path.at));
            }
            Entered::Removed(path, dropped) if self.owed(path, dropped) > 0 => {
                return Err(IllegalMove::at(Reason::DropMissing, path.at));
            }
            Entered::Stepped(path) | Entered::Hopped(path) => (path, SquareSet::EMPTY),
            Entered::Removed(path, dropped) => (path, dropped),
        };
        let mut dropped = dropped.into_iter();
        Ok(EximoMove::new(path, [dropped.next(), dropped.next()]))
    }
}
