//! Froglet: 144 frogs on 12x12 squares. Hops over frogs of any colour score points (SPEC 14).

mod choice;
mod count;
mod lattice;
mod partial_move;
mod regions;
mod trail;

use std::ops::ControlFlow;

use count::count_trails;
use lattice::{ALL, CLASSES, Edges, Lattice, Place, Quarters, cells, places, squares};
pub use partial_move::FrogletPartialMove;
#[cfg(feature = "eval")]
pub(in crate::froglet) use partial_move::{MUST_REMOVE, NOT_GREEN};
pub use regions::Footprint;
use trail::{CancelCheck, Trail, Worth, smallest_trail};

use leap_core::SplitMix64;
use leap_core::notation::{
    Diagram, Field, Grid, Notation, Piece, PieceKind, Setup, SetupError, Step, Steps, Tally,
};
use leap_core::{
    BySide, Counters, EndReason, Game, GameResult, Geometry, Key, Outcome, PlyLimit, Position,
    Repetition, Rules, Side, Square, StopFlag, keys,
};

/// The kinds of frogs with their number at the start (SPEC 14.2, 14.3). The index of a kind is its points minus one.
const FROGS: [(char, usize); 4] = [('G', 66), ('Y', 51), ('R', 21), ('B', 6)];

/// The points of a player are counted up to this number (SPEC 14.5).
const MAX_POINTS: u32 = 65_535;

/// The rules of Froglet in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Froglet {
    /// Option `FrogletSeed`: chooses the filling of the board at the start.
    pub seed: u64,
    /// Option `FrogletFirstFrogScores`: whether the frog removed from a full board scores.
    pub first_frog_scores: bool,
    /// Option `MaxPlies`: the ply that ends the game. 0 means no limit.
    pub max_plies: u32,
}

impl Default for Froglet {
    fn default() -> Self {
        Self { seed: 1, first_frog_scores: false, max_plies: 400 }
    }
}

/// A position of Froglet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrogletPosition {
    /// The squares with a frog.
    frogs: Quarters,
    /// The low bits of the kinds: set for yellow and blue frogs, and for no other squares.
    low: Quarters,
    /// The high bits of the kinds: set for red and blue frogs, and for no other squares.
    high: Quarters,
    points: BySide<u32>,
    counters: Counters,
    /// The key of the frogs alone.
    frogs_key: Key,
}

/// A move: origin, destination and the set of frogs jumped. A removal has equal squares and no frogs.
///
/// A frog hops over a yellow frog and a red frog, for five points:
///
/// ```text
///  5  . . . . . .    . . . . . .
///  4  . . R . . .    . . . G . .
///  3  . Y . . . .    . . . . . .
///  2  . G . . . .    . . . . . .
///  1  . . . . . .    . . . . . .
///     a b c d e f    a b c d e f
/// ```
///
/// ```
/// use leap_core::notation::{Notation, PositionError};
/// use leap_core::RulesExt;
/// use leap_games::froglet::Froglet;
///
/// let rules = Froglet::default();
/// let position = rules.parse_position("12/12/12/12/12/12/12/12/2R9/1Y10/1G10/12 1 10-12 0 60")?;
/// let mv = rules.parse_move(&position, "b2b4d4").unwrap();
/// let after = rules.after(&position, mv);
/// assert_eq!(rules.print_position(&after), "12/12/12/12/12/12/12/12/3G8/12/12/12 2 15-12 0 61");
/// # Ok::<(), PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrogletMove {
    /// The square where the frog starts.
    pub from: Square,
    /// The square where the frog ends. Both squares are equal for a removal.
    pub to: Square,
    /// The frogs jumped, as edges of the lattice that the moving frog lands on.
    jumped: Edges,
}

impl FrogletMove {
    const fn removal(square: Square) -> Self {
        Self { from: square, to: square, jumped: Edges::NONE }
    }

    const fn is_removal(self) -> bool {
        self.jumped.is_empty()
    }

