//! Connect Four: discs fall into one of seven columns. Four in a row win.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    Diagram, Grid, ListedMove, Notation, Piece, Setup, SetupError, Step, Steps,
};
use leap_core::{
    BySide, EndReason, Game, GameResult, Geometry, Outcome, Position as _, Repetition, Rules,
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

fn has_four(discs: SquareSet) -> bool {
    // A row of four is found by comparing the board with itself, moved by a square and then by two. The step to the
    // next rank is 7, so moved rows must not run over an edge.
    const EDGE: [(u32, SquareSet); 4] = [
        (1, BOARD.origins(1, 0)),
        (7, BOARD.origins(0, 1)),
        (8, BOARD.origins(1, 1)),
        (6, BOARD.origins(-1, 1)),
    ];
    EDGE.into_iter().any(|(by, SquareSet(origins))| {
        let pairs = discs.0 & (discs.0 & origins) << by;
        let again = pairs & (pairs & origins) << by;
        again & (again & origins) << by != 0
    })
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
        let taken = !position.empty().0;
        let board = (1 << BOARD.squares()) - 1;
        // The lowest empty square of each column is above a disc or on the first rank.
        SquareSet((taken << 7 | 0x7f) & !taken & board).into_iter().try_for_each(visit)
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

    /// No move captures, so there is nothing to play out. A match chose the divisor.
    const TUNING: SearchTuning = SearchTuning {
        quiescence: false,
        reductions: Reductions { divisor: 1.0, ..SearchTuning::DEFAULT.reductions },
        ..SearchTuning::DEFAULT
    };

    fn from_to(square: Square) -> (Square, Square) {
        (square, square)
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
