//! Connect Four: discs fall into one of seven columns. Four in a row win.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    Diagram, Grid, ListedMove, Notation, Piece, Setup, SetupError, Step, Steps,
};
use leap_core::{
    BySide, EndReason, Game, GameResult, Geometry, Outcome, Position as _, Repetition, Rules, Side,
    Square, SquareSet,
};
use leap_search::eval::{Evaluator, Terms};
use leap_search::{Playable, Reductions, SearchTuning, Searchable};

#[derive(Clone, Debug, Default)]
pub struct Connect4;

type Discs = MenPosition<0xc4>;

const BOARD: Geometry = Geometry { files: 7, ranks: 6 }.small();

/// The lines of four squares.
const LINES: [SquareSet; 69] = {
    let mut lines = [SquareSet::EMPTY; 69];
    let (mut count, mut index) = (0, 0);
    while index < BOARD.squares() {
        let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)];
        let mut way = 0;
        while way < 4 {
            let (files, ranks) = directions[way];
            if BOARD.offset(Square::new(index), 3 * files, 3 * ranks).is_some() {
                let mut step = 0;
                while step < 4 {
                    let square = BOARD.offset(Square::new(index), step * files, step * ranks);
                    if let Some(square) = square {
                        lines[count] = lines[count].with(square);
                    }
                    step += 1;
                }
                count += 1;
            }
            way += 1;
        }
        index += 1;
    }
    lines
};

/// The directions of lines: the difference of indices, and the squares from which a step does not leave the board.
const STEPS: [(u32, SquareSet); 4] = [
    (1, BOARD.origins(1, 0)),
    (7, BOARD.origins(0, 1)),
    (8, BOARD.origins(1, 1)),
    (6, BOARD.origins(-1, 1)),
];

fn has_four(discs: SquareSet) -> bool {
    // A row of four is found by comparing the board with itself, moved by a square and then by two.
    STEPS.into_iter().any(|(by, SquareSet(origins))| {
        let pairs = discs.0 & (discs.0 & origins) << by;
        let again = pairs & (pairs & origins) << by;
        again & (again & origins) << by != 0
    })
}

/// The squares where a disc that falls makes four in a row with these. Others may be among them that are not empty, or
/// that have an empty square below.
fn completing(SquareSet(discs): SquareSet) -> SquareSet {
    let [row, column, diagonals @ ..] = STEPS;
    // Upright, a disc only comes on top of three.
    let upright = discs << column.0 & discs << 2 * column.0 & discs << 3 * column.0;
    [row, diagonals[0], diagonals[1]].into_iter().fold(SquareSet(upright), |squares, step| {
        let (by, SquareSet(origins)) = step;
        // The squares one step, two and three from a disc, in both directions.
        let (up, down) = (|set: u64| (set & origins) << by, |set: u64| set >> by & origins);
        let (up1, down1) = (up(discs), down(discs));
        let (up2, down2) = (up(up1), down(down1));
        let (up3, down3) = (up(up2), down(down2));
        squares | SquareSet(up1 & up2 & (up3 | down1) | down1 & down2 & (down3 | up1))
    })
}

/// The empty squares on which a disc falls: the lowest of each column.
fn playable(position: &Discs) -> SquareSet {
    let taken = !position.empty().0;
    let board = (1 << BOARD.squares()) - 1;
    SquareSet((taken << 7 | 0x7f) & !taken & board)
}

impl Rules for Connect4 {
    type Position = Discs;
    type Move = Square;

    const GEOMETRY: Geometry = BOARD;

    fn start(&self) -> Discs {
        Discs::start(SquareSet::EMPTY, SquareSet::EMPTY)
    }

    fn visit_moves<V>(&self, position: &Discs, visit: V) -> ControlFlow<()>
    where
        V: FnMut(Square) -> ControlFlow<()>,
    {
        if has_four(position.enemy()) {
            return ControlFlow::Continue(());
        }
        playable(position).into_iter().try_for_each(visit)
    }

    fn is_capture(&self, _: &Discs, _: Square) -> bool {
        false
    }

    fn play_unchecked(&self, position: &mut Discs, square: Square) {
        position.men.toggle(position.side(), square);
        position.counters.pass_turn(false);
    }

    fn no_moves(&self, position: &Discs) -> Outcome {
        if has_four(position.enemy()) {
            let result = GameResult::Win(position.side().other());
            return Outcome { result, reason: EndReason::NoMoves };
        }
        Outcome { result: GameResult::Draw, reason: EndReason::Count }
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
}

impl Notation for Connect4 {
    type PartialMove<'a> = ListedMove<'a, Self>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("red", "yellow"),
        pieces: &men::faces("disc"),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &Discs, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    fn from_setup(&self, setup: &Setup) -> Result<Discs, SetupError> {
        Discs::from_setup(setup, 21)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a Discs,
        game: Option<&'a Game<Self>>,
    ) -> ListedMove<'a, Self> {
        ListedMove::new(self, position, game)
    }

    fn route(&self, _: &Discs, square: Square) -> Steps {
        Steps(vec![Step::To(square)])
    }
}

/// Lines of four that hold discs of one side only, by the number of discs.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluator<Connect4> for Evaluation {
    fn terms(&self, _: &Connect4, position: &Discs) -> Terms {
        const VALUES: [i32; 4] = [0, 2, 10, 40];
        let value = |own: SquareSet, enemy: SquareSet| -> i32 {
            let open = LINES.iter().filter(|line| (**line & enemy).is_empty());
            open.map(|line| VALUES[(*line & own).len().min(3) as usize]).sum()
        };
        let (own, enemy) = (position.own(), position.enemy());
        Terms::from_iter([("lines", value(own, enemy) - value(enemy, own))])
    }
}

impl Searchable for Connect4 {
    type Evaluator = Evaluation;
    type EndgameSolver = ();

    /// No move captures, so there is nothing to play out. An evaluation looks at all lines, which takes long. A match chose
    /// the divisor.
    const TUNING: SearchTuning = SearchTuning {
        evaluation_cache: true,
        quiescence: false,
        reductions: Reductions { divisor: 1.0, ..SearchTuning::DEFAULT.reductions },
        ..SearchTuning::DEFAULT
    };

    fn from_to(square: Square) -> (Square, Square) {
        (square, square)
    }

    fn wins_next(&self, position: &Discs, side: Side) -> bool {
        let fourths = completing(position.men(side)) & playable(position);
        !fourths.is_empty() && !has_four(position.enemy())
    }

    fn gain(&self, _: &Discs, _: Square) -> i32 {
        0
    }
}

impl Playable for Connect4 {
    const ID: &'static str = "connect4";
    const TITLE: &'static str = "Connect Four";
}

#[cfg(test)]
mod tests {
    use super::Connect4;
    use leap_core::{Rules as _, StopFlag, perft::perft};

    leap_core::laws!(Connect4);
    leap_search::laws!(Connect4);

    /// The counts that John Tromp and others have published.
    #[test]
    fn move_sequences_are_as_many_as_published() {
        for (depth, nodes) in (1..).zip([7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234]) {
            assert_eq!(perft(&Connect4, &Connect4.start(), depth, &StopFlag::default()), nodes);
        }
    }
}
