//! Táctica "S": sliding pieces that flip what they surround (SPEC 15).

mod flips;
pub(crate) mod slides;
mod turn;

use std::ops::ControlFlow;

use slides::{DIAGONAL, ORTHOGONAL};
pub use turn::TacticaTurn;

use super::bits::Squares;
use super::notation::{
    Banned, Composed, Face, Glyph, Notation, Piece, Refusal, Step, Steps, Tally,
};
use super::{
    Board, Cancel, Counters, EndReason, Game, GameResult, Horizon, Key, Outcome, Position,
    Repetition, Side, Square, keys,
};

/// Pieces that a side begins with, and can have at most (SPEC 15.2, 9.17).
const PIECES: u32 = 8;

/// Which pairs of enemies the piece moved between them captures (SPEC 15.9, 15.10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairs {
    /// Left and right, above and below.
    #[default]
    Orthogonal,
    /// Those on the two diagonals too.
    All,
}

/// The rules of Táctica "S" in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tactica {
    /// Option `TacticaPairs`.
    pub pairs: Pairs,
    /// Option `TacticaRepetition`: a move may not bring about a position for this many-th time; 0 = no such rule,
    /// 1 is not allowed (SPEC 15.16).
    pub repetition: u32,
    /// Option `MaxPlies`: the ply that ends the game; 0 = no limit.
    pub max_plies: u32,
}

impl Default for Tactica {
    fn default() -> Self {
        Tactica { pairs: Pairs::Orthogonal, repetition: 3, max_plies: 400 }
    }
}

/// A position of Táctica "S".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TacticaPosition {
    /// The pieces that each side owns now, Stops included.
    owned: [u64; 2],
    /// Crosses and stars, then horses and stars: what slides orthogonally and what slides diagonally.
    sliders: [u64; 2],
    /// The Stops: their owner is not their first one.
    flipped: u64,
    counters: Counters,
    key: Key,
}

/// A move: origin and destination. What it flips follows from the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TacticaMove {
    from: Square,
    to: Square,
}

/// For each first owner and each way to slide: a star has two features.
const SLIDER_KEYS: [[[Key; 64]; 2]; 2] =
    [[keys::table(0x7a1), keys::table(0x7a2)], [keys::table(0x7a3), keys::table(0x7a4)]];

const FLIPPED_KEYS: [Key; 64] = keys::table(0x7a5);

impl TacticaPosition {
    /// The pieces that a side owns now, Stops included; bit 0 is a1.
    #[must_use]
    pub const fn owned(&self, side: Side) -> u64 {
        self.owned[side.index()]
    }

    /// The pieces that were a side's at first: those of its letter case.
    #[must_use]
    pub const fn first_owned(&self, side: Side) -> u64 {
        (self.owned(side) & !self.flipped) | self.stops(side.other())
    }

    /// The pieces with which a side moves: its own that are not flipped.
    #[must_use]
    pub const fn movers(&self, side: Side) -> u64 {
        self.owned(side) & !self.flipped
    }

    /// The Stops that a side owns: enemy pieces that it holds flipped.
    #[must_use]
    pub const fn stops(&self, side: Side) -> u64 {
        self.owned(side) & self.flipped
    }

    /// Crosses and stars, whoever owns them.
    #[must_use]
    pub const fn orthogonal(&self) -> u64 {
        self.sliders[0]
    }

    /// Horses and stars, whoever owns them.
    #[must_use]
    pub const fn diagonal(&self) -> u64 {
        self.sliders[1]
    }

    /// The empty squares.
    #[must_use]
    pub const fn empty(&self) -> u64 {
        !(self.owned[0] | self.owned[1])
    }

    const fn own(&self) -> u64 {
        self.owned(self.counters.side)
    }

    const fn enemy(&self) -> u64 {
        self.owned(self.counters.side.other())
    }

    /// The movers of the side to move, those that slide orthogonally and those that slide diagonally.
    #[inline]
    fn slides(&self) -> [u64; 2] {
        self.sliders.map(|set| set & self.movers(self.counters.side))
    }

    /// Where the piece on `from` can slide to.
    #[inline]
    fn destinations(&self, from: Square) -> u64 {
        let [orthogonal, diagonal] = self.sliders.map(|set| set & from.bit());
        let empty = self.empty();
        let mut reached = 0;
        if orthogonal != 0 {
            reached |= ORTHOGONAL.iter().fold(0, |set, d| set | d.slide(orthogonal, empty));
        }
        if diagonal != 0 {
            reached |= DIAGONAL.iter().fold(0, |set, d| set | d.slide(diagonal, empty));
        }
        reached
    }

