//! Ataxx: a stone is cloned onto a neighbouring square or jumps two squares, and takes over the enemy stones around it.
//! Most stones win when nobody can move, or when a side has none left.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    CANNOT_PASS, Diagram, Grid, ListedMove, Notation, Piece, Reason, Setup, SetupError, Step, Steps,
};
use leap_core::{
    BySide, EndReason, Game, GameResult, Geometry, Outcome, Position as _, Rules, Square, SquareSet,
};
use leap_search::eval::LearnedEvaluator;
use leap_search::{Playable, Searchable};

/// The rules. They have no options.
#[derive(Clone, Debug, Default)]
pub struct Ataxx;

/// Where the stones are.
pub type Stones = MenPosition<0xa7a>;

/// A turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A new stone beside an own one. It does not matter beside which.
    Clone(Square),
    Jump(Square, Square),
    Pass,
}

const BOARD: SquareSet = Ataxx::GEOMETRY.all();
/// The squares at distance 1 and 2 of each square.
const RINGS: [[SquareSet; 49]; 2] = {
    let mut rings = [[SquareSet::EMPTY; 49]; 2];
    let mut i = 0;
    while i < 49 * 25 {
        let (from, files, ranks) = (i / 25, (i % 5) as i32 - 2, (i / 5 % 5) as i32 - 2);
        let far = files.abs() == 2 || ranks.abs() == 2;
        if let Some(to) = Ataxx::GEOMETRY.offset(Square::new(from), files, ranks)
            && (files != 0 || ranks != 0)
        {
            let ring = &mut rings[far as usize][from];
            *ring = ring.with(to);
        }
        i += 1;
    }
    rings
};

/// The squares next to a set.
pub fn around(set: SquareSet) -> SquareSet {
    set.into_iter().fold(SquareSet::EMPTY, |all, square| all | RINGS[0][square.index()])
}

/// The squares without a stone.
pub fn empty(position: &Stones) -> SquareSet {
    position.empty() & BOARD
}

/// The squares where these stones may be cloned.
fn clones(position: &Stones, stones: SquareSet) -> SquareSet {
    around(stones) & empty(position)
}

fn can_move(position: &Stones, stones: SquareSet) -> bool {
    let empty = empty(position);
    around(around(stones)).intersects(empty)
}

fn over(position: &Stones) -> bool {
    position.own().is_empty() || position.enemy().is_empty()
}

impl Rules for Ataxx {
    type Position = Stones;
    type Move = Move;

    const GEOMETRY: Geometry = Geometry { files: 7, ranks: 7 }.small();

    fn start(&self) -> Stones {
        let [a1, g1, a7, g7] = [0, 6, 42, 48].map(|index| SquareSet::of(Square::new(index)));
        Stones::start(a7 | g1, a1 | g7)
    }