    /// The frogs that the move jumps over.
    const fn jumped(self) -> Quarters {
        self.jumped.frogs(Place::of(self.from).class)
    }
}

/// A key for each kind of frog on each square.
const FROG_KEYS: [[Key; 144]; FROGS.len()] =
    [keys::table(0xf1), keys::table(0xf2), keys::table(0xf3), keys::table(0xf4)];

/// The key of the points. The points are too many for a table, so the generator makes the key.
fn points_key(points: BySide<u32>) -> Key {
    let [one, two] = Side::BOTH.map(|side| u64::from(points[side]));
    SplitMix64::new(one << 32 | two).draw()
}

impl FrogletPosition {
    const EMPTY: Self = Self {
        frogs: [0; CLASSES],
        low: [0; CLASSES],
        high: [0; CLASSES],
        points: BySide::new(0, 0),
        counters: Counters::START,
        frogs_key: 0,
    };

    /// The points won so far.
    #[must_use]
    pub const fn points(&self) -> BySide<u32> {
        self.points
    }

    /// The key of the frogs alone.
    #[must_use]
    pub const fn frogs_key(&self) -> Key {
        self.frogs_key
    }

    /// The number of frogs on the board.
    #[must_use]
    pub fn frogs(&self) -> u32 {
        self.frogs.iter().map(|frogs| frogs.count_ones()).sum()
    }

    /// The points that a move scores by its hops.
    #[must_use]
    pub fn points_of_hops(&self, mv: FrogletMove) -> u32 {
        Worth::of_frogs(self, Place::of(mv.from).class).sum(mv.jumped)
    }

    /// The most points that the side to move can score in one move. With too many moves, a lower bound.
    #[must_use]
    pub fn best_gain(&self) -> u32 {
        choice::best_gain(self)
    }

    fn is_full(&self) -> bool {
        self.frogs == [ALL; CLASSES]
    }

    /// The frogs that may be removed: the green frogs of a full board, otherwise none (SPEC 14.10).
    fn removable(&self) -> Quarters {
        if !self.is_full() {
            return [0; CLASSES];
        }
        std::array::from_fn(|class| ALL & !self.low[class] & !self.high[class])
    }

    /// The frogs that can hop.
    fn movers(&self) -> Quarters {
        std::array::from_fn(|class| {
            let lattice = Lattice::of(&self.frogs, class);
            lattice.frogs & lattice.exits()
        })
    }

    /// The kind of the frog on a square: its points minus one.
    const fn kind(&self, place: Place) -> usize {
        let Place { class, cell } = place;
        (self.low[class] >> cell & 1 | (self.high[class] >> cell & 1) << 1) as usize
    }

    const fn has_frog(&self, place: Place) -> bool {
        self.frogs[place.class] & place.bit() != 0
    }

    /// Puts a frog on an empty square.
    const fn put(&mut self, square: Square, kind: usize) {
        let Place { class, cell } = Place::of(square);
        self.frogs[class] |= 1 << cell;
        self.low[class] |= (kind as u64 & 1) << cell;
        self.high[class] |= (kind as u64 >> 1) << cell;
        self.frogs_key ^= FROG_KEYS[kind][square.index()];
    }

    /// Takes the frog off a square and returns its kind.
    const fn take(&mut self, place: Place) -> usize {
        let kind = self.kind(place);
        self.frogs[place.class] &= !place.bit();
        self.low[place.class] &= !place.bit();
        self.high[place.class] &= !place.bit();
        self.frogs_key ^= FROG_KEYS[kind][place.square().index()];
        kind
    }

    fn score(&mut self, points: u32) {
        let own = self.counters.side;
        self.points[own] = (self.points[own] + points).min(MAX_POINTS);
    }
}

