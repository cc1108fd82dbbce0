//! Alquerque: 5x5 points joined by lines, twelve men a side (SPEC 11).

mod chain;
mod lines;
mod partial_move;
mod perspective;

use std::ops::ControlFlow;

use chain::{Chain, count_captures, smallest_route};
use lines::{LINES, STEPS, hop_landings};
pub use partial_move::AlquerquePartialMove;
use perspective::Perspective;

use leap_core::men::{self, MenPosition};
use leap_core::notation::{Diagram, Grid, Notation, Piece, Setup, SetupError, Step, Steps, Tally};
use leap_core::{
    BySide, Counters, EndReason, Game, GameResult, Geometry, PlyLimit, Position, Rules, Side,
    Square, SquareSet, StopFlag,
};
use strum::{Display, EnumString, VariantNames};

/// The men of a side at the beginning, and the most that it can have (SPEC 11.3, 9.17).
pub const MEN: u32 = 12;

/// Whether a player may decline a capture (SPEC 11.10, 11.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum CaptureRule {
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
    pub capture: CaptureRule,
    /// Option `AlquerqueQuietLimit`: the number of plies without a capture that ends the game. 0 means no limit.
    pub quiet_limit: u32,
    /// Option `MaxPlies`: the ply that ends the game. 0 means no limit.
    pub max_plies: u32,
}

impl Default for Alquerque {
    fn default() -> Self {
        Self { capture: CaptureRule::Optional, quiet_limit: 100, max_plies: 400 }
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
/// use leap_core::RulesExt;
/// use leap_games::alquerque::Alquerque;
///
/// let rules = Alquerque::default();
/// let position = rules.parse_position("m4/2mm1/5/1m3/M4 1 - 2 30")?;
/// let mv = rules.parse_move(&position, "a1c3c5e3").unwrap();
/// let after = rules.after(&position, mv);
/// assert_eq!(rules.print_position(&after), "m4/5/4M/5/5 2 - 0 31");
/// # Ok::<(), PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlquerqueMove {
    /// The point where the man starts.
    pub from: Square,
    /// The point where the man ends.
    pub to: Square,
    /// A [`SquareSet`] of 25 points in half the space.
    captured: u32,
}

impl AlquerqueMove {
    #[inline]
    const fn step(from: Square, to: Square) -> Self {
        Self { from, to, captured: 0 }
    }

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

/// The number of single steps that a side could make. They are counted by whole axes.
#[inline]
#[must_use]
pub fn single_steps(position: &AlquerquePosition, side: Side) -> u32 {
    Perspective::seen_by(position, side).count_steps()
}

impl Rules for Alquerque {
    type Position = AlquerquePosition;
    type Move = AlquerqueMove;

    const GEOMETRY: Geometry = Geometry { files: 5, ranks: 5 }.small();
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
        let points = Perspective::of(position);
        let hoppers = points.hoppers();
        let captures_only = self.must_capture() && !hoppers.is_empty();
        let (origins, step_ends) =
            if captures_only { (hoppers, SquareSet::EMPTY) } else { (points.own, points.empty) };
        for from in origins {
            let steps = STEPS[from.index()] & step_ends;
            let landings = if hoppers.contains(from) {
                hop_landings(from, points.enemy, points.empty)
            } else {
                SquareSet::EMPTY
            };
            for to in steps | landings {
                if steps.contains(to) {
                    visit(AlquerqueMove::step(from, to))?;
                } else {
                    Chain::new(points, from, self.must_capture()).hop(to, &mut visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&self, position: &mut AlquerquePosition, mv: AlquerqueMove) {
        let side = position.side();
        position.men.toggle(side, mv.from);
        position.men.toggle(side, mv.to);
        position.men.remove(side.other(), mv.captured());
        position.counters.pass_turn(mv.captured != 0);
    }

    fn count(&self, position: &AlquerquePosition) -> GameResult {
        GameResult::by_count(position.men.count())
    }

    fn ply_limit(&self, position: &AlquerquePosition) -> Option<PlyLimit> {
        let Counters { quiet, ply, .. } = position.counters;
        let quiet_limit = (self.quiet_limit > 0).then(|| PlyLimit {
            plies: self.quiet_limit.saturating_sub(quiet),
            reason: EndReason::QuietLimit,
        });
        PlyLimit::nearest(quiet_limit, PlyLimit::max_plies(self.max_plies, ply))
    }

    fn is_capture(&self, _: &AlquerquePosition, mv: AlquerqueMove) -> bool {
        mv.captured != 0
    }

    fn visit_captures<V>(&self, position: &AlquerquePosition, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(AlquerqueMove) -> ControlFlow<()>,
    {
        let points = Perspective::of(position);
        points
            .hoppers()
            .into_iter()
            .try_for_each(|from| Chain::new(points, from, self.must_capture()).visit(&mut visit))
    }

    fn has_move(&self, position: &AlquerquePosition) -> bool {
        let points = Perspective::of(position);
        points.can_step() || !points.hoppers().is_empty()
    }

    /// Steps are counted by whole axes. Hops are counted by walking each chain.
    fn count_moves(&self, position: &AlquerquePosition, _: &StopFlag) -> u64 {
        let points = Perspective::of(position);
        let captures = count_captures(points, self.must_capture());
        if self.must_capture() && captures > 0 {
            return captures;
        }
        captures + u64::from(points.count_steps())
    }
}

impl Alquerque {
    /// Whether some move captures nothing: a step can be made, and no capture must be made.
    #[must_use]
    pub fn may_step(&self, position: &AlquerquePosition) -> bool {
        let points = Perspective::of(position);
        points.can_step() && (!self.must_capture() || points.hoppers().is_empty())
    }

    /// Whether a capture must be made where there is one, and continued as long as possible.
    const fn must_capture(&self) -> bool {
        matches!(self.capture, CaptureRule::Mandatory)
    }
}

impl Notation for Alquerque {
    type PartialMove<'a> = AlquerquePartialMove<'a>;

    const DIAGRAM: Diagram = Diagram {
        colours: BySide::new("white", "black"),
        pieces: &men::faces("man"),
        grid: Grid::Points(&LINES),
    };

    fn piece(&self, position: &AlquerquePosition, square: Square) -> Option<Piece> {
        position.men.piece(square)
    }

    /// SPEC 9.17: at most twelve men a side. SPEC 11.5: no extra field.
    fn from_setup(&self, setup: &Setup) -> Result<AlquerquePosition, SetupError> {
        AlquerquePosition::from_setup(setup, MEN)
    }

    fn partial_move<'a>(
        &'a self,
        position: &'a AlquerquePosition,
        _: Option<&'a Game<Self>>,
    ) -> AlquerquePartialMove<'a> {
        AlquerquePartialMove::new(self, position)
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
