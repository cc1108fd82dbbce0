//! Advance: positions, moves and texts.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    Setup, Diagram, Piece, Illegal, MoveEffect, Notation, Reason, SetupError, Step, Steps,
    Tally, PartialMove,
};
use leap_core::{Game, Geometry, BySide, Rules, PlyLimit, Position, Side, Square, SquareSet};

/// The rules of Advance in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Option `MaxPlies`: the ply that ends the game; 0 = no limit.
    pub max_plies: u32,
}

impl Default for Advance {
    fn default() -> Self {
        Self { max_plies: 400 }
    }
}

/// A position of Advance.
pub type AdvancePosition = MenPosition<0xad>;

/// A move: origin and destination.
pub type AdvanceMove = (Square, Square);

/// The most men that a side may have.
const MEN: u32 = 8;

/// Where the man of the side to move on `from` may go.
fn destinations(position: &AdvancePosition, from: Square) -> SquareSet {
    let ahead = if position.side() == Side::One { 1 } else { -1 };
    let to = |files| Advance::GEOMETRY.offset(from, files, ahead);
    let straight = to(0).filter(|to| position.empty().contains(*to));
    let diagonal = [-1, 1].into_iter().filter_map(to);
    straight.into_iter().chain(diagonal.filter(|to| position.enemy().contains(*to))).collect()
}

impl Rules for Advance {
    type Position = AdvancePosition;
    type Move = AdvanceMove;

    const GEOMETRY: Geometry = Geometry { files: 4, ranks: 4 }.small();

    fn start(&self) -> AdvancePosition {
        AdvancePosition::start(SquareSet(0x000f), SquareSet(0xf000))
    }

    fn visit_moves<V>(&self, position: &AdvancePosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(AdvanceMove) -> ControlFlow<()>,
    {
        for from in position.own() {
            for to in destinations(position, from) {
                visit((from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&self, position: &mut AdvancePosition, (from, to): AdvanceMove) {
        let side = position.side();
        let captured = position.enemy() & SquareSet::of(to);
        position.men.toggle(side, from);
        position.men.toggle(side, to);
        position.men.remove(side.other(), captured);
        position.counters.pass_turn(!captured.is_empty());
    }

    fn ply_limit(&self, position: &AdvancePosition) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }

    fn is_capture(&self, position: &AdvancePosition, (_, to): AdvanceMove) -> bool {
        position.enemy().contains(to)
    }
}

/// A partly entered move.
#[derive(Clone)]
pub struct AdvancePartialMove<'a> {
    position: &'a AdvancePosition,
    squares: Vec<Square>,
    effects: Vec<MoveEffect>,
}

impl PartialMove for AdvancePartialMove<'_> {
    type Move = AdvanceMove;

    fn steps(&self) -> Vec<Step> {
        let squares = match self.squares[..] {
            [] => self.position.movers(|from| destinations(self.position, from)),
            [from] => destinations(self.position, from),
            _ => SquareSet::EMPTY,
        };
        squares.into_iter().map(Step::To).collect()
    }

    fn go_to(&mut self, to: Square) -> Result<(), Illegal> {
        match self.squares[..] {
            [] => {
                self.position.check_origin(to, destinations(self.position, to), false)?;
            }
            [from] if destinations(self.position, from).contains(to) => {
                if self.position.enemy().contains(to) {
                    self.effects.push(MoveEffect::Captured(to));
                }
                self.effects.push(MoveEffect::Moved { from, to });
            }
            [_] if !self.position.empty().contains(to) => {
                return Err(Illegal::at(Reason::LandingOccupied, to));
            }
            [_] => return Err(Illegal::at(Reason::NoSuchLine, to)),
            _ => return Err(Illegal::at(Reason::TurnEnded, to)),
        }
        self.squares.push(to);
        Ok(())
    }

    fn effects(&self) -> &[MoveEffect] {
        &self.effects
    }

    fn finish(&self) -> Result<AdvanceMove, Illegal> {
        match self.squares[..] {
            [from, to] => Ok((from, to)),
            _ => Err(Illegal::nowhere(Reason::Incomplete)),
        }
    }
}

impl Notation for Advance {
    type PartialMove<'a> = AdvancePartialMove<'a>;

    const LETTERS: &'static str = men::LETTERS;
    const DIAGRAM: Diagram =
        Diagram { colours: BySide::new("white", "black"), pieces: &men::faces("man"), lines: &[] };

    fn piece(&self, position: &AdvancePosition, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    fn from_setup(&self, setup: &Setup) -> Result<AdvancePosition, SetupError> {
        AdvancePosition::from_setup(setup, MEN)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a AdvancePosition,
        _: Option<&'a Game<Self>>,
    ) -> AdvancePartialMove<'a> {
        AdvancePartialMove { position, squares: Vec::new(), effects: Vec::new() }
    }

    fn route(&self, _: &AdvancePosition, (from, to): AdvanceMove) -> Steps {
        Steps(vec![Step::To(from), Step::To(to)])
    }

    fn tally(&self, position: &AdvancePosition) -> Vec<(&'static str, Tally)> {
        vec![("men", Tally::Each(position.men.count()))]
    }
}
