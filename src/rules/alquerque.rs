//! Alquerque: 5x5 points joined by lines, twelve men a side (SPEC 11).

mod lines;
mod turn;

use std::ops::ControlFlow;

use lines::{DIRECTIONS, HOP_LANDINGS, HOP_ORIGINS, LINES, STEP_ORIGINS, STEPS, beyond, over};
pub use turn::AlquerqueTurn;

use super::bits::{Squares, shift};
use super::notation::{
    Banned, Composed, Face, Glyph, Notation, Piece, Refusal, Step, Steps, Tally,
};
use super::{
    Board, Cancel, Counters, EndReason, Game, GameResult, Horizon, Key, Outcome, Position,
    Repetition, Side, Square, keys,
};

/// Men that a side begins with, and can have at most (SPEC 11.3, 9.17).
const MEN: u32 = 12;

/// The third occurrence of a position ends the game (SPEC 10.12).
const REPETITIONS: u32 = 3;

/// All 25 points.
const POINTS: u64 = (1 << 25) - 1;

/// Whether a capture may be left alone (SPEC 11.10, 11.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    /// Capturing is optional, and so is going on.
    #[default]
    Optional,
    /// If a capture exists one must be made, and carried on while it can be.
    Mandatory,
}

/// The rules of Alquerque in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alquerque {
    /// Option `AlquerqueCapture`.
    pub capture: Capture,
    /// Option `AlquerqueQuietLimit`: plies without a capture that end the game; 0 = no limit.
    pub quiet_limit: u32,
    /// Option `MaxPlies`: the ply that ends the game; 0 = no limit.
    pub max_plies: u32,
}

impl Default for Alquerque {
    fn default() -> Self {
        Alquerque { capture: Capture::Optional, quiet_limit: 100, max_plies: 400 }
    }
}

/// A position of Alquerque.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlquerquePosition {
    /// The points where each side's men stand.
    men: [u32; 2],
    counters: Counters,
    key: Key,
}

/// A move: origin, destination and the set of captured men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlquerqueMove {
    from: Square,
    to: Square,
    captured: u32,
}

impl AlquerqueMove {
    /// The points of the men that the move captures.
    #[must_use]
    pub const fn captured(self) -> u64 {
        self.captured as u64
    }
}

const MAN_KEYS: [[Key; 25]; 2] = [keys::table(0xa1), keys::table(0xa2)];

impl AlquerquePosition {
    /// The points where a side's men stand; bit 0 is a1.
    #[must_use]
    pub const fn men(&self, side: Side) -> u64 {
        self.men[side.index()] as u64
    }

    /// How many single steps a side could make, counted by whole directions.
    #[inline]
    #[must_use]
    pub fn steps(&self, side: Side) -> u32 {
        let (men, empty) = (self.men(side), self.empty());
        (0..DIRECTIONS.len())
            .map(|d| (men & STEP_ORIGINS[d] & shift(empty, -DIRECTIONS[d])).count_ones())
            .sum()
    }

    const fn own(&self) -> u64 {
        self.men(self.counters.side)
    }

    const fn enemy(&self) -> u64 {
        self.men(self.counters.side.other())
    }

    const fn empty(&self) -> u64 {
        POINTS & !(self.men(Side::One) | self.men(Side::Two))
    }
}

impl Position for AlquerquePosition {
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

impl Game for Alquerque {
    type Position = AlquerquePosition;
    type Move = AlquerqueMove;

    const BOARD: Board = Board { files: 5, ranks: 5 };
    /// SPEC 11.15.
    const DRAW_BY_AGREEMENT: bool = true;

    /// SPEC 11.3: two full rows each, and the two points to one's right on the middle row.
    fn start(&self) -> AlquerquePosition {
        let mut start = AlquerquePosition {
            men: [0b11000_11111_11111, 0b11111_11111_00011 << 10],
            counters: Counters::START,
            key: 0,
        };
        start.key = start.fresh_key();
        start
    }

