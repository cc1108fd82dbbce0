//! Táctica "S": sliding pieces that flip what they surround (SPEC 15).

mod flips;
mod partial_move;
pub(crate) mod slides;

use std::ops::ControlFlow;

use flips::Flips;
pub use partial_move::TacticaPartialMove;
use slides::{DIAGONAL, Direction, ORTHOGONAL};

use leap_core::notation::{
    Diagram, Grid, Notation, Piece, PieceKind, Setup, SetupError, Step, Steps, Tally,
};
use leap_core::{
    BySide, Counters, Game, GameResult, Geometry, Key, PlyLimit, Position, Repetition, Rules, Side,
    Square, SquareSet, StopFlag, keys,
};
use strum::{Display, EnumString, VariantNames};

/// The pieces of a side at the beginning, and the most that it can have (SPEC 15.2, 9.17).
const PIECES: u32 = 8;

/// The pairs of enemies that a piece captures when it moves between them (SPEC 15.9, 15.10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Pairs {
    /// Pairs on the left and right, and pairs above and below.
    #[default]
    Orthogonal,
    /// Pairs on the two diagonals too.
    All,
}

/// The rules of Táctica "S" in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tactica {
    /// Option `TacticaPairs`.
    pub pairs: Pairs,
    /// Option `TacticaRepetition`: no move may make a position occur this many times.
    ///
    /// 0 means that there is no such rule, and 1 is not allowed (SPEC 15.16).
    pub repetition: u32,
    /// Option `MaxPlies`: the ply that ends the game. 0 means no limit.
    pub max_plies: u32,
}

impl Default for Tactica {
    fn default() -> Self {
        Self { pairs: Pairs::Orthogonal, repetition: 3, max_plies: 400 }
    }
}

/// A position of Táctica "S".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TacticaPosition {
    /// The pieces that each side now owns, including Stops.
    owned: BySide<SquareSet>,
    /// The pieces that slide orthogonally (crosses and stars), then those that slide diagonally (horses and stars).
    sliders: [SquareSet; 2],
    /// The Stops, the pieces that their first owner does not own now.
    flipped: SquareSet,
    counters: Counters,
    /// The key of the pieces.
    key: Key,
}

/// A move: origin, destination and the pieces that it flips. The flips follow from the position.
///
/// A star goes between four crosses and turns all of them over:
///
/// ```text
///  8  . . . . . . . .    . . . . . . . .
///  7  . . . c . . . .    . . . c~. . . .
///  6  . . c . c . . .    . . c~S c~. . .
///  5  . . . c . . . .    . . . c~. . . .
///  4  . . . . . . . .    . . . . . . . .
///  3  S . . . . . . .    . . . . . . . .
///  2  . . . . . . . .    . . . . . . . .
///  1  . . . . . . . .    . . . . . . . .
///     a b c d e f g h    a b c d e f g h
/// ```
///
/// ```
/// use leap_core::notation::{Notation, PositionError};
/// use leap_core::RulesExt;
/// use leap_games::tactica::Tactica;
///
/// let rules = Tactica::default();
/// let position = rules.parse_position("8/3c4/2c1c3/3c4/8/S7/8/8 1 - 0 20")?;
/// let mv = rules.parse_move(&position, "a3d6").unwrap();
/// let after = rules.after(&position, mv);
/// assert_eq!(rules.print_position(&after), "8/3c~4/2c~Sc~3/3c~4/8/8/8/8 2 - 0 21");
/// # Ok::<(), PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TacticaMove {
    /// The pieces that the move flips.
    pub flips: SquareSet,
    /// The square where the piece starts.
    pub from: Square,
    /// The square where the piece ends.
    pub to: Square,
}

/// Keys for each first owner and each way to slide. A star has two of them.
const SLIDER_KEYS: BySide<[[Key; 64]; 2]> =
    BySide::new([keys::table(0x7a1), keys::table(0x7a2)], [keys::table(0x7a3), keys::table(0x7a4)]);

const FLIPPED_KEYS: [Key; 64] = keys::table(0x7a5);

impl TacticaPosition {
    const fn without_pieces(counters: Counters) -> Self {
        Self {
            owned: BySide::new(SquareSet::EMPTY, SquareSet::EMPTY),
            sliders: [SquareSet::EMPTY; 2],
            flipped: SquareSet::EMPTY,
            counters,
            key: 0,
        }
    }

    /// The pieces that a side now owns, including Stops.
    #[inline]
    pub const fn owned(&self, side: Side) -> SquareSet {
        *self.owned.get(side)
    }

    /// The pieces that a side owned first. They have the side's letter case.
    pub fn first_owned(&self, side: Side) -> SquareSet {
        self.movers(side) | self.stops(side.other())
    }

