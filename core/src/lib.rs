//! The rules of board games: positions, moves, endings, and their text. The crate names no game.
//!
//! A [`Rules`] value is a *ruleset in force*: a game together with its rule options. A [`Position`] is a small `Copy`
//! state that the game acts on. A [`Game`](game::Game) is a game with its history, which repetition needs.
//! The games themselves are in the crate leap-games.
//!
//! # Play a game
//!
//! ```
//! use leap_core::notation::{Notation, Reason};
//! use leap_core::game::Game;
//! use leap_core::{EndReason, Rules, Side};
//! use leap_games::sapos::Sapos;
//!
//! let rules = Sapos::default();
//! let start = rules.parse_position("8/8/8/8/3m4/3M4/8/8 1 1 4 40").unwrap();
//! let mut game = Game::new(rules.clone(), start);
//!
//! // An illegal move says why, and on which square.
//! let illegal = game.resolve("d3d4").unwrap_err();
//! assert_eq!(illegal.reason, Reason::NoSuchLine);
//!
//! // Moves come as values or as text.
//! assert_eq!(game.legal_moves().len(), 1);
//! game.push(game.resolve("d3d5").unwrap());
//! assert_eq!(rules.print_position(game.current()), "8/8/8/3M4/8/8/8/8 2 1 0 41");
//!
//! // The game knows when the rules is over.
//! let outcome = game.outcome().unwrap();
//! assert_eq!(outcome.reason, EndReason::NoMoves);
//! assert_eq!(outcome.result, leap_core::GameResult::Win(Side::One));
//! ```
//!
//! # Add a game
//!
//! A game implements two traits: [`Rules`] for its rules and [`Notation`](notation::Notation) for its texts.
//! The five games of leap-games are examples of both.
//!
//! # Where to read on
//!
//! - [`Square`], [`SquareSet`], [`Geometry`]: squares, and sets of up to 64 of them
//! - [`notation`]: positions and moves as text, and [`PartialMove`](notation::PartialMove), a move entered step by step
//! - [`game`]: a game with its history
//! - [`perft`]: counts of move sequences
//! - [`exact`]: exact values, and what knows them
//! - [`symmetry`]: turned and mirrored boards
//! - [`keys`], [`men`]: Zobrist keys, and men of one kind with their key

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

pub mod exact;
pub mod game;
pub mod geometry;
pub mod keys;
pub mod men;
pub mod notation;
pub mod perft;
pub mod side;
pub mod squares;
pub mod symmetry;

pub use geometry::{Geometry, Square};
pub use keys::Key;
pub use side::{BySide, Side};
pub use squares::{SquareSet, Subsets};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The game is won by this side.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// The side with the higher count wins; equal counts are a draw.
    #[must_use]
    pub fn by_count(counts: BySide<u32>) -> Self {
        match counts[Side::One].cmp(&counts[Side::Two]) {
            std::cmp::Ordering::Greater => Self::Win(Side::One),
            std::cmp::Ordering::Less => Self::Win(Side::Two),
            std::cmp::Ordering::Equal => Self::Draw,
        }
    }
}

/// Why a game is over (SPEC 10.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The side to move has no legal move, and the rules name the loser.
    NoMoves,
    /// Nobody can move any more. The points decide (Froglet).
    Count,
    /// The position occurred too often.
    Repetition,
    /// Too many plies without a capture.
    QuietLimit,
    /// The game reached `MaxPlies`.
    MaxPlies,
}

impl EndReason {
    /// Every reason, in the order of SPEC 10.7.
    pub const ALL: [Self; 5] =
        [Self::NoMoves, Self::Count, Self::QuietLimit, Self::MaxPlies, Self::Repetition];

    /// The word for the reason in the protocol (SPEC 10.7).
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoMoves => "no-moves",
            Self::Count => "count",
            Self::QuietLimit => "quiet-limit",
            Self::MaxPlies => "max-plies",
            Self::Repetition => "repetition",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won.
    pub result: GameResult,
    /// Why the game is over.
    pub reason: EndReason,
}

/// What a repeated position does (SPEC 10.12, 10.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Positions cannot repeat, or repetition does not matter.
    Ignored,
    /// The game is over when a position has occurred this many times. [`Rules::count`] decides it.
    Ends(u32),
    /// A move may not make a position occur this many times (Táctica "S").
    Forbids(u32),
}

/// How many plies remain until a limit of the rules ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyLimit {
    /// The plies that may still be made; 0 when the limit is reached.
    pub plies: u32,
    /// The limit that is reached first.
    pub reason: EndReason,
}

