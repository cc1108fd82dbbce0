//! Sapos: 8x8 squares, pieces jump friends and enemies and multiply. The last to move wins (SPEC 13).

mod chain;
mod count;
mod jumps;
mod partial_move;
mod paths;
mod tree;

use std::ops::ControlFlow;

use chain::{Chain, Placing};
use jumps::{friendly_jumps, jumpers};
pub use partial_move::SaposPartialMove;
use tree::Tree;

use leap_core::men::{self, Men};
use leap_core::notation::{Diagram, Grid, Notation, Piece, Setup, SetupError, Step, Steps, Tally};
use leap_core::{
    BySide, Counters, Game, Geometry, Key, PlyLimit, Position, Rules, Side, SplitMix64, Square,
    SquareSet, StopFlag,
};
use strum::{Display, EnumString, VariantNames};

/// The pieces that a player owns, on the board and in reserve (SPEC 13.2, 9.17).
pub const PIECES: u32 = 16;

/// The number of ends of one piece's routes that a search looks at. Ordinary games stay far below.
const CANDIDATE_ENDS: usize = 64;

/// The number of one piece's routes that are searched for ends, where routes may not revisit squares.
const CANDIDATE_PATHS: usize = 512;

/// The rule for a turn that captures nothing and cannot place a piece (SPEC 13.12, 13.13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Placement {
    /// The turn is not legal.
    #[default]
    Required,
    /// The turn is legal, and places nothing.
    Possible,
}

/// The rules of Sapos in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sapos {
    /// Option `SaposPlacement`.
    pub placement: Placement,
    /// Option `SaposRevisit`: whether a piece may come back to a square of its route (SPEC 13.14, 13.15).
    pub revisit: bool,
    /// Option `MaxPlies`: the ply that ends the game. 0 means no limit.
    pub max_plies: u32,
}

impl Default for Sapos {
    fn default() -> Self {
        Self { placement: Placement::Required, revisit: true, max_plies: 400 }
    }
}

/// A position of Sapos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SaposPosition {
    pieces: Men<0x5a1>,
    counters: Counters,
    /// Whether the side to move has two turns in a row (SPEC 13.5).
    twice: bool,
}

/// A move: origin, destination, the set of captured pieces and the square of the placed piece.
///
/// A frog jumps over two friends, and a frog from the reserve is placed:
///
/// ```text
///  8  . . . . . . m m    . . . . . . m m
///  7  . . . . . . . .    . . . . . . . .
///  6  . . . . . . . .    . . . . . . . .
///  5  . . . . . . . .    . . . . . M . .
///  4  . . . . M . . .    . . . . M M . .
///  3  . . . M . . . .    . . . M . . . .
///  2  . . . M . . . .    . . . . . . . .
///  1  . . . . . . . .    . . . . . . . .
///     a b c d e f g h    a b c d e f g h
/// ```
///
/// ```
/// use leap_core::notation::{Notation, PositionError};
/// use leap_core::RulesExt;
/// use leap_games::sapos::Sapos;
///
/// let rules = Sapos::default();
/// let position = rules.parse_position("6mm/8/8/8/4M3/3M4/3M4/8 1 1 3 10")?;
/// let mv = rules.parse_move(&position, "d2d4f4@f5").unwrap();
/// let after = rules.after(&position, mv);
/// assert_eq!(rules.print_position(&after), "6mm/8/8/5M2/4MM2/3M4/8/8 2 1 4 11");
/// # Ok::<(), PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SaposMove {
    /// The squares of the pieces that the move captures.
    pub captured: SquareSet,
    /// The square where the piece starts.
    pub from: Square,
    /// The square where the piece ends.
    pub to: Square,
    /// The square of the piece that is placed.
    pub drop: Option<Square>,
}

/// The part of the key that says that the side to move has two turns in a row.
const TWICE_KEY: Key = SplitMix64::new(0x5a3).draw();

impl SaposPosition {
    /// The squares where a side's pieces stand.
    #[inline]
    pub const fn pieces(&self, side: Side) -> SquareSet {
        self.pieces.of(side)
    }

    /// The number of pieces that a side has in reserve.
    #[must_use]
    pub const fn reserve(&self, side: Side) -> u32 {
        PIECES - self.pieces(side).len()
    }

    /// The number of turns in a row that the side to move still has, 1 or 2 (SPEC 13.5).
    #[must_use]
    pub const fn turns(&self) -> u32 {
        if self.twice { 2 } else { 1 }
    }

    /// The number of turns in a row that the other side has next, 1 or 2 (SPEC 13.6).
    #[must_use]
    pub const fn next_turns(&self) -> u32 {
        if self.counters.ply == 0 { 2 } else { 1 }
    }

    /// The pieces of a side that can jump over any piece.
    pub fn jumpers(&self, side: Side) -> SquareSet {
        jumpers(self.pieces(side), self.empty())
    }

    /// The number of ways in which the pieces of a side can jump over a friend.
    #[must_use]
    pub fn friendly_jumps(&self, side: Side) -> u32 {
        friendly_jumps(self.pieces(side), self.empty())
    }

    const fn own(&self) -> SquareSet {
        self.pieces(self.counters.side)
    }

    const fn enemy(&self) -> SquareSet {
        self.pieces(self.counters.side.other())
    }

    fn empty(&self) -> SquareSet {
        self.pieces.empty()
    }

    /// Passes the turn (SPEC 13.6). The ply must not be counted up yet.
    const fn pass_turn(&mut self) {
        if self.twice {
            self.twice = false;
        } else {
            self.counters.side = self.counters.side.other();
            self.twice = self.next_turns() == 2;
        }
    }

