//! Eximo: 8x8 squares, sixteen men a side, no kings; a man that reaches the last row comes back as two (SPEC 12).

mod directions;
mod drops;
mod hops;
mod turn;

use std::ops::ControlFlow;

use directions::{ALL, DIRECTIONS, FORWARD, LAST_ROW, STEPS};
use drops::Drops;
use hops::{Hops, Path};
pub use turn::EximoTurn;

use super::bits::{Squares, shift};
use super::notation::{
    Banned, Composed, Face, Glyph, Notation, Piece, Refusal, Step, Steps, Tally,
};
use super::{
    Board, Cancel, Counters, EndReason, Game, GameResult, Horizon, Key, Outcome, Position,
    Repetition, Side, Square, keys,
};

/// The third occurrence of a position ends the game (SPEC 10.12).
const REPETITIONS: u32 = 3;

/// The rules of Eximo in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eximo {
    /// Option `MaxPlies`: the ply that ends the game; 0 = no limit.
    pub max_plies: u32,
}

impl Default for Eximo {
    fn default() -> Self {
        Eximo { max_plies: 400 }
    }
}

/// A position of Eximo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EximoPosition {
    /// The squares where each side's men stand.
    men: [u64; 2],
    counters: Counters,
    key: Key,
}

/// A move: origin, destination, the set of captured men and the squares of the drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EximoMove {
    from: Square,
    to: Square,
    /// Empty unless `to` is on the last row.
    drops: Drops,
    captured: u64,
}

impl EximoMove {
    /// The squares of the men that the move captures; bit 0 is a1.
    #[must_use]
    pub const fn captured(self) -> u64 {
        self.captured
    }

    /// The squares on which men are dropped, ascending.
    pub fn drops(self) -> impl Iterator<Item = Square> {
        self.drops.into_iter().flatten()
    }

    const fn new(path: Path, drops: Drops) -> EximoMove {
        EximoMove { from: path.from, to: path.at, drops, captured: path.captured }
    }
}

const MAN_KEYS: [[Key; 64]; 2] = [keys::table(0xe1), keys::table(0xe2)];

impl EximoPosition {
    /// The squares where a side's men stand; bit 0 is a1.
    #[must_use]
    pub const fn men(&self, side: Side) -> u64 {
        self.men[side.index()]
    }

    /// The squares where nobody stands.
    #[must_use]
    pub const fn empty(&self) -> u64 {
        !(self.men[0] | self.men[1])
    }

    const fn own(&self) -> u64 {
        self.men(self.counters.side)
    }

    const fn enemy(&self) -> u64 {
        self.men(self.counters.side.other())
    }

    /// The hops that the side to move may make: captures, if there is one (SPEC 12.10).
    #[inline]
    fn hops(&self, side: Side) -> Hops {
        let captures = Hops::captures(self, side);
        if captures.origins() & self.men(side) == 0 { Hops::jumps(self, side) } else { captures }
    }

    /// Puts a man on a square or takes him off.
    #[inline]
    fn toggle(&mut self, side: Side, square: Square) {
        self.men[side.index()] ^= square.bit();
        self.key ^= MAN_KEYS[side.index()][square.index()];
    }
}

impl Position for EximoPosition {
    fn counters(&self) -> Counters {
        self.counters
    }

    fn key(&self) -> Key {
        self.key
    }

    fn fresh_key(&self) -> Key {
        let men = Side::BOTH.into_iter().flat_map(|side| {
            Squares(self.men(side)).map(move |square| MAN_KEYS[side.index()][square.index()])
        });
        let side = if self.counters.side == Side::Two { keys::SIDE } else { 0 };
        men.fold(side, |key, man| key ^ man)
    }

    fn repeats(&self, other: &Self) -> bool {
        self.men == other.men && self.counters.side == other.counters.side
    }
}

impl Game for Eximo {
    type Position = EximoPosition;
    type Move = EximoMove;

    const BOARD: Board = Board { files: 8, ranks: 8 };

    /// SPEC 12.3.
    fn start(&self) -> EximoPosition {
        let men = [0x66_7e_7e, 0x7e_7e_66 << 40];
        let mut start = EximoPosition { men, counters: Counters::START, key: 0 };
        start.key = start.fresh_key();
        start
    }