    /// The pieces that a side can move: its own that are not flipped.
    #[inline]
    pub fn movers(&self, side: Side) -> SquareSet {
        self.owned(side) & !self.flipped
    }

    /// The Stops that a side owns: the enemy pieces that it holds flipped.
    #[inline]
    pub fn stops(&self, side: Side) -> SquareSet {
        self.owned(side) & self.flipped
    }

    /// Crosses and stars, whoever owns them.
    #[inline]
    pub const fn orthogonal(&self) -> SquareSet {
        self.sliders[0]
    }

    /// Horses and stars, whoever owns them.
    #[inline]
    pub const fn diagonal(&self) -> SquareSet {
        self.sliders[1]
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> SquareSet {
        !(self.owned(Side::One) | self.owned(Side::Two))
    }

    #[inline]
    const fn own(&self) -> SquareSet {
        self.owned(self.counters.side)
    }

    #[inline]
    const fn enemy(&self) -> SquareSet {
        self.owned(self.counters.side.other())
    }

    /// For both ways to slide, the pieces of `pieces` that slide so, and the directions.
    #[inline]
    pub(crate) fn slides(&self, pieces: SquareSet) -> [(SquareSet, &'static [Direction; 4]); 2] {
        [(self.orthogonal() & pieces, &ORTHOGONAL), (self.diagonal() & pieces, &DIAGONAL)]
    }

    /// The squares to which the piece on `from` can slide.
    #[inline]
    fn destinations(&self, from: Square) -> SquareSet {
        let ways = self.sliders.map(|sliders| sliders.contains(from));
        slides::destinations(from, ways, self.empty())
    }

    /// The piece on a square, which must not be empty.
    fn piece(&self, square: Square) -> Piece {
        let letter = match (self.orthogonal().contains(square), self.diagonal().contains(square)) {
            (true, false) => 'C',
            (false, _) => 'H',
            (true, true) => 'S',
        };
        let is_upper = self.first_owned(Side::One).contains(square);
        let letter = if is_upper { letter } else { letter.to_ascii_lowercase() };
        Piece { letter, flipped: self.flipped.contains(square) }
    }

    /// Puts a piece on an empty square, without changing the key.
    fn put(&mut self, square: Square, piece: Piece) {
        let first_owner = piece.letter_case();
        let owner = if piece.flipped { first_owner.other() } else { first_owner };
        let at = SquareSet::of(square);
        self.owned[owner] |= at;
        let letter = piece.letter.to_ascii_uppercase();
        for (set, slides) in self.sliders.iter_mut().zip([letter != 'H', letter != 'C']) {
            *set |= if slides { at } else { SquareSet::EMPTY };
        }
        self.flipped |= if piece.flipped { at } else { SquareSet::EMPTY };
    }
}

impl Position for TacticaPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn board_key(&self) -> Key {
        self.key
    }

    fn fresh_board_key(&self) -> Key {
        let mut key = 0;
        for side in Side::BOTH {
            for (set, keys) in self.sliders.into_iter().zip(&SLIDER_KEYS[side]) {
                for square in set & self.first_owned(side) {
                    key ^= keys[square.index()];
                }
            }
        }
        self.flipped.into_iter().fold(key, |key, square| key ^ FLIPPED_KEYS[square.index()])
    }

    fn same_board(&self, other: &Self) -> bool {
        self.owned == other.owned && self.sliders == other.sliders && self.flipped == other.flipped
    }
}

impl Rules for Tactica {
    type Position = TacticaPosition;
    type Move = TacticaMove;

    const GEOMETRY: Geometry = Geometry { files: 8, ranks: 8 }.small();

    /// SPEC 15.6: each side's pieces stand on its last row, in the same order.
    fn start(&self) -> TacticaPosition {
        let mut start = TacticaPosition::without_pieces(Counters::START);
        for (file, letter) in "CHSCCSHC".chars().enumerate() {
            start.put(Square::new(file), Piece::plain(letter));
            start.put(Square::new(file + 56), Piece::plain(letter.to_ascii_lowercase()));
        }
        start.key = start.fresh_board_key();
        start
    }

