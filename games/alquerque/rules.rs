//! Alquerque: 5x5 points joined by lines, twelve men a side (SPEC 11).

mod lines;
mod turn;

use std::ops::ControlFlow;

use lines::{DIRECTIONS, HOP_LANDINGS, HOP_ORIGINS, LINES, STEP_ORIGINS, STEPS, beyond};
pub use turn::AlquerqueTurn;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{Banned, Composed, Face, Glyph, Notation, Refusal, Step, Steps, Tally};
use leap_core::{
    Board, BySide, Cancel, Counters, EndReason, Game, GameResult, Horizon, Position, Side, Square,
    SquareSet,
};

/// The men of a side at the beginning, and the most that it can have (SPEC 11.3, 9.17).
pub const MEN: u32 = 12;

/// Whether a player may decline a capture (SPEC 11.10, 11.11).
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    strum::Display,
    strum::EnumString,
    strum::VariantNames,
)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Capture {
    /// Capturing is optional, and so is continuing a capture.
    #[default]
    Optional,
    /// If a capture exists, one must be made, and continued as long as possible.
    Mandatory,
}

/// The rules of Alquerque in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alquerque {
    /// Option `AlquerqueCapture`.
    pub capture: Capture,
    /// Option `AlquerqueQuietLimit`: the number of plies without a capture that ends the game. 0 means no limit.
    pub quiet_limit: u32,
    /// Option `MaxPlies`: the ply that ends the game. 0 means no limit.
    pub max_plies: u32,
}

impl Default for Alquerque {
    fn default() -> Self {
        Self { capture: Capture::Optional, quiet_limit: 100, max_plies: 400 }
    }
}

/// A position of Alquerque.
pub type AlquerquePosition = MenPosition<0xa1>;

/// A move: origin, destination and the set of captured men.
///
/// A man hops three times and captures three men:
///
/// ```text
///  5  m . . . .    m . . . .
///  4  . . m m .    . . . . .
///  3  . . . . .    . . . . M
///  2  . m . . .    . . . . .
///  1  M . . . .    . . . . .
///     a b c d e    a b c d e
/// ```
///
/// ```
/// use leap_core::notation::{Notation, PositionError};
/// use leap_core::Game;
/// use leap_games::alquerque::Alquerque;
///
/// let game = Alquerque::default();
/// let mut position = game.parse_position("m4/2mm1/5/1m3/M4 1 - 2 30")?;
/// let mv = game.resolve(&position, &|_| false, "a1c3c5e3").unwrap();
/// game.play(&mut position, mv);
/// assert_eq!(game.print_position(&position), "m4/5/4M/5/5 2 - 0 31");
/// # Ok::<(), PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlquerqueMove {
    from: Square,
    to: Square,
    /// A [`SquareSet`] of 25 points in half the space.
    captured: u32,
}

impl AlquerqueMove {
    /// The points of the men that the move captures.
    pub const fn captured(self) -> SquareSet {
        SquareSet(self.captured as u64)
    }
}

/// The points one step away from a point along a line (SPEC 11.2).
#[inline]
pub const fn neighbours(point: Square) -> SquareSet {
    STEPS[point.index()]
}

/// The number of single steps that a side could make. They are counted by whole directions.
#[inline]
#[must_use]
pub fn single_steps(position: &AlquerquePosition, side: Side) -> u32 {
    let (men, empty) = (position.men(side), position.empty());
    let toward = |d: usize| men & STEP_ORIGINS[d] & empty.rotate(-DIRECTIONS[d]);
    (0..DIRECTIONS.len()).map(|d| toward(d).len()).sum()
}

impl Game for Alquerque {
    type Position = AlquerquePosition;
    type Move = AlquerqueMove;

    const BOARD: Board = Board { files: 5, ranks: 5 }.small();
    /// SPEC 11.15.
    const DRAW_BY_AGREEMENT: bool = true;

    /// SPEC 11.3: each side has two full rows, and the two points to its right on the middle row.
    fn start(&self) -> AlquerquePosition {
        let (one, two) = (0b11000_11111_11111, 0b11111_11111_00011 << 10);
        AlquerquePosition::start(SquareSet(one), SquareSet(two))
    }

