//! Hex: the players put stones onto cells in turn. Player 1 wants to connect the first rank with the last, player 2 the
//! first file with the last. One of them succeeds. There is no swap of sides here.

use std::ops::ControlFlow;

use leap_core::men::{self, man};
use leap_core::notation::{
    Diagram, Field, Grid, IllegalMove, ListedMove, Notation, Piece, Reason, Setup, SetupError,
    Step, Steps,
};
use leap_core::{
    BySide, Counters, Game, Geometry, Key, Position, Repetition, Rules, Side, Square, StopFlag,
    keys,
};
use leap_search::{Playable, SearchTuning, Searchable};

use super::cells::{Cells, SIZE};
use super::evaluation::Evaluation;

/// The rules. They have no options, and every game ends by itself.
#[derive(Clone, Debug, Default)]
pub struct Hex;

/// The edges that each side wants to connect.
pub const GOALS: BySide<[Cells; 2]> = BySide::new(Cells::RANKS, Cells::FILES);

/// Stones and counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    stones: BySide<Cells>,
    /// Whether the side that moved last has connected its edges.
    is_won: bool,
    key: Key,
    counters: Counters,
}

impl Board {
    /// The stones of a side.
    pub fn stones(&self, side: Side) -> Cells {
        self.stones[side]
    }

    /// The cells without a stone.
    pub fn empty(&self) -> Cells {
        !(self.stones[Side::One] | self.stones[Side::Two])
    }

    fn put(&mut self, side: Side, square: Square) {
        self.stones[side] = self.stones[side] | Cells::of(square);
        self.key ^= KEYS[side][square.index()];
    }
}

/// What a stone adds to the key, by side and cell.
static KEYS: BySide<[Key; (SIZE * SIZE) as usize]> =
    BySide::new(keys::table(0x6e1), keys::table(0x6e2));

/// Whether a side's stones connect its edges.
fn connects(stones: Cells, side: Side) -> bool {
    let [from, to] = GOALS[side];
    !((stones & from).flood(stones) & to).is_empty()
}

impl Position for Board {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn board_key(&self) -> Key {
        self.key
    }

    fn fresh_board_key(&self) -> Key {
        let keys = |side| self.stones(side).iter().map(move |square| KEYS[side][square.index()]);
        Side::BOTH.into_iter().flat_map(keys).fold(0, |sum, key| sum ^ key)
    }

    fn same_board(&self, other: &Self) -> bool {
        self.stones == other.stones
    }
}

impl Rules for Hex {
    type Position = Board;
    type Move = Square;

    const GEOMETRY: Geometry = Geometry { files: SIZE as u8, ranks: SIZE as u8 };

    fn start(&self) -> Board {
        Board { stones: BySide::default(), is_won: false, key: 0, counters: Counters::START }
    }

    fn visit_moves<V>(&self, position: &Board, visit: V) -> ControlFlow<()>
    where
        V: FnMut(Square) -> ControlFlow<()>,
    {
        if position.is_won {
            return ControlFlow::Continue(());
        }
        position.empty().iter().try_for_each(visit)
    }

    fn count_moves(&self, position: &Board, _: &StopFlag) -> u64 {
        if position.is_won { 0 } else { position.empty().len().into() }
    }

    fn is_capture(&self, _: &Board, _: Square) -> bool {
        false
    }

    fn play_unchecked(&self, position: &mut Board, square: Square) {
        let side = position.side();
        position.put(side, square);
        position.is_won = connects(position.stones[side], side);
        position.counters.pass_turn(false);
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
}

/// Why a stone cannot be put onto a cell.
fn explain(_: &Hex, _: &Board, entered: &[Step], step: Step) -> Option<IllegalMove> {
    let (Step::To(square), true) = (step, entered.is_empty()) else { return None };
    Some(IllegalMove::at(Reason::DropOccupied, square))
}

impl Notation for Hex {
    type PartialMove<'a> = ListedMove<'a, Self>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("black", "white"),
        pieces: &men::faces("stone"),
        grid: Grid::Hexagons(&[]),
    };

    fn piece(&self, position: &Board, square: Square) -> Option<Piece> {
        Side::BOTH.into_iter().find(|side| position.stones[*side].contains(square)).map(man)
    }

    fn from_setup(&self, setup: &Setup) -> Result<Board, SetupError> {
        setup.expect_no_extra()?;
        let mut board = Board { counters: setup.counters, ..self.start() };
        for side in Side::BOTH {
            setup.squares(man(side)).for_each(|square| board.put(side, square));
        }
        let mover = board.side();
        if connects(board.stones[mover], mover) {
            let text = "the side to move has connected its edges already";
            return Err(SetupError::field(Field::Board, text));
        }
        board.is_won = connects(board.stones[mover.other()], mover.other());
        Ok(board)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a Board,
        game: Option<&'a Game<Self>>,
    ) -> ListedMove<'a, Self> {
        ListedMove::new(self, position, game).explained_by(explain)
    }

    fn route(&self, _: &Board, square: Square) -> Steps {
        Steps(vec![Step::To(square)])
    }
}

impl Searchable for Hex {
    type Evaluator = Evaluation;
    type EndgameSolver = ();

    const TUNING: SearchTuning = SearchTuning { quiescence: false, ..SearchTuning::DEFAULT };

    fn from_to(square: Square) -> (Square, Square) {
        (square, square)
    }

    fn gain(&self, _: &Board, _: Square) -> i32 {
        0
    }
}

impl Playable for Hex {
    const ID: &'static str = "hex";
    const TITLE: &'static str = "Hex";
}

#[cfg(test)]
mod tests {
    use leap_core::Game;
    use leap_core::notation::Notation as _;

    use super::Hex;

    leap_core::laws!(Hex);
    leap_search::laws!(Hex);

    #[test]
    fn a_chain_between_the_edges_wins() {
        let rules = Hex;
        let before = "11/11/11/11/11/11/11/11/11/mmmmmmmmm2/MMMMMMMMM2 2 - 18 18";
        let mut game = Game::new(rules.clone(), rules.parse_position(before).unwrap());
        for (text, is_over) in [("j2", false), ("k11", false), ("k2", true)] {
            assert!(game.outcome().is_none());
            game.push(game.parse_move(text).unwrap());
            assert_eq!(game.outcome().is_some(), is_over, "{text}");
        }
        assert_eq!(game.outcome().unwrap().to_string(), "0-1 (no-moves)");
    }
}