impl Position for FrogletPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn board_key(&self) -> Key {
        self.frogs_key ^ points_key(self.points)
    }

    fn fresh_board_key(&self) -> Key {
        squares(self.frogs)
            .map(|square| FROG_KEYS[self.kind(Place::of(square))][square.index()])
            .fold(points_key(self.points), |key, frog| key ^ frog)
    }

    fn same_board(&self, other: &Self) -> bool {
        (self.frogs, self.low, self.high) == (other.frogs, other.low, other.high)
            && self.points == other.points
    }
}

impl Rules for Froglet {
    type Position = FrogletPosition;
    type Move = FrogletMove;

    const GEOMETRY: Geometry = Geometry { files: 12, ranks: 12 };

    /// SPEC 14.6: the frogs in random order (R. Durstenfeld, "Algorithm 235", 1964).
    fn start(&self) -> FrogletPosition {
        let kinds = FROGS.iter().enumerate();
        let mut filling: Vec<usize> =
            kinds.flat_map(|(kind, (_, count))| std::iter::repeat_n(kind, *count)).collect();
        let mut random = SplitMix64::new(self.seed);
        for i in (1..filling.len()).rev() {
            filling.swap(i, random.below(i + 1));
        }
        let mut start = FrogletPosition::EMPTY;
        for (index, kind) in filling.into_iter().enumerate() {
            start.put(Square::new(index), kind);
        }
        start
    }

