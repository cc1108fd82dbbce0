//! Exact values: who wins with perfect play.

use std::fmt::Debug;
use std::ops::ControlFlow;

use super::{EndReason, Game, GameResult, Position, Rules, RulesExt, Side};

/// Who wins with perfect play, seen by the side to move. A loss is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// A result, seen by `side`.
    #[must_use]
    pub fn of(result: GameResult, side: Side) -> Self {
        match result {
            GameResult::Draw => Self::Draw,
            GameResult::Win(winner) if winner == side => Self::Win,
            GameResult::Win(_) => Self::Loss,
        }
    }

    /// The result that this value is, seen by `side`.
    #[must_use]
    pub const fn result(self, side: Side) -> GameResult {
        match self {
            Self::Loss => GameResult::Win(side.other()),
            Self::Draw => GameResult::Draw,
            Self::Win => GameResult::Win(side),
        }
    }

    /// The value that the other side sees.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The exact value of a position, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Who wins.
    pub outcome: Wdl,
    /// The distance to zeroing (DTZ): the plies until a capture or the end of the game. The side that gains by it
    /// wants few plies, the other side many.
    ///
    /// `None` where endless play is best for both sides. [`Rules::count`] decides then.
    pub plies: Option<u32>,
}

impl Exact {
    /// How much the side to move prefers a move with this value, within a position that the count values
    /// [`by_count`]. The larger value of two moves is the better one. Among equal ones [`ProbedMove`] knows more.
    ///
    /// A side that gains by it makes progress, so few plies are better. A side that loses by it wants many plies.
    #[must_use]
    pub fn preference(self, by_count: Wdl) -> (Wdl, i32) {
        let plies = self.plies.map_or(0, |plies| plies.min(1_000_000) as i32);
        (self.outcome, if self.outcome > by_count { -plies } else { plies })
    }
}

/// A source of exact values, for example tables of endings.
///
/// A value holds for a position that has not occurred before.
pub trait Tablebase<R: Rules>: Debug + Send + Sync {
    /// The most pieces on the board with which every position is known; 0 if there are none.
    fn reach(&self) -> u32;

    /// Whether a position may be known. Must be cheap on every position.
    fn covers(&self, position: &R::Position) -> bool;

    /// The value of a position under the rules in force. `None` if it is unknown, or if a limit of the rules may end
    /// the game before.
    fn probe(&self, rules: &R, position: &R::Position) -> Option<Exact>;

    /// The value if no limit of the rules came first. `None` if it is unknown even then.
    fn probe_unlimited(&self, rules: &R, position: &R::Position) -> Option<Exact> {
        self.probe(rules, position)
    }
}

/// A source of exact values whose positions know no limit of the rules.
#[derive(Debug)]
pub struct Unlimited<'a, R: Rules>(pub &'a dyn Tablebase<R>);

impl<R: Rules> Tablebase<R> for Unlimited<'_, R> {
    fn reach(&self) -> u32 {
        self.0.reach()
    }

    fn covers(&self, position: &R::Position) -> bool {
        self.0.covers(position)
    }

    fn probe(&self, rules: &R, position: &R::Position) -> Option<Exact> {
        self.0.probe_unlimited(rules, position)
    }
}

/// What the count gives the side to move: [`Rules::count`].
pub fn by_count<R: Rules>(rules: &R, position: &R::Position) -> Wdl {
    Wdl::of(rules.count(position), position.side())
}

/// The exact value of a legal move, seen by the side that makes it. `None` if the position after it is unknown.
///
/// The plies begin with this move. A repetition or a limit that gives what the count gives before is endless play.
pub fn probe_move<R: Rules>(
    game: &Game<R>,
    tables: &dyn Tablebase<R>,
    mv: R::Move,
) -> Option<Exact> {
    let (rules, position) = (game.rules(), game.current());
    let (side, child) = (position.side(), rules.after(position, mv));
    if let Some(outcome) = game.outcome_after(&child) {
        let value = Wdl::of(outcome.result, side);
        let gains_nothing =
            outcome.reason != EndReason::NoMoves && value == by_count(rules, position);
        return Some(Exact { outcome: value, plies: (!gains_nothing).then_some(1) });
    }
    let exact = tables.probe(rules, &child)?;
    let outcome = if child.side() == side { exact.outcome } else { exact.outcome.flipped() };
    let plies = if rules.is_capture(position, mv) {
        // What follows a capture has a distance of its own.
        (outcome != by_count(rules, position)).then_some(1)
    } else {
        exact.plies.map(|plies| plies + 1)
    };
    Some(Exact { outcome, plies })
}