    const fn twice_key(&self) -> Key {
        if self.twice { TWICE_KEY } else { 0 }
    }
}

impl Position for SaposPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn board_key(&self) -> Key {
        self.pieces.key() ^ self.twice_key()
    }

    fn fresh_board_key(&self) -> Key {
        self.pieces.fresh_key() ^ self.twice_key()
    }

    fn same_board(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.twice == other.twice
    }
}

impl Rules for Sapos {
    type Position = SaposPosition;
    type Move = SaposMove;

    const GEOMETRY: Geometry = Geometry { files: 8, ranks: 8 }.small();

    /// SPEC 13.3: each side has four pieces, on files d and e.
    fn start(&self) -> SaposPosition {
        let (one, two) = (SquareSet(0x0000_0000_0018_1800), SquareSet(0x0018_1800_0000_0000));
        let pieces = Men::new(BySide::new(one, two));
        SaposPosition { pieces, counters: Counters::START, twice: false }
    }

    fn visit_moves<V>(&self, position: &SaposPosition, visit: V) -> ControlFlow<()>
    where
        V: FnMut(SaposMove) -> ControlFlow<()>,
    {
        self.visit_some(position, usize::MAX, usize::MAX, visit)
    }

    fn play_unchecked(&self, position: &mut SaposPosition, mv: SaposMove) {
        let side = position.side();
        position.pieces.toggle(side, mv.from);
        position.pieces.toggle(side, mv.to);
        if let Some(drop) = mv.drop {
            position.pieces.toggle(side, drop);
        }
        position.pieces.remove(side.other(), mv.captured);
        position.pass_turn();
        position.counters.advance(!mv.captured.is_empty());
    }

    fn ply_limit(&self, position: &SaposPosition) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }

    fn is_capture(&self, _: &SaposPosition, mv: SaposMove) -> bool {
        !mv.captured.is_empty()
    }

    fn has_move(&self, position: &SaposPosition) -> bool {
        let placing = Placing::new(self, position);
        let mut jumpers = position.jumpers(position.counters.side).into_iter();
        jumpers.any(|from| Chain::new(self, position, from).can_go_on(&placing))
    }

    fn count_moves(&self, position: &SaposPosition, stop: &StopFlag) -> u64 {
        let placing = Placing::new(self, position);
        let jumpers = position.jumpers(position.counters.side).into_iter();
        jumpers
            .take_while(|_| !stop.is_raised())
            .map(|from| {
                let chain = Chain::new(self, position, from);
                if self.revisit {
                    count::count(&chain, &placing)
                } else {
                    paths::count(&chain, &placing)
                }
            })
            .sum()
    }
}

impl Sapos {
    /// Appends the moves of at most `CANDIDATE_ENDS` ends of each piece's routes, the shortest ones.
    pub fn shortest_moves(&self, position: &SaposPosition, moves: &mut Vec<SaposMove>) {
        let _ = self.visit_some(position, CANDIDATE_ENDS, CANDIDATE_PATHS, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
    }

    /// Visits moves in listing order. Each piece has at most about `ends` ends of routes, out of at most `paths`
    /// routes.
    fn visit_some<V>(
        &self,
        position: &SaposPosition,
        ends: usize,
        paths: usize,
        mut visit: V,
    ) -> ControlFlow<()>
    where
        V: FnMut(SaposMove) -> ControlFlow<()>,
    {
        let placing = Placing::new(self, position);
        let mut tree = Tree::default();
        for from in position.jumpers(position.counters.side) {
            let chain = Chain::new(self, position, from);
            if self.revisit {
                tree.grow(&chain, ends);
                tree.visit(&chain, &placing, &mut visit)?;
            } else {
                paths::visit(&chain, &placing, paths, ends, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Notation for Sapos {
    type PartialMove<'a> = SaposPartialMove<'a>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("white", "black"),
        pieces: &men::faces("frog"),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &SaposPosition, square: Square) -> Option<Piece> {
        position.pieces.piece(square)
    }

    /// SPEC 13.5: the turns that the side to move has in a row.
    fn extra(&self, position: &SaposPosition) -> String {
        position.turns().to_string()
    }

    /// SPEC 9.17: at most 16 pieces a side. SPEC 13.5: the extra field is 1 or 2.
    fn from_setup(&self, setup: &Setup) -> Result<SaposPosition, SetupError> {
        let twice = match setup.extra.as_str() {
            "1" => false,
            "2" => true,
            _ => return Err(setup.refuse_extra("1 or 2 turns in a row")),
        };
        let pieces = Men::from_setup(setup, PIECES, "pieces")?;
        Ok(SaposPosition { pieces, counters: setup.counters, twice })
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a SaposPosition,
        _: Option<&'a Game<Self>>,
    ) -> SaposPartialMove<'a> {
        SaposPartialMove::new(self, position)
    }

    fn route(&self, position: &SaposPosition, mv: SaposMove) -> Steps {
        let chain = Chain::new(self, position, mv.from);
        let squares = if self.revisit {
            let mut tree = Tree::default();
            tree.grow(&chain.restricted(mv.captured), usize::MAX);
            tree.route(mv.to, mv.captured)
        } else {
            paths::canonical(&chain, mv.to, mv.captured)
        };
        let squares = std::iter::once(mv.from).chain(squares).map(Step::To);
        Steps(squares.chain(mv.drop.map(Step::Drop)).collect())
    }

    fn tally(&self, position: &SaposPosition) -> Vec<(&'static str, Tally)> {
        let reserves = BySide::from_fn(|side| position.reserve(side));
        vec![("men", Tally::Each(position.pieces.count())), ("reserves", Tally::Each(reserves))]
    }
}

#[cfg(test)]
mod tests;