    /// What stands on a square that is not empty.
    fn glyph(&self, square: Square) -> Glyph {
        let is_in = |set: u64| set & square.bit() != 0;
        let letter = match (is_in(self.orthogonal()), is_in(self.diagonal())) {
            (true, false) => 'C',
            (false, _) => 'H',
            (true, true) => 'S',
        };
        let is_upper = is_in(self.first_owned(Side::One));
        let letter = if is_upper { letter } else { letter.to_ascii_lowercase() };
        Glyph { letter, flipped: is_in(self.flipped) }
    }

    /// Puts a piece on an empty square; the key is left alone.
    fn put(&mut self, square: Square, glyph: Glyph) {
        let is_upper = glyph.letter.is_ascii_uppercase();
        let owner = if is_upper != glyph.flipped { Side::One } else { Side::Two };
        self.owned[owner.index()] |= square.bit();
        let letter = glyph.letter.to_ascii_uppercase();
        for (set, slides) in self.sliders.iter_mut().zip([letter != 'H', letter != 'C']) {
            *set |= if slides { square.bit() } else { 0 };
        }
        self.flipped |= if glyph.flipped { square.bit() } else { 0 };
    }
}

impl Position for TacticaPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn key(&self) -> Key {
        self.key
    }

    fn fresh_key(&self) -> Key {
        let mut key = if self.counters.side == Side::Two { keys::SIDE } else { 0 };
        for side in Side::BOTH {
            for (set, keys) in self.sliders.into_iter().zip(&SLIDER_KEYS[side.index()]) {
                let pieces = Squares(set & self.first_owned(side));
                key = pieces.fold(key, |key, square| key ^ keys[square.index()]);
            }
        }
        Squares(self.flipped).fold(key, |key, square| key ^ FLIPPED_KEYS[square.index()])
    }

    fn repeats(&self, other: &Self) -> bool {
        self.owned == other.owned
            && self.sliders == other.sliders
            && self.flipped == other.flipped
            && self.counters.side == other.counters.side
    }
}

impl Tactica {
    /// The pieces that a legal move flips, as a set; bit 0 is a1.
    #[inline]
    #[must_use]
    pub fn flips(&self, position: &TacticaPosition, mv: TacticaMove) -> u64 {
        flips::flips(position, mv, self.pairs)
    }
}

impl Game for Tactica {
    type Position = TacticaPosition;
    type Move = TacticaMove;

    const BOARD: Board = Board { files: 8, ranks: 8 };

    /// SPEC 15.6: each side's pieces on its last row, the same on both.
    fn start(&self) -> TacticaPosition {
        let mut start = TacticaPosition {
            owned: [0; 2],
            sliders: [0; 2],
            flipped: 0,
            counters: Counters::START,
            key: 0,
        };
        for (file, letter) in "CHSCCSHC".chars().enumerate() {
            start.put(Square::new(file), Glyph::plain(letter));
            start.put(Square::new(file + 56), Glyph::plain(letter.to_ascii_lowercase()));
        }
        start.key = start.fresh_key();
        start
    }