impl PlyLimit {
    /// The limit that the option `MaxPlies` sets at `ply`. A `max_plies` of 0 means no limit (SPEC 10.14).
    #[must_use]
    pub const fn max_plies(max_plies: u32, ply: u32) -> Option<Self> {
        if max_plies == 0 {
            return None;
        }
        Some(Self { plies: max_plies.saturating_sub(ply), reason: EndReason::MaxPlies })
    }

    /// The nearer of two limits. If both are equally near, it is `first`.
    #[must_use]
    pub fn nearest(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        first.into_iter().chain(second).min_by_key(|ply_limit| ply_limit.plies)
    }
}

/// The side to move, and the two counters of every position (SPEC 9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The side to move.
    pub side: Side,
    /// Moves made since the last capture.
    pub quiet: u32,
    /// Moves made since the game began.
    pub ply: u32,
}

impl Counters {
    /// The counters of a start position.
    pub const START: Self = Self { side: Side::One, quiet: 0, ply: 0 };

    /// The counters stop at this number (SPEC 9.15).
    pub const MAX: u32 = 1_000_000;

    /// Counts one move: `ply` goes up, and `quiet` goes up or back to 0. The side to move stays.
    pub fn advance(&mut self, captured: bool) {
        let next = |count: u32| (count + 1).min(Self::MAX);
        self.ply = next(self.ply);
        self.quiet = if captured { 0 } else { next(self.quiet) };
    }

    /// Counts one move as [`Counters::advance`] does, and passes the turn to the other side.
    pub fn pass_turn(&mut self, captured: bool) {
        self.advance(captured);
        self.side = self.side.other();
    }
}

/// The state of a game between two moves.
pub trait Position: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Side to move, quiet moves and ply.
    fn counters(&self) -> Counters;

    /// The 64-bit key of board and extra field, kept incrementally.
    fn board_key(&self) -> Key;

    /// The key of [`Position::board_key`], computed from scratch.
    fn fresh_board_key(&self) -> Key;

    /// Whether board and extra field are equal.
    fn same_board(&self, other: &Self) -> bool;

    /// The 64-bit key of board, extra field and side to move.
    #[inline]
    fn key(&self) -> Key {
        self.board_key() ^ keys::side(self.side())
    }

    /// The key that [`Position::key`] must equal, computed from scratch.
    fn fresh_key(&self) -> Key {
        self.fresh_board_key() ^ keys::side(self.side())
    }

    /// Whether board, extra field and side to move are equal, as repetition compares them (SPEC 10.10).
    ///
    /// Keys are not compared. A key collision, even a constructed one, cannot end a game.
    fn repeats(&self, other: &Self) -> bool {
        self.side() == other.side() && self.same_board(other)
    }

    /// The side to move.
    #[inline]
    fn side(&self) -> Side {
        self.counters().side
    }
}

