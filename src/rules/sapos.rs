//! Sapos: 8x8 squares, pieces jump friends and enemies and multiply; the last to move wins (SPEC 13).

mod chain;
mod count;
mod jumps;
mod paths;
mod tree;
mod turn;

use std::ops::ControlFlow;

use chain::{Chain, Placing};
use jumps::jumpers;
use tree::Tree;
pub use turn::SaposTurn;

use super::bits::Squares;
use super::notation::{
    Banned, Composed, Face, Glyph, Notation, Piece, Refusal, Step, Steps, Tally,
};
use super::{
    Board, Cancel, Counters, EndReason, Game, GameResult, Horizon, Key, Outcome, Position,
    Repetition, Side, Square, keys,
};

/// Pieces that a player owns, on the board and in reserve (SPEC 13.2, 9.17).
pub const PIECES: u32 = 16;

/// The third occurrence of a position ends the game (SPEC 10.12).
const REPETITIONS: u32 = 3;

/// How many ends of routes of one piece a search looks at. Where no player tries to make many, games do not come near.
const CANDIDATE_ENDS: usize = 64;

/// How many routes of one piece are looked through for them where they may not come back to their squares.
const CANDIDATE_PATHS: usize = 512;

/// What becomes of a turn that captures nothing and cannot place a piece (SPEC 13.12, 13.13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// It is not legal.
    #[default]
    Required,
    /// It is legal and places nothing.
    Possible,
}

/// The rules of Sapos in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sapos {
    /// Option `SaposPlacement`.
    pub placement: Placement,
    /// Option `SaposRevisit`: whether a piece may come back to a square of its route (SPEC 13.14, 13.15).
    pub revisit: bool,
    /// Option `MaxPlies`: the ply that ends the game; 0 = no limit.
    pub max_plies: u32,
}

impl Default for Sapos {
    fn default() -> Self {
        Sapos { placement: Placement::Required, revisit: true, max_plies: 400 }
    }
}

/// A position of Sapos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SaposPosition {
    /// The squares where each side's pieces stand.
    pieces: [u64; 2],
    counters: Counters,
    /// Whether the side to move has two turns in a row (SPEC 13.5).
    twice: bool,
    key: Key,
}

/// A move: origin, destination, the set of captured pieces and the square of the placed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SaposMove {
    captured: u64,
    from: Square,
    to: Square,
    drop: Option<Square>,
}

impl SaposMove {
    /// The squares of the pieces that the move captures.
    #[must_use]
    pub const fn captured(self) -> u64 {
        self.captured
    }
}

const PIECE_KEYS: [[Key; 64]; 2] = [keys::table(0x5a1), keys::table(0x5a2)];

/// Folded in where the side to move has two turns in a row.
const TWICE_KEY: Key = keys::SplitMix64::new(0x5a3).draw().1;

impl SaposPosition {
    /// The squares where a side's pieces stand; bit 0 is a1.
    #[must_use]
    pub const fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// How many pieces a side has in reserve.
    #[must_use]
    pub const fn reserve(&self, side: Side) -> u32 {
        PIECES - self.pieces(side).count_ones()
    }

    /// The pieces of a side that can make a jump, over whatever piece.
    #[must_use]
    pub const fn jumpers(&self, side: Side) -> u64 {
        jumpers(self.pieces(side), self.pieces[0] | self.pieces[1], self.empty())
    }

    const fn own(&self) -> u64 {
        self.pieces(self.counters.side)
    }

    const fn enemy(&self) -> u64 {
        self.pieces(self.counters.side.other())
    }

    const fn empty(&self) -> u64 {
        !(self.pieces[0] | self.pieces[1])
    }
}

impl Position for SaposPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn key(&self) -> Key {
        self.key
    }

    fn fresh_key(&self) -> Key {
        let pieces = Side::BOTH.into_iter().flat_map(|side| {
            Squares(self.pieces(side)).map(move |square| PIECE_KEYS[side.index()][square.index()])
        });
        let side = if self.counters.side == Side::Two { keys::SIDE } else { 0 };
        let twice = if self.twice { TWICE_KEY } else { 0 };
        pieces.fold(side ^ twice, |key, piece| key ^ piece)
    }

    fn repeats(&self, other: &Self) -> bool {
        self.pieces == other.pieces
            && self.counters.side == other.counters.side
            && self.twice == other.twice
    }
}

impl Game for Sapos {
    type Position = SaposPosition;
    type Move = SaposMove;

    const BOARD: Board = Board { files: 8, ranks: 8 };

    /// SPEC 13.3: four pieces each, on files d and e.
    fn start(&self) -> SaposPosition {
        let mut start = SaposPosition {
            pieces: [0x0000_0000_0018_1800, 0x0018_1800_0000_0000],
            counters: Counters::START,
            twice: false,
            key: 0,
        };
        start.key = start.fresh_key();
        start
    }

    fn visit_moves<V>(&self, position: &SaposPosition, visit: V) -> ControlFlow<()>
    where
        V: FnMut(SaposMove) -> ControlFlow<()>,
    {
        self.visit_some(position, usize::MAX, usize::MAX, visit)
    }