    fn visit_moves<V>(&self, position: &EximoPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(EximoMove) -> ControlFlow<()>,
    {
        let (side, empty) = (position.side(), position.empty());
        let hops = position.hops(side);
        let mut end = |path: Path| {
            if path.at.bit() & LAST_ROW[side.index()] == 0 {
                return visit(EximoMove::new(path, Drops::default()));
            }
            let empty = path.emptied(empty);
            drops::visit_choices(side, empty, |drops| visit(EximoMove::new(path, drops)))
        };
        for from in Squares(position.own()) {
            let start = Path::new(from);
            let mut walk = hops.walk(start);
            let steps = if hops.capture() { 0 } else { STEPS[side.index()][from.index()] & empty };
            for to in Squares(steps | hops.landings(from, 0)) {
                if steps & to.bit() != 0 {
                    end(Path { at: to, ..start })?;
                } else {
                    walk.first(to, &mut end)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn play(&self, position: &mut EximoPosition, mv: EximoMove) {
        let side = position.side();
        position.toggle(side, mv.from);
        for square in Squares(mv.captured) {
            position.toggle(side.other(), square);
        }
        if mv.to.bit() & LAST_ROW[side.index()] == 0 {
            position.toggle(side, mv.to);
        }
        for square in mv.drops() {
            position.toggle(side, square);
        }
        position.key ^= keys::SIDE;
        position.counters.advance(mv.captured != 0);
        position.counters.side = side.other();
    }

    /// SPEC 12.16.
    fn no_moves(&self, position: &EximoPosition) -> Outcome {
        let result = GameResult::Win(position.side().other());
        Outcome { result, reason: EndReason::NoMoves }
    }

    /// SPEC 12.17: limits and repetitions are draws.
    fn count(&self, _: &EximoPosition) -> GameResult {
        GameResult::Draw
    }

    fn horizon(&self, position: &EximoPosition) -> Option<Horizon> {
        Horizon::max_plies(self.max_plies, position.counters.ply)
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ends(REPETITIONS)
    }

    fn is_capture(&self, _: &EximoPosition, mv: EximoMove) -> bool {
        mv.captured != 0
    }

    fn from_to(mv: EximoMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn has_move(&self, position: &EximoPosition) -> bool {
        let side = position.side();
        steppers(position, side) != 0 || position.hops(side).origins() & position.own() != 0
    }

    fn count_moves(&self, position: &EximoPosition, _: &Cancel) -> u64 {
        // Each side by itself, so that its directions are constants.
        match position.side() {
            Side::One => count_moves(position, Side::One),
            Side::Two => count_moves(position, Side::Two),
        }
    }
}

#[inline(always)]
fn count_moves(position: &EximoPosition, side: Side) -> u64 {
    let (own, empty) = (position.men(side), position.empty());
    let captures = Hops::captures(position, side);
    if captures.origins() & own != 0 {
        return captures.count(own, empty);
    }
    let steps: u64 = DIRECTIONS[side.index()][FORWARD..]
        .iter()
        .map(|direction| shift(own & direction.step_origins, direction.delta) & empty)
        // A step to the last row frees no square of the drop zone.
        .map(|landed| drops::count_ends(side, landed, empty))
        .sum();
    steps + Hops::jumps(position, side).count(own, empty)
}

/// The men of a side that can step.
#[inline]
fn steppers(position: &EximoPosition, side: Side) -> u64 {
    let empty = position.empty();
    let origins = (FORWARD..ALL).fold(0, |origins, d| {
        let direction = &DIRECTIONS[side.index()][d];
        origins | direction.step_origins & shift(empty, -direction.delta)
    });
    position.men(side) & origins
}

impl Notation for Eximo {
    type Turn<'a> = EximoTurn<'a>;

    const LETTERS: &'static str = "Mm";

    const FACE: Face = Face {
        colours: ["black", "white"],
        pieces: &[
            Piece { glyph: man(Side::One), name: "man", owner: Some(Side::One), value: 1 },
            Piece { glyph: man(Side::Two), name: "man", owner: Some(Side::Two), value: 1 },
        ],
        lines: &[],
    };

    fn glyph(&self, position: &EximoPosition, square: Square) -> Option<Glyph> {
        let side = Side::BOTH.into_iter().find(|side| position.men(*side) & square.bit() != 0)?;
        Some(man(side))
    }

    /// SPEC 12.9, 12.15: nobody stands on his own last row; any number of men; no extra field.
    fn compose(&self, composed: &Composed) -> Result<EximoPosition, Refusal> {
        let mut position = EximoPosition { men: [0; 2], counters: composed.counters, key: 0 };
        for (square, glyph) in &composed.pieces {
            let side = if *glyph == man(Side::One) { Side::One } else { Side::Two };
            if LAST_ROW[side.index()] & square.bit() != 0 {
                let text = format!(
                    "expected no man of player {} on their last row, found one on {}",
                    side.index() + 1,
                    Self::BOARD.name(*square)
                );
                return Err(Refusal::square(*square, text));
            }
            position.men[side.index()] |= square.bit();
        }
        composed.expect_no_extra()?;
        position.key = position.fresh_key();
        Ok(position)
    }

    fn turn<'a>(
        &'a self,
        position: &'a EximoPosition,
        _: Banned<'a, EximoPosition>,
    ) -> EximoTurn<'a> {
        EximoTurn::new(position)
    }

    fn route(&self, position: &EximoPosition, mv: EximoMove) -> Steps {
        let (start, end) =
            (Path::new(mv.from), Path { from: mv.from, at: mv.to, captured: mv.captured });
        let hops = position.hops(position.side()).smallest_route(start, end);
        // What no hops lead to is one step away.
        let squares = hops.unwrap_or_else(|| vec![mv.to]).into_iter().rev();
        let mut steps = vec![Step::To(mv.from)];
        steps.extend(squares.map(Step::To));
        steps.extend(mv.drops().map(Step::Drop));
        Steps(steps)
    }

    fn tally(&self, position: &EximoPosition) -> Vec<(&'static str, Tally)> {
        vec![("men", Tally::Each(position.men.map(u64::count_ones)))]
    }
}

const fn man(side: Side) -> Glyph {
    Glyph::plain(match side {
        Side::One => 'M',
        Side::Two => 'm',
    })
}

#[cfg(test)]
mod tests;