    fn visit_moves<V>(&self, position: &AlquerquePosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        let hoppers = hoppers(position);
        let captures_only = self.capture == Capture::Mandatory && !hoppers.is_empty();
        let (enemy, empty) = (position.enemy(), position.empty());
        let (origins, step_ends) =
            if captures_only { (hoppers, SquareSet::EMPTY) } else { (position.own(), empty) };
        for from in origins {
            let steps = STEPS[from.index()] & step_ends;
            let landings = if hoppers.contains(from) {
                hop_landings(from, enemy, empty)
            } else {
                SquareSet::EMPTY
            };
            for to in steps | landings {
                if steps.contains(to) {
                    visit(AlquerqueMove { from, to, captured: 0 })?;
                } else {
                    Chain::new(self, position, from).hop(to, &mut visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn play(&self, position: &mut AlquerquePosition, mv: AlquerqueMove) {
        let side = position.side();
        position.men.toggle(side, mv.from);
        position.men.toggle(side, mv.to);
        position.men.remove(side.other(), mv.captured());
        position.counters.pass_turn(mv.captured != 0);
    }

    fn count(&self, position: &AlquerquePosition) -> GameResult {
        GameResult::by_count(position.men.count())
    }

    fn horizon(&self, position: &AlquerquePosition) -> Option<Horizon> {
        let Counters { quiet, ply, .. } = position.counters;
        let quiet_limit = (self.quiet_limit > 0).then(|| Horizon {
            plies: self.quiet_limit.saturating_sub(quiet),
            reason: EndReason::QuietLimit,
        });
        Horizon::nearest(quiet_limit, Horizon::max_plies(self.max_plies, ply))
    }

    fn is_capture(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> bool {
        mv.captured != 0
    }

    fn visit_captures<V>(&self, position: &AlquerquePosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        self.visit_hops(position, hoppers(position), &mut visit)
    }

    fn has_quiet_move(&self, position: &AlquerquePosition) -> bool {
        count_steps(position) > 0
            && (self.capture == Capture::Optional || hoppers(position).is_empty())
    }

    fn from_to(mv: AlquerqueMove) -> (Square, Square) {
        (mv.from, mv.to)
    }

    fn has_move(&self, position: &AlquerquePosition) -> bool {
        count_steps(position) > 0 || !hoppers(position).is_empty()
    }

    /// Steps are counted by whole directions. Hops are counted by walking each chain.
    fn count_moves(&self, position: &AlquerquePosition, _: &Cancel) -> u64 {
        let hoppers = hoppers(position);
        if hoppers.is_empty() {
            return count_steps(position);
        }
        let mut count = if self.capture == Capture::Mandatory { 0 } else { count_steps(position) };
        let mut visit = |_| {
            count += 1;
            ControlFlow::Continue(())
        };
        let _ = self.visit_hops(position, hoppers, &mut visit);
        count
    }
}

impl Alquerque {
    /// Visits the captures of `hoppers`, the men that can capture.
    #[inline]
    fn visit_hops<V>(
        &self,
        position: &AlquerquePosition,
        hoppers: SquareSet,
        visit: &mut V,
    ) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        for from in hoppers {
            for to in hop_landings(from, position.enemy(), position.empty()) {
                Chain::new(self, position, from).hop(to, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The number of single steps of the side to move.
#[inline]
fn count_steps(position: &AlquerquePosition) -> u64 {
    single_steps(position, position.counters.side).into()
}

/// The men of the side to move that can capture.
#[inline]
fn hoppers(position: &AlquerquePosition) -> SquareSet {
    let (enemy, empty) = (position.enemy(), position.empty());
    let toward = |d: usize| {
        let jumpable = enemy & empty.rotate(-DIRECTIONS[d]);
        HOP_ORIGINS[d] & jumpable.rotate(-DIRECTIONS[d])
    };
    position.own() & (0..DIRECTIONS.len()).fold(SquareSet::EMPTY, |all, d| all | toward(d))
}

/// The points where a man on `from` can land by one hop over a man of `enemy`.
#[inline]
fn hop_landings(from: Square, enemy: SquareSet, empty: SquareSet) -> SquareSet {
    beyond(from, enemy) & HOP_LANDINGS[from.index()] & empty
}

/// A man on its way from hop to hop. It walks over the routes in listing order, and yields each move once.
///
/// The walk turns back as soon as a smaller route makes the same move. No move is lost:
///
/// - All routes of a move have the same length.
/// - Every prefix of a canonical route is canonical: a smaller prefix would make a smaller route.
///
/// Hops keep the parity of file and rank, so no man lands on a captured point.
#[derive(Clone, Copy)]
struct Chain {
    must_go_on: bool,
    from: Square,
    at: Square,
    /// The enemy men that are not captured yet.
    enemy: SquareSet,
    /// The empty points. The origin is one of them: the man has left it for the whole move (SPEC 10.3).
    empty: SquareSet,
    captured: SquareSet,
    route: Packed,
}

/// The landing points of a route, five bits each, the last one lowest. At most twelve hops fit into a word.
type Packed = u64;

impl Chain {
    fn new(game: &Alquerque, position: &AlquerquePosition, from: Square) -> Self {
        Self {
            must_go_on: matches!(game.capture, Capture::Mandatory),
            from,
            at: from,
            enemy: position.enemy(),
            empty: position.empty().with(from),
            captured: SquareSet::EMPTY,
            route: 0,
        }
    }

    /// Hops to `to`. Visits the move that ends there, if it may end, then the longer moves.
    fn hop<V>(&self, to: Square, visit: &mut V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        let chain = self.landed(to);
        if chain.is_duplicate() {
            return ControlFlow::Continue(());
        }
        let landings = hop_landings(to, chain.enemy, chain.empty);
        if landings.is_empty() || !self.must_go_on {
            visit(chain.end())?;
        }
        for next in landings {
            chain.hop(next, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn landed(&self, to: Square) -> Self {
        let over = self.at.midpoint(to);
        Self {
            at: to,
            enemy: self.enemy.without(over),
            captured: self.captured.with(over),
            route: self.route << 5 | to.index() as u64,
            ..*self
        }
    }

    /// The move that ends here.
    const fn end(&self) -> AlquerqueMove {
        AlquerqueMove { from: self.from, to: self.at, captured: self.captured.0 as u32 }
    }

    /// Whether a smaller route makes the same move. Two routes over the same men have at least three hops.
    fn is_duplicate(&self) -> bool {
        self.captured.len() >= 3
            && smallest_route(self.from, self.at, self.captured, self.empty) != Some(self.route)
    }
}

/// The smallest route from `at` to `to` that captures exactly `captured`.
fn smallest_route(at: Square, to: Square, captured: SquareSet, empty: SquareSet) -> Option<Packed> {
    fn walk(
        at: Square,
        to: Square,
        captured: SquareSet,
        empty: SquareSet,
        route: Packed,
    ) -> Option<Packed> {
        if captured.is_empty() {
            return (at == to).then_some(route);
        }
        hop_landings(at, captured, empty).into_iter().find_map(|next| {
            let left = captured.without(at.midpoint(next));
            walk(next, to, left, empty, route << 5 | next.index() as u64)
        })
    }
    walk(at, to, captured, empty, 0)
}

impl Notation for Alquerque {
    type Turn<'a> = AlquerqueTurn<'a>;

    const LETTERS: &'static str = men::LETTERS;
    const FACE: Face =
        Face { colours: BySide::new("white", "black"), pieces: &men::faces("man"), lines: &LINES };

    fn glyph(&self, position: &AlquerquePosition, square: Square) -> Option<Glyph> {
        position.men.glyph(square)
    }

    /// SPEC 9.17: at most twelve men a side. SPEC 11.5: no extra field.
    fn compose(&self, composed: &Composed) -> Result<AlquerquePosition, Refusal> {
        AlquerquePosition::compose(composed, MEN)
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
        let captured = mv.captured();
        if captured.is_empty() {
            steps.push(Step::To(mv.to));
        }
        let empty = position.empty().with(mv.from);
        let route = smallest_route(mv.from, mv.to, captured, empty).unwrap_or_default();
        for hop in (0..captured.len()).rev() {
            steps.push(Step::To(Square::new((route >> (5 * hop) & 31) as usize)));
        }
        Steps(steps)
    }

    fn tally(&self, position: &AlquerquePosition) -> Vec<(&'static str, Tally)> {
        vec![("men", Tally::Each(position.men.count()))]
    }
}

#[cfg(test)]
mod tests;
