//! Breakthrough: men step ahead, straight or diagonally, and capture diagonally. The first man on the last row wins.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    Diagram, Grid, Illegal, MoveEffect, Notation, PartialMove, Piece, Reason, Setup, SetupError, Step,
    Steps, Tally,
};
use leap_core::{BySide, Game, Geometry, PlyLimit, Position, Rules, Side, Square, SquareSet};
use leap_search::eval::{Evaluator, Terms};
use leap_search::{Playable, Searchable};

/// The rules in force.
#[derive(Clone, Debug)]
pub struct Breakthrough {
    /// The ply that ends the game; 0 is never.
    max_plies: u32,
}

impl Default for Breakthrough {
    fn default() -> Self {
        Self { max_plies: 400 }
    }
}

/// Men and counters. The number gives the game hash keys of its own.
type Men = MenPosition<0xb7>;
/// The squares from which and to which a man goes.
type Move = (Square, Square);

/// The men of a side at the start.
const MEN: u32 = 16;
const LAST_ROWS: BySide<SquareSet> = BySide::new(SquareSet(0xff << 56), SquareSet(0xff));

/// Where the man of the side to move on `from` may go. Nowhere if the other side has won.
fn destinations(position: &Men, from: Square) -> SquareSet {
    let enemy = position.side().other();
    if !(position.men(enemy) & LAST_ROWS[enemy]).is_empty() {
        return SquareSet::EMPTY;
    }
    let ahead = if position.side() == Side::One { 1 } else { -1 };
    let to = |files| Breakthrough::GEOMETRY.offset(from, files, ahead);
    let straight = to(0).filter(|to| position.empty().contains(*to));
    let diagonal = [-1, 1].into_iter().filter_map(to).filter(|to| !position.own().contains(*to));
    straight.into_iter().chain(diagonal).collect()
}

impl Rules for Breakthrough {
    type Position = Men;
    type Move = Move;

    const GEOMETRY: Geometry = Geometry { files: 8, ranks: 8 }.small();

    fn start(&self) -> Men {
        Men::start(SquareSet(0xffff), SquareSet(0xffff << 48))
    }

    fn visit_moves<V>(&self, position: &Men, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(Move) -> ControlFlow<()>,
    {
        for from in position.own() {
            for to in destinations(position, from) {
                visit((from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_capture(&self, position: &Men, (_, to): Move) -> bool {
        position.enemy().contains(to)
    }

    fn play_unchecked(&self, position: &mut Men, (from, to): Move) {
        let side = position.side();
        let captured = position.enemy() & SquareSet::of(to);
        position.men.toggle(side, from);
        position.men.toggle(side, to);
        position.men.remove(side.other(), captured);
        position.counters.pass_turn(!captured.is_empty());
    }

    fn ply_limit(&self, position: &Men) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }
}

/// A move that is being entered.
#[derive(Clone)]
pub struct Entered<'a> {
    position: &'a Men,
    squares: Vec<Square>,
    effects: Vec<MoveEffect>,
}

impl PartialMove for Entered<'_> {
    type Move = Move;

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
            [_] if self.position.own().contains(to) => {
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

    fn finish(&self) -> Result<Move, Illegal> {
        match self.squares[..] {
            [from, to] => Ok((from, to)),
            _ => Err(Illegal::nowhere(Reason::Incomplete)),
        }
    }
}

impl Notation for Breakthrough {
    type PartialMove<'a> = Entered<'a>;

    const LETTERS: &'static str = men::LETTERS;
    const DIAGRAM: Diagram =
        Diagram { colours: BySide::new("white", "black"), pieces: &men::faces("man"), grid: Grid::Cells };

    fn piece(&self, position: &Men, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    fn from_setup(&self, setup: &Setup) -> Result<Men, SetupError> {
        Men::from_setup(setup, MEN)
    }

    fn partial_move<'a>(&'a self, position: &'a Men, _: Option<&'a Game<Self>>) -> Entered<'a> {
        Entered { position, squares: Vec::new(), effects: Vec::new() }
    }

    fn route(&self, _: &Men, (from, to): Move) -> Steps {
        Steps(vec![Step::To(from), Step::To(to)])
    }

    fn tally(&self, position: &Men) -> Vec<(&'static str, Tally)> {
        vec![("men", Tally::Each(position.men.count()))]
    }
}

const MAN: i32 = 100;
/// The value of a row that a man has gone, in centipawns.
const ROW: i32 = 5;

/// Men, and how far they have come.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Breakthrough> for Evaluation {
    fn terms(&self, _: &Breakthrough, position: &Men) -> Terms {
        let side = position.side();
        let men = BySide::from_fn(|side| MAN * position.men(side).len() as i32);
        let rows = |side: Side, square: Square| {
            let row = (square.index() / 8) as i32;
            if side == Side::One { row } else { 7 - row }
        };
        let gone = BySide::from_fn(|side| {
            position.men(side).into_iter().map(|square| ROW * rows(side, square)).sum()
        });
        Terms::from_iter([("men", men.balance(side)), ("rows", gone.balance(side))])
    }
}

impl Searchable for Breakthrough {
    type Evaluator = Evaluation;
    type EndgameSolver = ();

    fn from_to(mv: Move) -> (Square, Square) {
        mv
    }

    fn gain(&self, position: &Men, (_, to): Move) -> i32 {
        MAN * i32::from(position.enemy().contains(to))
    }
}

impl Playable for Breakthrough {
    const ID: &'static str = "breakthrough";
    const TITLE: &'static str = "Breakthrough";

    fn max_plies(&mut self) -> Option<&mut u32> {
        Some(&mut self.max_plies)
    }
}