    fn visit_moves<V>(&self, position: &TacticaPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(TacticaMove) -> ControlFlow<()>,
    {
        for from in Squares(position.movers(position.counters.side)) {
            for to in Squares(position.destinations(from)) {
                visit(TacticaMove { from, to })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&self, position: &mut TacticaPosition, mv: TacticaMove) {
        let flips = self.flips(position, mv);
        let own = position.counters.side.index();
        let slide = mv.from.bit() | mv.to.bit();
        position.owned[own] ^= slide | flips;
        position.owned[1 - own] ^= flips;
        position.flipped ^= flips;
        for (set, keys) in position.sliders.iter_mut().zip(&SLIDER_KEYS[own]) {
            if *set & mv.from.bit() != 0 {
                *set ^= slide;
                position.key ^= keys[mv.from.index()] ^ keys[mv.to.index()];
            }
        }
        for square in Squares(flips) {
            position.key ^= FLIPPED_KEYS[square.index()];
        }
        position.key ^= keys::SIDE;
        position.counters.advance(flips != 0);
        position.counters.side = position.counters.side.other();
    }

    /// SPEC 15.15.
    fn no_moves(&self, position: &TacticaPosition) -> Outcome {
        let result = GameResult::Win(position.side().other());
        Outcome { result, reason: EndReason::NoMoves }
    }

    /// SPEC 15.18: more enemy pieces flipped now.
    fn count(&self, position: &TacticaPosition) -> GameResult {
        GameResult::by_count(Side::BOTH.map(|side| position.stops(side).count_ones()))
    }

    fn horizon(&self, position: &TacticaPosition) -> Option<Horizon> {
        Horizon::max_plies(self.max_plies, position.counters.ply)
    }

    /// SPEC 15.16.
    fn repetition(&self) -> Repetition {
        match self.repetition {
            0 => Repetition::Ignored,
            times => Repetition::Forbids(times),
        }
    }

    fn is_capture(&self, position: &TacticaPosition, mv: TacticaMove) -> bool {
        self.flips(position, mv) != 0
    }

    fn from_to(mv: TacticaMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn has_move(&self, position: &TacticaPosition) -> bool {
        let [orthogonal, diagonal] = position.slides();
        let empty = position.empty();
        ORTHOGONAL.iter().any(|d| d.step(orthogonal) & empty != 0)
            || DIAGONAL.iter().any(|d| d.step(diagonal) & empty != 0)
    }

    /// Slides are counted by whole directions.
    #[inline]
    fn count_moves(&self, position: &TacticaPosition, _: &Cancel) -> u64 {
        let (slides, empty) = (position.slides(), position.empty());
        let mut count = 0;
        for (sliders, directions) in slides.into_iter().zip([&ORTHOGONAL, &DIAGONAL]) {
            for direction in directions {
                count += direction.slide(sliders, empty).count_ones();
            }
        }
        count.into()
    }
}

/// A piece's face and, flipped, its Stop side, which belongs to the other player (SPEC 15.2, 15.4).
const fn faces(letter: char, name: &'static str, owner: Side) -> [Piece; 2] {
    let stop = Glyph { letter, flipped: true };
    [
        Piece { glyph: Glyph::plain(letter), name, owner: Some(owner), value: 1 },
        Piece { glyph: stop, name: "stop", owner: Some(owner.other()), value: 1 },
    ]
}

/// All faces, in the order of the table of SPEC 15.2.
const FACES: [[Piece; 2]; 6] = [
    faces('C', "cross", Side::One),
    faces('c', "cross", Side::Two),
    faces('H', "horse", Side::One),
    faces('h', "horse", Side::Two),
    faces('S', "star", Side::One),
    faces('s', "star", Side::Two),
];

impl Notation for Tactica {
    type Turn<'a> = TacticaTurn<'a>;

    const LETTERS: &'static str = "CHSchs";
    const FLIPS: bool = true;
    /// SPEC 9.3: p1 is Black.
    const FACE: Face =
        Face { colours: ["black", "white"], pieces: FACES.as_flattened(), lines: &[] };

    fn glyph(&self, position: &TacticaPosition, square: Square) -> Option<Glyph> {
        (position.empty() & square.bit() == 0).then(|| position.glyph(square))
    }

    /// SPEC 9.17: at most eight pieces of one letter case, of any mix; 15.6: no extra field.
    fn compose(&self, composed: &Composed) -> Result<TacticaPosition, Refusal> {
        let mut position = TacticaPosition {
            owned: [0; 2],
            sliders: [0; 2],
            flipped: 0,
            counters: composed.counters,
            key: 0,
        };
        for (square, glyph) in &composed.pieces {
            position.put(*square, *glyph);
            let side = if glyph.letter.is_ascii_uppercase() { Side::One } else { Side::Two };
            if position.first_owned(side).count_ones() > PIECES {
                let case = if side == Side::One { "upper" } else { "lower" };
                let text =
                    format!("expected at most {PIECES} pieces of {case} case, found one more");
                return Err(Refusal::square(*square, text));
            }
        }
        composed.expect_no_extra()?;
        position.key = position.fresh_key();
        Ok(position)
    }

    fn turn<'a>(
        &'a self,
        position: &'a TacticaPosition,
        banned: Banned<'a, TacticaPosition>,
    ) -> TacticaTurn<'a> {
        TacticaTurn::new(self, position, banned)
    }

    fn route(&self, _: &TacticaPosition, mv: TacticaMove) -> Steps {
        Steps(vec![Step::To(mv.from), Step::To(mv.to)])
    }

    /// Pieces of each side that are not flipped, and enemy pieces that each side holds flipped (SPEC 4.19).
    fn tally(&self, position: &TacticaPosition) -> Vec<(&'static str, Tally)> {
        let count = |set: fn(&TacticaPosition, Side) -> u64| {
            Tally::Each(Side::BOTH.map(|side| set(position, side).count_ones()))
        };
        vec![("men", count(TacticaPosition::movers)), ("flipped", count(TacticaPosition::stops))]
    }
}

#[cfg(test)]
mod tests;
