//! Eximo: 8x8 squares, sixteen men a side, no kings. A man that reaches the last row comes back as two (SPEC 12).

mod directions;
mod drops;
mod hops;
mod partial_move;

use std::ops::ControlFlow;

use directions::{DIRECTIONS, Direction, FORWARD, LAST_ROW, STEPS};
use drops::Drops;
use hops::{Hops, Path};
pub use partial_move::EximoPartialMove;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{Diagram, Grid, Notation, Piece, Setup, SetupError, Step, Steps, Tally};
use leap_core::{
    BySide, Game, Geometry, PlyLimit, Position, Rules, Side, Square, SquareSet, StopFlag,
};

/// The rules of Eximo in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eximo {
    /// Option `MaxPlies`: the ply that ends the game. 0 means no limit.
    pub max_plies: u32,
}

impl Default for Eximo {
    fn default() -> Self {
        Self { max_plies: 400 }
    }
}

/// A position of Eximo.
pub type EximoPosition = MenPosition<0xe1>;

/// A move: origin, destination, the set of captured men and the squares of the drops.
///
/// A man reaches the last row, and two men come back:
///
/// ```text
///  8  . . . . . . . .    . . . . . . . .
///  7  . . M . . . . m    . . . . . . . m
///  6  . . . . . . . .    . . . . . . . .
///  5  . . . . . . . .    . . . . . . . .
///  4  . . . . . . . .    . . . . . . . .
///  3  . . . . . . . .    . . . . . . . .
///  2  . . . . . . . .    . . . M . . . .
///  1  . . . . . . . .    . M . . . . . .
///     a b c d e f g h    a b c d e f g h
/// ```
///
/// ```
/// use leap_core::notation::{Notation, PositionError};
/// use leap_core::RulesExt;
/// use leap_games::eximo::Eximo;
///
/// let rules = Eximo::default();
/// let position = rules.parse_position("8/2M4m/8/8/8/8/8/8 1 - 2 40")?;
/// let mv = rules.parse_move(&position, "c7c8@b1@d2").unwrap();
/// let after = rules.after(&position, mv);
/// assert_eq!(rules.print_position(&after), "8/7m/8/8/8/8/3M4/1M6 2 - 3 41");
/// # Ok::<(), PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EximoMove {
    /// The square where the man starts.
    pub from: Square,
    /// The square where the man ends.
    pub to: Square,
    /// Empty unless `to` is on the last row.
    drops: Drops,
    /// The squares of the men that the move captures.
    pub captured: SquareSet,
}

impl EximoMove {
    /// The squares on which men are dropped, in ascending order.
    pub fn drops(self) -> impl Iterator<Item = Square> {
        self.drops.into_iter().flatten()
    }

    const fn new(path: Path, drops: Drops) -> Self {
        Self { from: path.from, to: path.at, drops, captured: path.captured }
    }
}

/// The hops that the side to move may make: captures if one exists, otherwise jumps (SPEC 12.10).
#[inline]
fn legal_hops(position: &EximoPosition, side: Side) -> Hops {
    let captures = Hops::captures(position, side);
    if captures.origins().intersects(position.men(side)) {
        captures
    } else {
        Hops::jumps(position, side)
    }
}

impl Rules for Eximo {
    type Position = EximoPosition;
    type Move = EximoMove;

    const GEOMETRY: Geometry = Geometry { files: 8, ranks: 8 }.small();

    /// SPEC 12.3.
    fn start(&self) -> EximoPosition {
        EximoPosition::start(SquareSet(0x66_7e_7e), SquareSet(0x7e_7e_66 << 40))
    }