    fn visit_moves<V>(&self, position: &AlquerquePosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        let hoppers = hoppers(position);
        let captures_only = self.capture == Capture::Mandatory && hoppers != 0;
        let steppers = if captures_only { 0 } else { position.own() };
        let empty = position.empty();
        for from in Squares(hoppers | steppers) {
            let landings = if hoppers & from.bit() == 0 {
                0
            } else {
                hop_landings(from, position.enemy(), empty)
            };
            let steps = if captures_only { 0 } else { STEPS[from.index()] & empty };
            for to in Squares(steps | landings) {
                if steps & to.bit() != 0 {
                    visit(AlquerqueMove { from, to, captured: 0 })?;
                } else {
                    Chain::new(self, position, from).hop(to, &mut visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn play(&self, position: &mut AlquerquePosition, mv: AlquerqueMove) {
        let own = position.counters.side.index();
        let enemy = 1 - own;
        position.men[own] ^= (mv.from.bit() ^ mv.to.bit()) as u32;
        position.men[enemy] ^= mv.captured;
        position.key ^= MAN_KEYS[own][mv.from.index()] ^ MAN_KEYS[own][mv.to.index()] ^ keys::SIDE;
        for square in Squares(u64::from(mv.captured)) {
            position.key ^= MAN_KEYS[enemy][square.index()];
        }
        position.counters.advance(mv.captured != 0);
        position.counters.side = position.counters.side.other();
    }

    fn no_moves(&self, position: &AlquerquePosition) -> Outcome {
        let result = GameResult::Win(position.side().other());
        Outcome { result, reason: EndReason::NoMoves }
    }

    fn count(&self, position: &AlquerquePosition) -> GameResult {
        GameResult::by_count(position.men.map(u32::count_ones))
    }

    fn horizon(&self, position: &AlquerquePosition) -> Option<Horizon> {
        let Counters { quiet, ply, .. } = position.counters;
        let quiet_limit = (self.quiet_limit > 0).then(|| Horizon {
            plies: self.quiet_limit.saturating_sub(quiet),
            reason: EndReason::QuietLimit,
        });
        Horizon::nearest(quiet_limit, Horizon::max_plies(self.max_plies, ply))
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ends(REPETITIONS)
    }

    fn is_capture(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> bool {
        mv.captured != 0
    }

    fn from_to(mv: AlquerqueMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn has_move(&self, position: &AlquerquePosition) -> bool {
        count_steps(position) > 0 || can_capture(position)
    }

    /// Steps are counted by whole directions, hops by walking each chain.
    fn count_moves(&self, position: &AlquerquePosition, _: &Cancel) -> u64 {
        let hoppers = hoppers(position);
        if hoppers == 0 {
            return count_steps(position);
        }
        let mut count = if self.capture == Capture::Mandatory { 0 } else { count_steps(position) };
        let mut visit = |_| {
            count += 1;
            ControlFlow::Continue(())
        };
        for from in Squares(hoppers) {
            for to in Squares(hop_landings(from, position.enemy(), position.empty())) {
                let _ = Chain::new(self, position, from).hop(to, &mut visit);
            }
        }
        count
    }
}

/// How many single steps the side to move has.
#[inline]
fn count_steps(position: &AlquerquePosition) -> u64 {
    position.steps(position.counters.side).into()
}

/// The men of the side to move that can capture.
#[inline]
fn hoppers(position: &AlquerquePosition) -> u64 {
    let (enemy, empty) = (position.enemy(), position.empty());
    let toward = |d: usize| {
        let jumpable = enemy & shift(empty, -DIRECTIONS[d]);
        HOP_ORIGINS[d] & shift(jumpable, -DIRECTIONS[d])
    };
    position.own() & (0..DIRECTIONS.len()).fold(0, |origins, d| origins | toward(d))
}

fn can_capture(position: &AlquerquePosition) -> bool {
    hoppers(position) != 0
}

/// Where a man on `from` can land by one hop over a man of `enemy`.
#[inline]
fn hop_landings(from: Square, enemy: u64, empty: u64) -> u64 {
    beyond(from, enemy) & HOP_LANDINGS[from.index()] & empty
}

/// A man on its way from hop to hop: a walk over the routes in listing order that yields each move once.
///
/// Routes to one move have equal length, and every beginning of a canonical route is canonical itself (a smaller
/// beginning would make a smaller route), so the walk turns back at the first square that makes its route another
/// one's double. Hops keep the parity of file and rank: captured points are never landed on.
#[derive(Clone, Copy)]
struct Chain {
    must_go_on: bool,
    from: Square,
    at: Square,
    /// Enemy men not captured yet.
    enemy: u64,
    /// Empty points, the origin among them: it is left for the whole move (SPEC 10.3).
    empty: u64,
    captured: u64,
    route: Packed,
}

/// The landing points of a route, five bits each, the last lowest: at most twelve hops fit a word.
type Packed = u64;

impl Chain {
    const fn new(game: &Alquerque, position: &AlquerquePosition, from: Square) -> Chain {
        Chain {
            must_go_on: matches!(game.capture, Capture::Mandatory),
            from,
            at: from,
            enemy: position.enemy(),
            empty: position.empty() | from.bit(),
            captured: 0,
            route: 0,
        }
    }

    /// Hops to `to`, visits the move that ends there if it may, then the longer ones.
    fn hop<V>(&self, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        let chain = self.landed(to);
        if chain.is_double() {
            return ControlFlow::Continue(());
        }
        let landings = hop_landings(to, chain.enemy, chain.empty);
        if !(self.must_go_on && landings != 0) {
            visit(chain.end())?;
        }
        for next in Squares(landings) {
            chain.hop(next, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn landed(&self, to: Square) -> Chain {
        let over = over(self.at, to).bit();
        Chain {
            at: to,
            enemy: self.enemy & !over,
            captured: self.captured | over,
            route: self.route << 5 | to.index() as u64,
            ..*self
        }
    }

    /// The move that ends here.
    const fn end(&self) -> AlquerqueMove {
        AlquerqueMove { from: self.from, to: self.at, captured: self.captured as u32 }
    }

    /// Whether a smaller route makes the same move: two routes over the same men have at least three hops.
    fn is_double(&self) -> bool {
        let but_one = self.captured & (self.captured - 1);
        let has_three = but_one & but_one.wrapping_sub(1) != 0;
        has_three
            && smallest_route(self.from, self.at, self.captured, self.empty) != Some(self.route)
    }
}

/// The smallest route from `at` to `to` that captures exactly `captured`.
fn smallest_route(at: Square, to: Square, captured: u64, empty: u64) -> Option<Packed> {
    fn walk(at: Square, to: Square, captured: u64, empty: u64, route: Packed) -> Option<Packed> {
        if captured == 0 {
            return (at == to).then_some(route);
        }
        Squares(hop_landings(at, captured, empty)).find_map(|next| {
            let left = captured & !over(at, next).bit();
            walk(next, to, left, empty, route << 5 | next.index() as u64)
        })
    }
    walk(at, to, captured, empty, 0)
}

impl Notation for Alquerque {
    type Turn<'a> = AlquerqueTurn<'a>;

    const LETTERS: &'static str = "Mm";
    const FACE: Face = Face {
        colours: ["white", "black"],
        pieces: &[
            Piece { glyph: Glyph::plain('M'), name: "man", owner: Some(Side::One), value: 1 },
            Piece { glyph: Glyph::plain('m'), name: "man", owner: Some(Side::Two), value: 1 },
        ],
        lines: &LINES,
    };

    fn glyph(&self, position: &AlquerquePosition, square: Square) -> Option<Glyph> {
        let side = Side::BOTH.into_iter().find(|side| position.men(*side) & square.bit() != 0)?;
        Some(Glyph::plain(if side == Side::One { 'M' } else { 'm' }))
    }

    /// SPEC 9.17: at most twelve men a side; 11.5: no extra field.
    fn compose(&self, composed: &Composed) -> Result<AlquerquePosition, Refusal> {
        let mut position = AlquerquePosition { men: [0; 2], counters: composed.counters, key: 0 };
        for (square, glyph) in &composed.pieces {
            let side = if glyph.letter == 'M' { Side::One } else { Side::Two };
            let men = &mut position.men[side.index()];
            *men |= square.bit() as u32;
            if men.count_ones() > MEN {
                let text = format!("player {} has more than {MEN} men", side.index() + 1);
                return Err(Refusal::square(*square, text));
            }
        }
        composed.expect_no_extra()?;
        position.key = position.fresh_key();
        Ok(position)
    }

    fn turn<'a>(
        &'a self,
        position: &'a AlquerquePosition,
        _: Banned<'a, AlquerquePosition>,
    ) -> AlquerqueTurn<'a> {
        AlquerqueTurn::new(self, position)
    }

    fn route(&self, position: &AlquerquePosition, mv: AlquerqueMove) -> Steps {
        let mut steps = vec![Step::To(mv.from)];
        let captured = u64::from(mv.captured);
        if captured == 0 {
            steps.push(Step::To(mv.to));
        }
        let empty = position.empty() | mv.from.bit();
        let route = smallest_route(mv.from, mv.to, captured, empty).unwrap_or_default();
        for hop in (0..captured.count_ones()).rev() {
            steps.push(Step::To(Square::new((route >> (5 * hop) & 31) as usize)));
        }
        Steps(steps)
    }

    fn tally(&self, position: &AlquerquePosition) -> Vec<(&'static str, Tally)> {
        vec![("men", Tally::Each(position.men.map(u32::count_ones)))]
    }
}

#[cfg(test)]
mod tests;