    fn visit_moves<V>(&self, position: &FrogletPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(FrogletMove) -> ControlFlow<()>,
    {
        for square in squares(position.removable()) {
            visit(FrogletMove::removal(square))?;
        }
        let lattices: [Lattice; CLASSES] =
            std::array::from_fn(|class| Lattice::of(&position.frogs, class));
        let movers = lattices.map(|lattice| lattice.frogs & lattice.exits());
        for square in squares(movers) {
            let Place { class, cell } = Place::of(square);
            let lattice = &lattices[class];
            let landings = lattice.landings(cell);
            if landings & lattice.exits() != 0 {
                Trail::new(lattice, cell).visit(&mut |trail| visit(trail.end()))?;
                continue;
            }
            // A frog that cannot hop on needs no walk. The origin is now empty, but it offers no hop: its edge is used.
            for end in cells(landings) {
                let (to, jumped) = (Place { class, cell: end }.square(), Edges::between(cell, end));
                visit(FrogletMove { from: square, to, jumped })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&self, position: &mut FrogletPosition, mv: FrogletMove) {
        if mv.is_removal() {
            position.take(Place::of(mv.from));
            position.score(u32::from(self.first_frog_scores));
        } else {
            let points = places(mv.jumped()).map(|place| position.take(place) as u32 + 1).sum();
            let kind = position.take(Place::of(mv.from));
            position.put(mv.to, kind);
            position.score(points);
        }
        // The quiet counter is always 0 (SPEC 9.13).
        position.counters.pass_turn(true);
    }

    fn no_moves(&self, position: &FrogletPosition) -> Outcome {
        Outcome { result: self.count(position), reason: EndReason::Count }
    }

    fn count(&self, position: &FrogletPosition) -> GameResult {
        GameResult::by_count(position.points)
    }

    fn ply_limit(&self, position: &FrogletPosition) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }

    fn is_capture(&self, _: &FrogletPosition, mv: FrogletMove) -> bool {
        !mv.is_removal()
    }

    fn has_move(&self, position: &FrogletPosition) -> bool {
        let can_hop = |class| {
            let lattice = Lattice::of(&position.frogs, class);
            lattice.frogs & lattice.exits() != 0
        };
        (0..CLASSES).any(can_hop) || position.removable() != [0; CLASSES]
    }

    /// Single hops are counted by whole directions. Longer trails are walked, from the hops that can be continued.
    fn count_moves(&self, position: &FrogletPosition, stop: &StopFlag) -> u64 {
        let removable = position.removable();
        let removals: u64 = removable.iter().map(|set| u64::from(set.count_ones())).sum();
        removals + count_trails(&position.frogs, &mut CancelCheck::new(stop))
    }
}

impl Froglet {
    /// Appends the moves that a search looks at, and returns whether these are all moves (SPEC 14.19).
    ///
    /// A position may have too many moves for a search. The choice is then bounded and fair to all frogs.
    pub fn chosen_moves(&self, position: &FrogletPosition, moves: &mut Vec<FrogletMove>) -> bool {
        choice::candidates(self, position, moves)
    }
}

/// The points in an extra field, `<p1>-<p2>` (SPEC 14.5).
fn parse_points(extra: &str) -> Option<BySide<u32>> {
    let number = |text: &str| -> Option<u32> {
        let is_plain = text == "0" || !text.starts_with(['0', '+']);
        text.parse().ok().filter(|number| is_plain && *number <= MAX_POINTS)
    };
    let (one, two) = extra.split_once('-')?;
    Some(BySide::new(number(one)?, number(two)?))
}

impl Notation for Froglet {
    type PartialMove<'a> = FrogletPartialMove<'a>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("white", "black"),
        pieces: &[
            PieceKind { piece: Piece::plain('G'), name: "green", owner: None, value: 1 },
            PieceKind { piece: Piece::plain('Y'), name: "yellow", owner: None, value: 2 },
            PieceKind { piece: Piece::plain('R'), name: "red", owner: None, value: 3 },
            PieceKind { piece: Piece::plain('B'), name: "blue", owner: None, value: 4 },
        ],
        grid: Grid::Cells,
    };

    fn piece(&self, position: &FrogletPosition, square: Square) -> Option<Piece> {
        let place = Place::of(square);
        position.has_frog(place).then(|| Piece::plain(FROGS[position.kind(place)].0))
    }

    fn extra(&self, position: &FrogletPosition) -> String {
        format!("{}-{}", position.points[Side::One], position.points[Side::Two])
    }

    fn exchange_extra(extra: &str) -> String {
        extra.split_once('-').map_or_else(|| extra.to_owned(), |(one, two)| format!("{two}-{one}"))
    }

    /// SPEC 9.17: the quiet counter is 0, and the extra field is two numbers. SPEC 9.18: frogs may be of any mix.
    fn from_setup(&self, setup: &Setup) -> Result<FrogletPosition, SetupError> {
        let mut position = FrogletPosition { counters: setup.counters, ..FrogletPosition::EMPTY };
        for (square, piece) in &setup.pieces {
            if let Some(kind) = FROGS.iter().position(|(letter, _)| *letter == piece.letter) {
                position.put(*square, kind);
            }
        }
        position.points = parse_points(&setup.extra).ok_or_else(|| {
            setup.refuse_extra("the points as <p1>-<p2>, two numbers from 0 to 65535")
        })?;
        if setup.counters.quiet != 0 {
            let text = format!("expected 0, found {}", setup.counters.quiet);
            return Err(SetupError::field(Field::Quiet, text));
        }
        Ok(position)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a FrogletPosition,
        _: Option<&'a Game<Self>>,
    ) -> FrogletPartialMove<'a> {
        FrogletPartialMove::new(self, position)
    }

    fn route(&self, _: &FrogletPosition, mv: FrogletMove) -> Steps {
        if mv.is_removal() {
            return Steps(vec![Step::Remove(mv.from)]);
        }
        let Place { class, cell } = Place::of(mv.from);
        let (path, hops) = smallest_trail(mv.jumped, cell);
        let square = |cell: usize| Step::To(Place { class, cell }.square());
        let landings = path[..hops].iter().map(|cell| square(*cell as usize));
        Steps(std::iter::once(square(cell)).chain(landings).collect())
    }

    fn tally(&self, position: &FrogletPosition) -> Vec<(&'static str, Tally)> {
        vec![("frogs", Tally::Board(position.frogs())), ("points", Tally::Each(position.points))]
    }
}

#[cfg(test)]
mod tests;