    fn visit_moves<V>(&self, position: &EximoPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(EximoMove) -> ControlFlow<()>,
    {
        let (side, empty) = (position.side(), position.empty());
        let hops = legal_hops(position, side);
        let mut end = |path| visit_ends(side, empty, path, &mut visit);
        for from in position.own() {
            let start = Path::new(from);
            let mut walk = hops.walk(start);
            let steps = steps(&hops, side, from, empty);
            for to in steps | hops.landings(from, SquareSet::EMPTY) {
                if steps.contains(to) {
                    end(Path { at: to, ..start })?;
                } else {
                    walk.first(to, &mut end)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&self, position: &mut EximoPosition, mv: EximoMove) {
        let side = position.side();
        position.men.toggle(side, mv.from);
        position.men.remove(side.other(), mv.captured);
        if !LAST_ROW[side].contains(mv.to) {
            position.men.toggle(side, mv.to);
        }
        for square in mv.drops() {
            position.men.toggle(side, square);
        }
        position.counters.pass_turn(!mv.captured.is_empty());
    }

    fn ply_limit(&self, position: &EximoPosition) -> Option<PlyLimit> {
        PlyLimit::max_plies(self.max_plies, position.counters.ply)
    }

    fn is_capture(&self, _: &EximoPosition, mv: EximoMove) -> bool {
        !mv.captured.is_empty()
    }

    fn visit_captures<V>(&self, position: &EximoPosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(EximoMove) -> ControlFlow<()>,
    {
        let (side, empty) = (position.side(), position.empty());
        let captures = Hops::captures(position, side);
        for from in captures.origins() & position.own() {
            let mut end = |path| visit_ends(side, empty, path, &mut visit);
            captures.walk(Path::new(from)).all(&mut end)?;
        }
        ControlFlow::Continue(())
    }

    fn has_move(&self, position: &EximoPosition) -> bool {
        let side = position.side();
        !steppers(position, side).is_empty()
            || legal_hops(position, side).origins().intersects(position.own())
    }

    fn count_moves(&self, position: &EximoPosition, _: &StopFlag) -> u64 {
        // A separate call for each side makes its directions constants.
        match position.side() {
            Side::One => count_moves(position, Side::One),
            Side::Two => count_moves(position, Side::Two),
        }
    }
}

impl Eximo {
    /// Whether a capture exists, so that one must be made (SPEC 12.10).
    #[must_use]
    pub fn must_capture(&self, position: &EximoPosition) -> bool {
        Hops::captures(position, position.side()).origins().intersects(position.own())
    }
}

/// Visits the moves that a path makes. On the last row, each choice of drops makes a move.
#[inline]
fn visit_ends<V>(side: Side, empty: SquareSet, path: Path, visit: &mut V) -> ControlFlow<()>
where
    V: FnMut(EximoMove) -> ControlFlow<()>,
{
    if !LAST_ROW[side].contains(path.at) {
        return visit(EximoMove::new(path, Drops::default()));
    }
    let empty = path.emptied(empty);
    drops::visit_choices(side, empty, |drops| visit(EximoMove::new(path, drops)))
}

#[inline(always)]
fn count_moves(position: &EximoPosition, side: Side) -> u64 {
    let (own, empty) = (position.men(side), position.empty());
    let captures = Hops::captures(position, side);
    if captures.origins().intersects(own) {
        return captures.count(own, empty);
    }
    let steps: u64 = DIRECTIONS[side][FORWARD..]
        .iter()
        .map(|direction| (own & direction.step_origins).rotate(direction.delta) & empty)
        // A step to the last row frees no square of the drop zone.
        .map(|landed| drops::count_ends(side, landed, empty))
        .sum();
    steps + Hops::jumps(position, side).count(own, empty)
}

/// The men of a side that can step.
#[inline]
fn steppers(position: &EximoPosition, side: Side) -> SquareSet {
    let (men, empty) = (position.men(side), position.empty());
    let toward = |d: &Direction| men & d.step_origins & empty.rotate(-d.delta);
    DIRECTIONS[side][FORWARD..].iter().fold(SquareSet::EMPTY, |all, d| all | toward(d))
}

/// The squares to which a side's man on `from` may step. None if a capture must be made (SPEC 12.10).
#[inline]
fn steps(hops: &Hops, side: Side, from: Square, empty: SquareSet) -> SquareSet {
    if hops.capture() { SquareSet::EMPTY } else { STEPS[side][from.index()] & empty }
}

impl Notation for Eximo {
    type PartialMove<'a> = EximoPartialMove<'a>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("black", "white"),
        pieces: &men::faces("man"),
        grid: Grid::Cells,
    };

    fn piece(&self, position: &EximoPosition, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    /// SPEC 12.9, 12.15: no man stands on its last row, the number of men is not limited, and there is no extra field.
    fn from_setup(&self, setup: &Setup) -> Result<EximoPosition, SetupError> {
        for (square, piece) in &setup.pieces {
            let side = piece.letter_case();
            if LAST_ROW[side].contains(*square) {
                let text = format!(
                    "expected no man of player {} on their last row, found one on {}",
                    side.number(),
                    Self::GEOMETRY.name(*square)
                );
                return Err(SetupError::square(*square, text));
            }
        }
        EximoPosition::from_setup(setup, u32::MAX)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a EximoPosition,
        _: Option<&'a Game<Self>>,
    ) -> EximoPartialMove<'a> {
        EximoPartialMove::new(position)
    }

    fn route(&self, position: &EximoPosition, mv: EximoMove) -> Steps {
        let (start, end) =
            (Path::new(mv.from), Path { from: mv.from, at: mv.to, captured: mv.captured });
        let hops = legal_hops(position, position.side()).smallest_route(start, end);
        // If no hops lead to a destination, it is one step away.
        let squares = hops.unwrap_or_else(|| vec![mv.to]).into_iter().rev();
        let mut steps = vec![Step::To(mv.from)];
        steps.extend(squares.map(Step::To));
        steps.extend(mv.drops().map(Step::Drop));
        Steps(steps)
    }

    fn tally(&self, position: &EximoPosition) -> Vec<(&'static str, Tally)> {
        vec![("men", Tally::Each(position.men.count()))]
    }
}