    fn visit_moves<V>(&self, position: &TacticaPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(TacticaMove) -> ControlFlow<()>,
    {
        let flips = Flips::new(position, self.pairs);
        for from in position.movers(position.counters.side) {
            for to in position.destinations(from) {
                visit(flips.slide(from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play_unchecked(&self, position: &mut TacticaPosition, mv: TacticaMove) {
        let TacticaMove { flips, from, to } = mv;
        let side = position.side();
        let slide = SquareSet::of(from).with(to);
        position.owned[side] ^= slide | flips;
        position.owned[side.other()] ^= flips;
        position.flipped ^= flips;
        for (set, keys) in position.sliders.iter_mut().zip(&SLIDER_KEYS[side]) {
            if set.contains(from) {
                *set ^= slide;
                position.key ^= keys[from.index()] ^ keys[to.index()];
            }
        }
        for square in flips {
            position.key ^= FLIPPED_KEYS[square.index()];
        }
        position.counters.pass_turn(!flips.is_empty());
    }

    /// SPEC 15.18: the side with more enemy pieces flipped is ahead.
    fn count(&self, position: &TacticaPosition) -> GameResult {
        GameResult::by_count(BySide::from_fn(|side| position.stops(side).len()))
    }

    fn ply_limit(&self, position: &TacticaPosition) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }

    /// SPEC 15.16.
    fn repetition(&self) -> Repetition {
        match self.repetition {
            0 => Repetition::Ignored,
            times => Repetition::Forbids(times),
        }
    }

    fn is_capture(&self, _: &TacticaPosition, mv: TacticaMove) -> bool {
        !mv.flips.is_empty()
    }

    fn visit_captures<V>(&self, position: &TacticaPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(TacticaMove) -> ControlFlow<()>,
    {
        let flips = Flips::new(position, self.pairs);
        for from in position.movers(position.counters.side) {
            for to in position.destinations(from) & flips.squares() {
                let mv = flips.slide(from, to);
                if !mv.flips.is_empty() {
                    visit(mv)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn has_move(&self, position: &TacticaPosition) -> bool {
        let empty = position.empty();
        let mut slides = position.slides(position.movers(position.counters.side)).into_iter();
        slides.any(|(sliders, directions)| {
            directions.iter().any(|direction| direction.step(sliders).intersects(empty))
        })
    }

    /// Slides are counted by whole directions.
    #[inline]
    fn count_moves(&self, position: &TacticaPosition, _: &StopFlag) -> u64 {
        let empty = position.empty();
        let mut count = 0;
        for (sliders, directions) in position.slides(position.movers(position.counters.side)) {
            for direction in directions {
                count += direction.slide(sliders, empty).len();
            }
        }
        count.into()
    }
}

/// A piece's face, and its Stop side when flipped, which belongs to the other player (SPEC 15.2, 15.4).
const fn faces(letter: char, name: &'static str, owner: Side) -> [PieceKind; 2] {
    let stop = Piece { letter, flipped: true };
    [
        PieceKind { piece: Piece::plain(letter), name, owner: Some(owner), value: 1 },
        PieceKind { piece: stop, name: "stop", owner: Some(owner.other()), value: 1 },
    ]
}

/// All faces, in the order of the table of SPEC 15.2.
const FACES: [[PieceKind; 2]; 6] = [
    faces('C', "cross", Side::One),
    faces('c', "cross", Side::Two),
    faces('H', "horse", Side::One),
    faces('h', "horse", Side::Two),
    faces('S', "star", Side::One),
    faces('s', "star", Side::Two),
];

impl Notation for Tactica {
    type PartialMove<'a> = TacticaPartialMove<'a>;

    /// SPEC 9.3: p1 is Black.
    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("black", "white"),
        pieces: FACES.as_flattened(),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &TacticaPosition, square: Square) -> Option<Piece> {
        (!position.empty().contains(square)).then(|| position.piece(square))
    }

    /// SPEC 9.17: at most eight pieces of one letter case, of any mix. SPEC 15.6: no extra field.
    fn from_setup(&self, setup: &Setup) -> Result<TacticaPosition, SetupError> {
        let mut position = TacticaPosition::without_pieces(setup.counters);
        for (square, piece) in &setup.pieces {
            position.put(*square, *piece);
            let side = piece.letter_case();
            if position.first_owned(side).len() > PIECES {
                let case = if side == Side::One { "upper" } else { "lower" };
                let text =
                    format!("expected at most {PIECES} pieces of {case} case, found one more");
                return Err(SetupError::square(*square, text));
            }
        }
        setup.expect_no_extra()?;
        position.key = position.fresh_board_key();
        Ok(position)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a TacticaPosition,
        history: Option<&'a Game<Self>>,
    ) -> TacticaPartialMove<'a> {
        TacticaPartialMove::new(self, position, history)
    }

    fn route(&self, _: &TacticaPosition, mv: TacticaMove) -> Steps {
        Steps(vec![Step::To(mv.from), Step::To(mv.to)])
    }

    /// The number of each side's pieces that are not flipped, and of enemy pieces that it holds flipped (SPEC 4.19).
    fn tally(&self, position: &TacticaPosition) -> Vec<(&'static str, Tally)> {
        let count = |set: fn(&TacticaPosition, Side) -> SquareSet| {
            Tally::Each(BySide::from_fn(|side| set(position, side).len()))
        };
        vec![("men", count(TacticaPosition::movers)), ("flipped", count(TacticaPosition::stops))]
    }
}

#[cfg(test)]
mod tests;
