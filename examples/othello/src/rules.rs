//! Othello: a disc turns over all enemy discs between it and another own disc. Who cannot move passes. When nobody can
//! move, the larger number of discs wins.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    CANNOT_PASS, Diagram, GameReason, Grid, IllegalMove, ListedMove, Notation, Piece, Reason,
    Setup, SetupError, Step, Steps,
};
use leap_core::{
    BySide, EndReason, Game, GameResult, Geometry, Outcome, Position as _, Repetition, Rules,
    Square, SquareSet,
};
use leap_search::{Playable, SearchTuning, Searchable};

use super::evaluation::Evaluation;

/// The rules. They have no options.
#[derive(Clone, Debug, Default)]
pub struct Othello;

/// Discs and counters. The number gives the game hash keys of its own.
pub type Discs = MenPosition<0x07e1>;
/// The square of the new disc. `None` is a pass.
pub type Move = Option<Square>;

/// The eight directions, as steps in files and ranks.
const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
/// The squares from which each direction does not leave the board, and the difference of indices.
const SHIFTS: [(SquareSet, i32); 8] = {
    let mut shifts = [(SquareSet::EMPTY, 0); 8];
    let mut i = 0;
    while i < 8 {
        let (files, ranks) = DIRECTIONS[i];
        shifts[i] = (Othello::GEOMETRY.origins(files, ranks), ranks * 8 + files);
        i += 1;
    }
    shifts
};

/// The set, moved a square along a direction.
fn shift(SquareSet(set): SquareSet, (origins, by): (SquareSet, i32)) -> SquareSet {
    let set = set & origins.0;
    SquareSet(if by > 0 { set << by } else { set >> -by })
}

/// The squares where a disc of `own` turns over at least one of `enemy`.
pub fn legal(own: SquareSet, enemy: SquareSet) -> SquareSet {
    let empty = !(own | enemy);
    SHIFTS.into_iter().fold(SquareSet::EMPTY, |legal, direction| {
        let mut line = shift(own, direction) & enemy;
        for _ in 0..5 {
            line |= shift(line, direction) & enemy;
        }
        legal | shift(line, direction) & empty
    })
}

/// The discs that a new disc turns over.
fn flips(own: SquareSet, enemy: SquareSet, square: Square) -> SquareSet {
    SHIFTS.into_iter().fold(SquareSet::EMPTY, |flips, direction| {
        let mut line = SquareSet::EMPTY;
        let mut next = shift(SquareSet::of(square), direction);
        while !(next & enemy).is_empty() {
            line |= next;
            next = shift(next, direction);
        }
        if (next & own).is_empty() { flips } else { flips | line }
    })
}

impl Rules for Othello {
    type Position = Discs;
    type Move = Move;

    const GEOMETRY: Geometry = Geometry { files: 8, ranks: 8 }.small();

    fn start(&self) -> Discs {
        let [d4, e4, d5, e5] = [27, 28, 35, 36].map(|index| SquareSet::of(Square::new(index)));
        Discs::start(e4 | d5, d4 | e5)
    }

    fn visit_moves<V>(&self, position: &Discs, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(Move) -> ControlFlow<()>,
    {
        let squares = legal(position.own(), position.enemy());
        if squares.is_empty() && !legal(position.enemy(), position.own()).is_empty() {
            return visit(None);
        }
        squares.into_iter().try_for_each(|square| visit(Some(square)))
    }

    fn is_capture(&self, _: &Discs, _: Move) -> bool {
        false
    }

    fn play_unchecked(&self, position: &mut Discs, mv: Move) {
        let side = position.side();
        if let Some(square) = mv {
            let flipped = flips(position.own(), position.enemy(), square);
            position.men.remove(side.other(), flipped);
            flipped.into_iter().chain([square]).for_each(|disc| position.men.toggle(side, disc));
        }
        position.counters.pass_turn(false);
    }

    fn no_moves(&self, position: &Discs) -> Outcome {
        Outcome { result: self.count(position), reason: EndReason::Count }
    }

    fn count(&self, position: &Discs) -> GameResult {
        GameResult::by_count(position.men.count())
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
}

const TURNS_NOTHING: Reason =
    Reason::OfGame(&GameReason { code: "turns-nothing", text: "no disc would be turned over" });

/// Why a disc cannot be put onto a square.
fn explain(_: &Othello, position: &Discs, _: &[Step], step: Step) -> Option<IllegalMove> {
    let Step::To(square) = step else { return None };
    position.empty().contains(square).then(|| IllegalMove::at(TURNS_NOTHING, square))
}

impl Notation for Othello {
    type PartialMove<'a> = ListedMove<'a, Self>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("black", "white"),
        pieces: &men::faces("disc"),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &Discs, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    fn from_setup(&self, setup: &Setup) -> Result<Discs, SetupError> {
        Discs::from_setup(setup, 64)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a Discs,
        game: Option<&'a Game<Self>>,
    ) -> ListedMove<'a, Self> {
        ListedMove::new(self, position, game).explained_by(explain)
    }

    fn route(&self, _: &Discs, mv: Move) -> Steps {
        Steps(vec![mv.map_or(Step::Pass, Step::To)])
    }
}

impl Searchable for Othello {
    type Evaluator = Evaluation;
    type EndgameSolver = ();

    /// No move captures, so there is nothing to play out.
    const TUNING: SearchTuning = SearchTuning { quiescence: false, ..SearchTuning::DEFAULT };

    fn from_to(mv: Move) -> (Square, Square) {
        let square = mv.unwrap_or(Square::new(0));
        (square, square)
    }

    fn gain(&self, _: &Discs, _: Move) -> i32 {
        0
    }
}

impl Playable for Othello {
    const ID: &'static str = "othello";
    const TITLE: &'static str = "Othello";
    const REASONS: &'static [Reason] = &[TURNS_NOTHING, CANNOT_PASS];
}

#[cfg(test)]
mod tests {
    use leap_core::{Rules as _, StopFlag, perft::perft};

    use super::Othello;

    leap_core::laws!(Othello);
    leap_search::laws!(Othello);

    /// The counts that all programs for Othello agree on. A pass is a ply.
    #[test]
    fn move_sequences_are_as_many_as_published() {
        let rules = Othello;
        for (depth, nodes) in (1..).zip([4, 12, 56, 244, 1396, 8200, 55092, 390_216]) {
            assert_eq!(
                perft(&rules, &rules.start(), depth, &StopFlag::default()),
                nodes,
                "{depth}"
            );
        }
    }
}