    fn visit_moves<V>(&self, position: &Stones, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(Move) -> ControlFlow<()>,
    {
        if over(position) {
            return ControlFlow::Continue(());
        }
        let (own, empty) = (position.own(), empty(position));
        if !can_move(position, own) {
            return if can_move(position, position.enemy()) {
                visit(Move::Pass)
            } else {
                ControlFlow::Continue(())
            };
        }
        for square in clones(position, own) | own {
            if own.contains(square) {
                for to in RINGS[1][square.index()] & empty {
                    visit(Move::Jump(square, to))?;
                }
            } else {
                visit(Move::Clone(square))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn has_move(&self, position: &Stones) -> bool {
        !over(position) && can_move(position, position.own() | position.enemy())
    }

    fn is_capture(&self, _: &Stones, _: Move) -> bool {
        false
    }

    fn play_unchecked(&self, position: &mut Stones, mv: Move) {
        let side = position.side();
        if let Move::Jump(from, _) = mv {
            position.men.toggle(side, from);
        }
        if let Move::Clone(to) | Move::Jump(_, to) = mv {
            let taken = RINGS[0][to.index()] & position.enemy();
            position.men.remove(side.other(), taken);
            taken.into_iter().chain([to]).for_each(|stone| position.men.toggle(side, stone));
        }
        position.counters.pass_turn(false);
    }

    fn no_moves(&self, position: &Stones) -> Outcome {
        let result = GameResult::by_count(position.men.count());
        Outcome { result, reason: EndReason::Count }
    }
}

impl Notation for Ataxx {
    type PartialMove<'a> = ListedMove<'a, Self>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("black", "white"),
        pieces: &men::faces("stone"),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &Stones, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    fn from_setup(&self, setup: &Setup) -> Result<Stones, SetupError> {
        Stones::from_setup(setup, 49)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a Stones,
        game: Option<&'a Game<Self>>,
    ) -> ListedMove<'a, Self> {
        ListedMove::new(self, position, game)
    }

    fn route(&self, _: &Stones, mv: Move) -> Steps {
        Steps(match mv {
            Move::Clone(to) => vec![Step::To(to)],
            Move::Jump(from, to) => vec![Step::To(from), Step::To(to)],
            Move::Pass => vec![Step::Pass],
        })
    }
}

impl Searchable for Ataxx {
    type Evaluator = LearnedEvaluator<Self>;
    type EndgameSolver = ();

    fn from_to(mv: Move) -> (Square, Square) {
        match mv {
            Move::Clone(to) => (to, to),
            Move::Jump(from, to) => (from, to),
            Move::Pass => (Square::new(0), Square::new(0)),
        }
    }

    fn gain(&self, position: &Stones, mv: Move) -> i32 {
        let taken = |to: Square| 200 * (RINGS[0][to.index()] & position.enemy()).len() as i32;
        match mv {
            Move::Clone(to) => 100 + taken(to),
            Move::Jump(_, to) => taken(to),
            Move::Pass => 0,
        }
    }
}

impl Playable for Ataxx {
    const ID: &'static str = "ataxx";
    const TITLE: &'static str = "Ataxx";
    const REASONS: &'static [Reason] = &[CANNOT_PASS];
}

#[cfg(test)]
mod tests {
    use leap_core::notation::Notation as _;
    use leap_core::{StopFlag, perft::perft};

    use super::Ataxx;

    leap_core::laws!(Ataxx);
    leap_search::laws!(Ataxx);

    /// A position of UAI as the text of a position: `x5o/7/7/7/7/7/o5x x 0 1`.
    fn from_uai(fen: &str) -> String {
        let mut fields = fen.split(' ');
        let board = fields.next().unwrap().replace('x', "M").replace('o', "m");
        let side = if fields.next() == Some("x") { 1 } else { 2 };
        format!("{board} {side} - 0 0")
    }

    /// The counts of libataxx. A pass is a ply.
    #[test]
    fn move_sequences_are_as_many_as_published() {
        let published: [(&str, &[u64]); 8] = [
            ("7/7/7/7/7/7/7 x 0 1", &[0, 0, 0, 0]),
            ("7/7/7/7/7/7/7 o 0 1", &[0, 0, 0, 0]),
            ("x5o/7/7/7/7/7/o5x x 0 1", &[16, 256, 6460, 155_888, 4_752_668]),
            ("x5o/7/7/7/7/7/o5x o 0 1", &[16, 256, 6460, 155_888, 4_752_668]),
            ("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1", &[1, 75, 249, 14270, 452_980]),
            ("7/7/7/7/ooooooo/ooooooo/xxxxxxx o 0 1", &[75, 249, 14270, 452_980]),
            ("7/7/7/2x1o2/7/7/7 x 0 1", &[23, 419, 7887, 168_317, 4_266_992]),
            ("7/7/7/2x1o2/7/7/7 o 0 1", &[23, 419, 7887, 168_317, 4_266_992]),
        ];
        for (fen, counts) in published {
            let position = Ataxx.parse_position(&from_uai(fen)).unwrap();
            for (depth, count) in (1..).zip(counts) {
                let nodes = perft(&Ataxx, &position, depth, &StopFlag::default());
                assert_eq!(nodes, *count, "{fen} {depth}");
            }
        }
    }
}