    fn play(&self, position: &mut SaposPosition, mv: SaposMove) {
        let own = position.counters.side.index();
        let enemy = 1 - own;
        position.pieces[own] ^= mv.from.bit() ^ mv.to.bit();
        position.key ^= PIECE_KEYS[own][mv.from.index()] ^ PIECE_KEYS[own][mv.to.index()];
        if let Some(drop) = mv.drop {
            position.pieces[own] ^= drop.bit();
            position.key ^= PIECE_KEYS[own][drop.index()];
        }
        position.pieces[enemy] ^= mv.captured;
        for square in Squares(mv.captured) {
            position.key ^= PIECE_KEYS[enemy][square.index()];
        }
        position.pass_turn();
        position.counters.advance(mv.captured != 0);
    }

    fn no_moves(&self, position: &SaposPosition) -> Outcome {
        let result = GameResult::Win(position.side().other());
        Outcome { result, reason: EndReason::NoMoves }
    }

    /// SPEC 13.18: limits and repetitions are draws.
    fn count(&self, _: &SaposPosition) -> GameResult {
        GameResult::Draw
    }

    fn horizon(&self, position: &SaposPosition) -> Option<Horizon> {
        Horizon::max_plies(self.max_plies, position.counters.ply)
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ends(REPETITIONS)
    }

    fn is_capture(&self, _: &SaposPosition, mv: SaposMove) -> bool {
        mv.captured != 0
    }

    fn from_to(mv: SaposMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn has_move(&self, position: &SaposPosition) -> bool {
        let placing = Placing::new(self, position);
        Squares(position.jumpers(position.counters.side))
            .any(|from| Chain::new(self, position, from).can_go_on(&placing))
    }

    fn count_moves(&self, position: &SaposPosition, cancel: &Cancel) -> u64 {
        let placing = Placing::new(self, position);
        Squares(position.jumpers(position.counters.side))
            .take_while(|_| !cancel.is_raised())
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

    /// At most `CANDIDATE_ENDS` ends of each piece's routes, the shortest.
    fn candidates(&self, position: &SaposPosition, moves: &mut Vec<SaposMove>) {
        let _ = self.visit_some(position, CANDIDATE_ENDS, CANDIDATE_PATHS, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
    }
}

impl Sapos {
    /// Visits moves in listing order, with at most about `ends` ends of routes for each piece, out of at most `paths` routes.
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
        for from in Squares(position.jumpers(position.counters.side)) {
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

impl SaposPosition {
    /// Hands the turn on (SPEC 13.6); the ply is still that of the move made.
    const fn pass_turn(&mut self) {
        if self.twice {
            self.twice = false;
            self.key ^= TWICE_KEY;
            return;
        }
        self.counters.side = self.counters.side.other();
        self.key ^= keys::SIDE;
        if self.counters.ply == 0 {
            self.twice = true;
            self.key ^= TWICE_KEY;
        }
    }
}

/// The letter of a side's pieces.
const fn letter(side: Side) -> char {
    match side {
        Side::One => 'M',
        Side::Two => 'm',
    }
}

impl Notation for Sapos {
    type Turn<'a> = SaposTurn<'a>;

    const LETTERS: &'static str = "Mm";
    const FACE: Face = Face {
        colours: ["white", "black"],
        pieces: &[
            Piece { glyph: Glyph::plain('M'), name: "frog", owner: Some(Side::One), value: 1 },
            Piece { glyph: Glyph::plain('m'), name: "frog", owner: Some(Side::Two), value: 1 },
        ],
        lines: &[],
    };

    fn glyph(&self, position: &SaposPosition, square: Square) -> Option<Glyph> {
        let side =
            Side::BOTH.into_iter().find(|side| position.pieces(*side) & square.bit() != 0)?;
        Some(Glyph::plain(letter(side)))
    }

    /// SPEC 13.5: the turns that the side to move has in a row.
    fn extra(&self, position: &SaposPosition) -> String {
        if position.twice { "2" } else { "1" }.to_owned()
    }

    /// SPEC 9.17: at most 16 pieces a side; 13.5: an extra of 1 or 2.
    fn compose(&self, composed: &Composed) -> Result<SaposPosition, Refusal> {
        let twice = match composed.extra.as_str() {
            "1" => false,
            "2" => true,
            _ => return Err(composed.refuse_extra("1 or 2 turns in a row")),
        };
        let mut position =
            SaposPosition { pieces: [0; 2], counters: composed.counters, twice, key: 0 };
        for (square, glyph) in &composed.pieces {
            let side = if glyph.letter == letter(Side::One) { Side::One } else { Side::Two };
            let pieces = &mut position.pieces[side.index()];
            *pieces |= square.bit();
            if pieces.count_ones() > PIECES {
                let text = format!("player {} has more than {PIECES} pieces", side.index() + 1);
                return Err(Refusal::square(*square, text));
            }
        }
        position.key = position.fresh_key();
        Ok(position)
    }

    fn turn<'a>(
        &'a self,
        position: &'a SaposPosition,
        _: Banned<'a, SaposPosition>,
    ) -> SaposTurn<'a> {
        SaposTurn::new(self, position)
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
        let men = Side::BOTH.map(|side| position.pieces(side).count_ones());
        let reserves = Side::BOTH.map(|side| position.reserve(side));
        vec![("men", Tally::Each(men)), ("reserves", Tally::Each(reserves))]
    }
}

#[cfg(test)]
mod tests;