/// How many captures of the other side [`probe_moves`] looks ahead, to see whether one spoils the count.
pub const LOOKAHEAD: u32 = 3;

/// An exact value of a move, and what tells moves with the same value apart (SPEC 4.52a).
///
/// Of two moves, the one with the larger preference is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The value, seen by the side that makes the move.
    pub exact: Exact,
    /// See [`Exact::preference`].
    pub preference: (Wdl, i32),
    /// How many captures of the other side, up to [`LOOKAHEAD`], cannot bring the count below the value. 0 for moves
    /// that are not among the best, and where a side makes progress.
    pub keeps_count: u32,
    /// Whether the game goes on.
    pub goes_on: bool,
}

impl ProbedMove {
    /// What orders moves, the best one last.
    #[must_use]
    pub const fn order(&self) -> ((Wdl, i32), u32, bool) {
        (self.preference, self.keeps_count, self.goes_on)
    }
}

/// What is known about legal moves, if the values of all are known.
pub fn probe_moves<R: Rules>(
    game: &Game<R>,
    tables: &dyn Tablebase<R>,
    moves: &[R::Move],
) -> Option<Vec<ProbedMove>> {
    let (rules, position) = (game.rules(), game.current());
    if !tables.covers(position) {
        return None;
    }
    let count = by_count(rules, position);
    let known = |mv: &R::Move| {
        let exact = probe_move(game, tables, *mv)?;
        let preference = exact.preference(count);
        let goes_on =
            exact.plies.is_some() || game.outcome_after(&rules.after(position, *mv)).is_none();
        Some(ProbedMove { exact, preference, keeps_count: 0, goes_on })
    };
    let mut known: Vec<ProbedMove> = moves.iter().map(known).collect::<Option<_>>()?;
    let best = known.iter().map(|known| known.preference).max()?;
    let kept = Kept { rules, tables, side: position.side(), outcome: best.0 };
    for (known, mv) in known.iter_mut().zip(moves) {
        if known.preference == best && known.exact.plies.is_none() {
            let child = rules.after(position, *mv);
            let holds = |captures: &u32| !known.goes_on || kept.after_own_move(&child, *captures);
            known.keeps_count = (1..=LOOKAHEAD).take_while(holds).count() as u32;
        }
    }
    Some(known)
}

/// Whether a side can keep the count at an outcome that endless play gives it.
///
/// The side that is ahead wins by endless play only as long as it stays ahead. A capture that spoils the count may leave
/// a win with progress to make, but `MaxPlies` may come before the progress.
struct Kept<'a, R: Rules> {
    rules: &'a R,
    tables: &'a dyn Tablebase<R>,
    side: Side,
    outcome: Wdl,
}

impl<R: Rules> Kept<'_, R> {
    fn is_enough(&self, position: &R::Position) -> bool {
        Wdl::of(self.rules.count(position), self.side) >= self.outcome
    }

    /// Whether the other side cannot spoil the count with so many of its next moves.
    fn after_own_move(&self, position: &R::Position, moves: u32) -> bool {
        let visit = |mv| {
            let after = self.rules.after(position, mv);
            let is_kept =
                self.is_enough(&after) && (moves == 1 || self.before_own_move(&after, moves - 1));
            if is_kept { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        if !self.is_enough(position) {
            return false;
        }
        // Only a capture changes the count.
        let spoilt = match moves {
            1 => self.rules.visit_captures(position, visit),
            _ => self.rules.visit_moves(position, visit),
        };
        spoilt.is_continue()
    }

    /// Whether a move keeps the count, and the outcome as far as it is known.
    fn before_own_move(&self, position: &R::Position, moves: u32) -> bool {
        let visit = |mv| {
            let after = self.rules.after(position, mv);
            let outcome = self.rules.outcome(&after).map_or_else(
                || self.tables.probe(self.rules, &after).map(|exact| exact.outcome.flipped()),
                |outcome| Some(Wdl::of(outcome.result, self.side)),
            );
            let keeps = outcome.is_none_or(|outcome| outcome >= self.outcome)
                && self.after_own_move(&after, moves);
            if keeps { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.rules.visit_moves(position, visit).is_break()
    }
}