/// A game's rules with its options set.
///
/// A move is a whole turn, and its value is its *identity*: origin, destination, captured pieces and drops. Two routes
/// with the same identity are one move (SPEC 9.23). Methods that take a move expect one that is legal in the position.
///
/// ```
/// use leap_games::eximo::Eximo;
/// use leap_core::{Rules, Position, Side};
///
/// let rules = Eximo::default();
/// let mut position = rules.start();
/// let mut moves = Vec::new();
/// rules.moves(&position, usize::MAX, &mut moves);
/// assert_eq!(moves.len(), 40);
///
/// rules.play(&mut position, moves[0]);
/// assert_eq!(position.side(), Side::Two);
/// assert_eq!(rules.outcome(&position), None);
/// ```
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// The state between moves.
    type Position: Position;
    /// A whole turn.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The size of the board.
    const GEOMETRY: Geometry;
    /// Whether the players may agree on a draw.
    const DRAW_BY_AGREEMENT: bool = false;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Visits each move that the pieces can make, once and in listing order (SPEC 9.27), until `visit` breaks.
    ///
    /// Limits of the rules and repetition are left to [`game::Game`] and [`perft`]. A position of Froglet may have
    /// more moves than can be counted: pass a `visit` that breaks.
    fn visit_moves<V>(&self, position: &Self::Position, visit: V) -> ControlFlow<()>
    where
        V: FnMut(Self::Move) -> ControlFlow<()>;

    /// Makes a move.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// The position after a move.
    #[inline]
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut after = *position;
        self.play(&mut after, mv);
        after
    }

    /// The outcome when the side to move has no move. In most games that side loses.
    fn no_moves(&self, position: &Self::Position) -> Outcome {
        Outcome { result: GameResult::Win(position.side().other()), reason: EndReason::NoMoves }
    }

    /// The side that is ahead by the game's count, which decides at limits and repetitions. Without a count, a draw.
    fn count(&self, _position: &Self::Position) -> GameResult {
        GameResult::Draw
    }

    /// The nearest limit of the rules, if there is one.
    fn ply_limit(&self, position: &Self::Position) -> Option<PlyLimit>;

    /// What a repeated position does. In most games its third occurrence ends the game (SPEC 10.12).
    fn repetition(&self) -> Repetition {
        Repetition::Ends(3)
    }

    /// Whether the move captures anything. In Táctica "S": whether it flips anything.
    fn is_capture(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// Visits the moves that capture, in listing order, until `visit` breaks.
    fn visit_captures<V>(&self, position: &Self::Position, mut visit: V) -> ControlFlow<()>
    where
        V: FnMut(Self::Move) -> ControlFlow<()>,
    {
        self.visit_moves(position, |mv| {
            if self.is_capture(position, mv) { visit(mv) } else { ControlFlow::Continue(()) }
        })
    }

    /// Whether some move captures nothing.
    ///
    /// Must be cheap in games whose captures are played out in quiescence search.
    fn has_quiet_move(&self, position: &Self::Position) -> bool {
        let is_quiet = |mv| !self.is_capture(position, mv);
        let stop_at_quiet = |mv| {
            if is_quiet(mv) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.visit_moves(position, stop_at_quiet).is_break()
    }

    /// The squares where the move starts and where its piece ends. Both are equal for a mere removal.
    fn from_to(mv: Self::Move) -> (Square, Square);

    /// Whether the side to move has any move. Must be cheap on every position.
    fn has_move(&self, position: &Self::Position) -> bool {
        self.visit_moves(position, |_| ControlFlow::Break(())).is_break()
    }

    /// The number of moves, counted without making them. Meaningless once `stop` is raised.
    fn count_moves(&self, position: &Self::Position, stop: &StopFlag) -> u64 {
        let mut count: u64 = 0;
        let _ = self.visit_moves(position, |_| {
            count += 1;
            if count.is_multiple_of(4096) && stop.is_raised() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        count
    }

    /// The number of sequences of two moves, if no limit has ended the game. Meaningless once `stop` is raised.
    ///
    /// A game that knows what a move changes counts the replies without making the move.
    fn count_replies(&self, position: &Self::Position, stop: &StopFlag) -> u64 {
        perft::count_each_reply(self, position, stop)
    }

    /// Appends the first `limit` moves in listing order.
    fn moves(&self, position: &Self::Position, limit: usize, moves: &mut Vec<Self::Move>) {
        if limit == 0 {
            return;
        }
        let end = moves.len() + limit;
        let _ = self.visit_moves(position, |mv| {
            moves.push(mv);
            if moves.len() == end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }

    /// Appends the moves that a search looks at, and returns whether they are known to be all moves.
    ///
    /// Where a position has too many moves for a search, this is a bounded choice that is fair to all pieces. The
    /// choice is never empty where a move exists.
    fn candidates(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) -> bool {
        self.moves(position, usize::MAX - moves.len(), moves);
        true
    }

    /// The outcome that the position itself shows: first by no move, then by the limits of the rules (SPEC 10.7).
    fn outcome(&self, position: &Self::Position) -> Option<Outcome> {
        if !self.has_move(position) {
            return Some(self.no_moves(position));
        }
        self.limit_outcome(position)
    }

    /// The outcome by a limit of the rules, whether or not a move exists.
    fn limit_outcome(&self, position: &Self::Position) -> Option<Outcome> {
        let ply_limit = self.ply_limit(position).filter(|ply_limit| ply_limit.plies == 0)?;
        Some(Outcome { result: self.count(position), reason: ply_limit.reason })
    }

    /// Whether a limit of the rules ends the game here.
    fn at_limit(&self, position: &Self::Position) -> bool {
        self.ply_limit(position).is_some_and(|ply_limit| ply_limit.plies == 0)
    }
}

/// A flag that asks long work to end.
///
/// Another thread raises the flag. Without other threads, the flag is raised while the work looks at it.
#[derive(Debug, Default)]
pub struct StopFlag {
    raised: AtomicBool,
    poll: Option<fn()>,
}

impl StopFlag {
    /// A flag for work that holds the only thread.
    ///
    /// The work calls `poll`, if there is one, whenever it looks at the flag: at least every few milliseconds.
    #[must_use]
    pub const fn polling(poll: Option<fn()>) -> Self {
        Self { raised: AtomicBool::new(false), poll }
    }

    /// Asks the work to end soon.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        if let Some(poll) = self.poll {
            poll();
        }
        self.raised.load(Ordering::Relaxed)
    }
}
