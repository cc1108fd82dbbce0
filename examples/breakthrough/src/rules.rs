//! Breakthrough: men step ahead, straight or diagonally, and capture diagonally. The first man on the last row wins.

use std::ops::ControlFlow;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{
    Diagram, Grid, ListedMove, Notation, Piece, Setup, SetupError, Step, Steps,
};
use leap_core::{
    BySide, Game, Geometry, Position as _, Repetition, Rules, Side, Square, SquareSet,
};
use leap_search::{Playable, SearchTuning, Searchable};

use super::evaluation::{Evaluation, MAN};

/// The rules. They have no options, and every game ends by itself.
#[derive(Clone, Debug, Default)]
pub struct Breakthrough;

/// Men and counters. The number gives the game hash keys of its own.
pub type Men = MenPosition<0xb7>;
/// The squares from which and to which a man goes.
type Move = (Square, Square);

/// The men of a side at the start.
const MEN: u32 = 16;
const LAST_ROWS: BySide<SquareSet> = BySide::new(SquareSet(0xff << 56), SquareSet(0xff));
/// The squares from which a step to the left, straight ahead and to the right does not leave the board.
const ORIGINS: [SquareSet; 3] = {
    let board = Breakthrough::GEOMETRY;
    [board.origins(-1, 0), board.origins(0, 0), board.origins(1, 0)]
};
/// The rows before the last. From there a man can always go on: one of two diagonals, or the only one, is free of own men.
const ROWS_BEFORE: BySide<SquareSet> = BySide::new(SquareSet(0xff << 48), SquareSet(0xff << 8));

/// Whether a side has a man on the last row.
fn has_won(position: &Men, side: Side) -> bool {
    position.men(side).intersects(LAST_ROWS[side])
}

/// The squares one row ahead of a side's men, and `files` to their right.
fn ahead(men: SquareSet, side: Side, files: i32) -> SquareSet {
    let row = if side == Side::One { 8 } else { -8 };
    (men & ORIGINS[(files + 1) as usize]).shift(row + files)
}

/// Where these men of the side to move may go.
fn destinations(position: &Men, men: SquareSet) -> SquareSet {
    let to = |files| ahead(men, position.side(), files);
    to(0) & position.empty() | (to(-1) | to(1)) & !position.own()
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
        if has_won(position, position.side().other()) {
            return ControlFlow::Continue(());
        }
        for from in position.own() {
            for to in destinations(position, SquareSet::of(from)) {
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

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
}

impl Notation for Breakthrough {
    type PartialMove<'a> = ListedMove<'a, Self>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("white", "black"),
        pieces: &men::faces("man"),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &Men, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    fn from_setup(&self, setup: &Setup) -> Result<Men, SetupError> {
        Men::from_setup(setup, MEN)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a Men,
        game: Option<&'a Game<Self>>,
    ) -> ListedMove<'a, Self> {
        ListedMove::new(self, position, game)
    }

    fn route(&self, _: &Men, (from, to): Move) -> Steps {
        Steps(vec![Step::To(from), Step::To(to)])
    }
}

impl Searchable for Breakthrough {
    type Evaluator = Evaluation;
    type EndgameSolver = ();

    /// Where a capture or a killer is enough, the many other moves are not ranked.
    const TUNING: SearchTuning =
        SearchTuning { captures_first: true, killer_depth: 1, ..SearchTuning::DEFAULT };

    fn has_quiet_move(&self, position: &Men) -> bool {
        destinations(position, position.own()).intersects(position.empty())
            && !has_won(position, position.side().other())
    }

    fn from_to(mv: Move) -> (Square, Square) {
        mv
    }

    fn wins_next(&self, position: &Men, side: Side) -> bool {
        let is_over = Side::BOTH.into_iter().any(|side| has_won(position, side));
        position.men(side).intersects(ROWS_BEFORE[side]) && !is_over
    }

    fn gain(&self, position: &Men, (_, to): Move) -> i32 {
        MAN * i32::from(position.enemy().contains(to))
    }
}

impl Playable for Breakthrough {
    const ID: &'static str = "breakthrough";
    const TITLE: &'static str = "Breakthrough";
}

#[cfg(test)]
mod tests {
    use super::Breakthrough;

    leap_core::laws!(Breakthrough);
    leap_search::laws!(Breakthrough);
}
