//! Tiny games for the tests of the search, which show in a few moves what real ones show only deep in the tree.

pub mod boards;
pub mod cases;
pub mod random;

use std::ops::ControlFlow;

use leap_core::{
    BySide, Counters, EndReason, GameResult, Geometry, Key, Outcome, PlyLimit, Position,
    Repetition, Rules, Side, SplitMix64, Square,
};
use leap_search::eval::{Evaluator, Terms};
use leap_search::{SearchTuning, Searchable};

/// Coins in a row, of which the players take one or two from the end in turn; a player who took two takes one more. The
/// larger sum wins.
#[derive(Clone, Debug)]
pub struct Coins {
    /// What each coin is worth; the last is taken first.
    pub values: Vec<u32>,
    /// Whether the evaluation panics in a thread of this name.
    pub panics_in: fn(&str) -> bool,
}

impl Coins {
    /// Coins of these values, and an evaluation that never panics.
    #[must_use]
    pub fn new(values: Vec<u32>) -> Self {
        Self { values, panics_in: |_| false }
    }
}

/// How many coins are left, and who has taken what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CoinsPosition {
    left: usize,
    again: bool,
    taken: BySide<u32>,
    counters: Counters,
}

impl Position for CoinsPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn board_key(&self) -> Key {
        self.fresh_board_key()
    }

    fn fresh_board_key(&self) -> Key {
        let [one, two] = Side::BOTH.map(|side| u64::from(self.taken[side]));
        let fields = [self.left as u64, one, two];
        fields
            .into_iter()
            .fold(u64::from(self.again), |key, field| SplitMix64::new(key ^ field << 20).draw())
    }

    fn same_board(&self, other: &Self) -> bool {
        (self.left, self.again, self.taken) == (other.left, other.again, other.taken)
    }
}

impl Rules for Coins {
    type Position = CoinsPosition;
    type Move = usize;

    const GEOMETRY: Geometry = Geometry { files: 3, ranks: 1 };

    fn start(&self) -> CoinsPosition {
        let left = self.values.len();
        CoinsPosition { left, again: false, taken: BySide::new(0, 0), counters: Counters::START }
    }

    fn visit_moves<V>(&self, position: &CoinsPosition, visit: V) -> ControlFlow<()>
    where
        V: FnMut(usize) -> ControlFlow<()>,
    {
        let most = if position.again { 1 } else { 2 };
        (1..=most.min(position.left)).try_for_each(visit)
    }

    fn play_unchecked(&self, position: &mut CoinsPosition, mv: usize) {
        let side = position.side();
        let end = position.left;
        position.left -= mv;
        position.taken[side] += self.values[position.left..end].iter().sum::<u32>();
        position.counters.advance(true);
        position.again = mv == 2;
        if !position.again {
            position.counters.side = side.other();
        }
    }

    fn no_moves(&self, position: &CoinsPosition) -> Outcome {
        Outcome { result: self.count(position), reason: EndReason::Count }
    }

    fn count(&self, position: &CoinsPosition) -> GameResult {
        GameResult::by_count(position.taken)
    }

    fn ply_limit(&self, _: &CoinsPosition) -> Option<PlyLimit> {
        None
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }

    fn is_capture(&self, _: &CoinsPosition, _: usize) -> bool {
        true
    }
}

impl Searchable for Coins {
    type Evaluator = ToyEvaluator;
    type EndgameSolver = ();

    const TUNING: SearchTuning = SearchTuning { quiescence: false, ..SearchTuning::DEFAULT };

    fn from_to(mv: usize) -> (Square, Square) {
        (Square::new(0), Square::new(mv))
    }

    fn gain(&self, position: &CoinsPosition, mv: usize) -> i32 {
        100 * self.values[position.left - mv..position.left].iter().sum::<u32>() as i32
    }
}

/// The evaluation of the toys.
#[derive(Clone, Debug, Default)]
pub struct ToyEvaluator;

impl Evaluator<Coins> for ToyEvaluator {
    fn terms(&self, game: &Coins, position: &CoinsPosition) -> Terms {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        assert!(!(game.panics_in)(&name), "a fault for the test");
        let taken = position.taken.map(|taken| 100 * taken as i32);
        Terms::from_iter([("taken", taken.balance(position.side()))])
    }
}

/// A token that both sides move in turn along the arrows of a graph; a side that cannot move loses.
#[derive(Clone, Debug)]
pub struct Walk {
    /// For each place the places that arrows lead to.
    pub arrows: &'static [&'static [usize]],
    /// What the repetition of a place does.
    pub repetition: Repetition,
    /// Who wins when a repetition or the last ply ends the game.
    pub count: GameResult,
    /// The last ply; 0 for none.
    pub max_plies: u32,
}

/// Where the token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalkPosition {
    at: usize,
    counters: Counters,
}

impl Position for WalkPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn board_key(&self) -> Key {
        self.fresh_board_key()
    }

    fn fresh_board_key(&self) -> Key {
        SplitMix64::new(self.at as u64).draw()
    }

    fn same_board(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Rules for Walk {
    type Position = WalkPosition;
    type Move = (usize, usize);

    const GEOMETRY: Geometry = Geometry { files: 12, ranks: 1 };

    fn start(&self) -> WalkPosition {
        WalkPosition { at: 0, counters: Counters::START }
    }

    fn visit_moves<V>(&self, position: &WalkPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut((usize, usize)) -> ControlFlow<()>,
    {
        self.arrows[position.at].iter().try_for_each(|to| visit((position.at, *to)))
    }

    fn play_unchecked(&self, position: &mut WalkPosition, (_, to): (usize, usize)) {
        position.at = to;
        position.counters.pass_turn(false);
    }

    fn count(&self, _: &WalkPosition) -> GameResult {
        self.count
    }

    fn ply_limit(&self, position: &WalkPosition) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn is_capture(&self, _: &WalkPosition, _: (usize, usize)) -> bool {
        false
    }
}

impl Searchable for Walk {
    type Evaluator = ToyEvaluator;
    type EndgameSolver = ();

    fn from_to((from, to): (usize, usize)) -> (Square, Square) {
        (Square::new(from), Square::new(to))
    }

    /// Whether an arrow leads to a place without arrows.
    fn wins_next(&self, position: &WalkPosition, _: Side) -> bool {
        self.arrows[position.at].iter().any(|to| self.arrows[*to].is_empty())
    }

    fn gain(&self, _: &WalkPosition, _: (usize, usize)) -> i32 {
        0
    }
}

impl Evaluator<Walk> for ToyEvaluator {
    fn terms(&self, _: &Walk, _: &WalkPosition) -> Terms {
        Terms::new()
    }
}

/// The side that begins.
pub const FIRST_WINS: GameResult = GameResult::Win(Side::One);
