//! Men of one kind on at most 64 squares. The positions of most games consist of them.

use super::notation::{IllegalMove, Piece, PieceKind, Reason, Setup, SetupError};
use super::{BySide, Counters, Key, Position, Side, Square, SquareSet, keys};

/// The man of a side.
pub const fn man(side: Side) -> Piece {
    Piece::plain(match side {
        Side::One => 'M',
        Side::Two => 'm',
    })
}

/// The two kinds of men, for [`Diagram::pieces`](super::notation::Diagram::pieces).
pub const fn faces(name: &'static str) -> [PieceKind; 2] {
    [
        PieceKind { piece: man(Side::One), name, owner: Some(Side::One), value: 1 },
        PieceKind { piece: man(Side::Two), name, owner: Some(Side::Two), value: 1 },
    ]
}

/// The squares where each side's men stand, and their key. `SEED` gives each game its own keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men<const SEED: u64> {
    sets: BySide<SquareSet>,
    key: Key,
}

impl<const SEED: u64> Men<SEED> {
    const KEYS: &'static BySide<[Key; 64]> = &BySide::new(keys::table(SEED), keys::table(SEED + 1));

    /// Men on these squares.
    #[must_use]
    pub fn new(sets: BySide<SquareSet>) -> Self {
        let mut men = Self { sets, key: 0 };
        men.key = men.fresh_key();
        men
    }

    /// The squares where a side's men stand.
    #[inline]
    pub const fn of(&self, side: Side) -> SquareSet {
        *self.sets.get(side)
    }

    /// The squares without a man, all 64 of a word: intersect them with [`Geometry::all`](crate::Geometry::all) where the
    /// board has fewer.
    #[inline]
    pub fn empty(&self) -> SquareSet {
        !(self.of(Side::One) | self.of(Side::Two))
    }

    /// How many men each side has.
    #[must_use]
    pub fn count(&self) -> BySide<u32> {
        self.sets.map(SquareSet::len)
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        Side::BOTH.into_iter().find(|side| self.of(*side).contains(square)).map(man)
    }

    /// The key of these men.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The key of these men, computed from scratch.
    #[must_use]
    pub fn fresh_key(&self) -> Key {
        let of = |side| self.of(side).into_iter().map(move |square| Self::key_of(side, square));
        Side::BOTH.into_iter().flat_map(of).fold(0, |key, man| key ^ man)
    }

    #[inline]
    fn key_of(side: Side, square: Square) -> Key {
        Self::KEYS[side][square.index()]
    }

    /// Puts a man on a square, or takes him off.
    #[inline]
    pub fn toggle(&mut self, side: Side, square: Square) {
        self.sets[side] ^= SquareSet::of(square);
        self.key ^= Self::key_of(side, square);
    }

    /// Takes men off the board. Each of them must stand on it.
    #[inline]
    pub fn remove(&mut self, side: Side, men: SquareSet) {
        self.sets[side] ^= men;
        for square in men {
            self.key ^= Self::key_of(side, square);
        }
    }

    /// The men of a position text, at most `most` a side. A refusal calls the men `name`.
    ///
    /// # Errors
    /// The square of the first man beyond `most`.
    pub fn from_setup(setup: &Setup, most: u32, name: &str) -> Result<Self, SetupError> {
        let mut men = Self::new(BySide::default());
        for (square, piece) in &setup.pieces {
            let side = piece.letter_case();
            men.toggle(side, *square);
            if men.of(side).len() > most {
                let text = format!("player {} has more than {most} {name}", side.number());
                return Err(SetupError::square(*square, text));
            }
        }
        Ok(men)
    }
}

/// A position that consists of men and counters alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MenPosition<const SEED: u64> {
    /// The men.
    pub men: Men<SEED>,
    /// Side to move, quiet moves and ply.
    pub counters: Counters,
}

impl<const SEED: u64> MenPosition<SEED> {
    /// The start position with these men.
    pub fn start(one: SquareSet, two: SquareSet) -> Self {
        Self { men: Men::new(BySide::new(one, two)), counters: Counters::START }
    }

    /// The position of a text with at most `most` men a side and no extra field.
    ///
    /// # Errors
    /// A side has more than `most` men, or there is an extra field.
    pub fn from_setup(setup: &Setup, most: u32) -> Result<Self, SetupError> {
        let men = Men::from_setup(setup, most, "men")?;
        setup.expect_no_extra()?;
        Ok(Self { men, counters: setup.counters })
    }

    /// The squares where a side's men stand.
    #[inline]
    pub const fn men(&self, side: Side) -> SquareSet {
        self.men.of(side)
    }

    /// The squares without a man, all 64 of a word: intersect them with [`Geometry::all`](crate::Geometry::all) where the
    /// board has fewer.
    #[inline]
    pub fn empty(&self) -> SquareSet {
        self.men.empty()
    }

    /// The men of the side to move.
    #[inline]
    pub const fn own(&self) -> SquareSet {
        self.men(self.counters.side)
    }

    /// The men of the other side.
    #[inline]
    pub const fn enemy(&self) -> SquareSet {
        self.men(self.counters.side.other())
    }

    /// The men that a move can begin with. `destinations` says where each man may go first.
    pub fn movers(&self, destinations: impl Fn(Square) -> SquareSet) -> SquareSet {
        self.own().into_iter().filter(|from| !destinations(*from).is_empty()).collect()
    }

    /// Refuses an origin without an own man, or without destinations.
    ///
    /// `must_capture` says that only captures are legal; the reason then names them.
    ///
    /// # Errors
    /// The reason, with the square.
    pub fn check_origin(
        &self,
        from: Square,
        destinations: SquareSet,
        must_capture: bool,
    ) -> Result<(), IllegalMove> {
        IllegalMove::unless_own(from, self.empty(), self.enemy())?;
        if !destinations.is_empty() {
            return Ok(());
        }
        let reason = if must_capture { Reason::CaptureMandatory } else { Reason::Blocked };
        Err(IllegalMove::at(reason, from))
    }
}

impl<const SEED: u64> Position for MenPosition<SEED> {
    #[inline]
    fn counters(&self) -> Counters {
        self.counters
    }

    #[inline]
    fn board_key(&self) -> Key {
        self.men.key()
    }

    fn fresh_board_key(&self) -> Key {
        self.men.fresh_key()
    }

    #[inline]
    fn same_board(&self, other: &Self) -> bool {
        self.men == other.men
    }
}
