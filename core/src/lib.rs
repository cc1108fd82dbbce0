//! What a board game is: positions, moves, endings, and their text. The crate names no game.
//!
//! A [`Game`] value is a *ruleset in force*: a game together with its rule options. A [`Position`] is a small `Copy`
//! state that the game acts on. A [`Record`](record::Record) is a game with its history, which repetition needs.
//! The games themselves are in the crate leap-games.
//!
//! # Play a game
//!
//! ```
//! use leap_core::notation::{Notation, Reason};
//! use leap_core::record::Record;
//! use leap_core::{EndReason, Game, Side};
//! use leap_games::sapos::Sapos;
//!
//! let game = Sapos::default();
//! let start = game.parse_position("8/8/8/8/3m4/3M4/8/8 1 1 4 40").unwrap();
//! let mut record = Record::new(game.clone(), start);
//!
//! // An illegal move says why, and on which square.
//! let illegal = record.resolve("d3d4").unwrap_err();
//! assert_eq!(illegal.reason, Reason::NoSuchLine);
//!
//! // Moves come as values or as text.
//! assert_eq!(record.legal_moves().len(), 1);
//! record.push(record.resolve("d3d5").unwrap());
//! assert_eq!(game.print_position(record.current()), "8/8/8/3M4/8/8/8/8 2 1 0 41");
//!
//! // The record knows when the game is over.
//! let outcome = record.outcome().unwrap();
//! assert_eq!(outcome.reason, EndReason::NoMoves);
//! assert_eq!(outcome.result, leap_core::GameResult::Win(Side::One));
//! ```
//!
//! # Add a game
//!
//! A game implements two traits: [`Game`] for its rules and [`Notation`](notation::Notation) for its texts.
//! The five games of leap-games are examples of both.
//!
//! # Where to read on
//!
//! - [`Square`], [`SquareSet`], [`Board`]: squares, and sets of up to 64 of them
//! - [`notation`]: positions and moves as text, and [`Turn`](notation::Turn), a move entered step by step
//! - [`record`]: a game with its history
//! - [`perft`]: counts of move sequences
//! - [`symmetry`]: turned and mirrored boards
//! - [`keys`], [`men`]: Zobrist keys, and men of one kind with their key

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

pub mod board;
pub mod keys;
pub mod men;
pub mod notation;
pub mod perft;
pub mod record;
pub mod side;
pub mod squares;
pub mod symmetry;

pub use board::{Board, Square};
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
    /// The side that counts more wins; equal counts are a draw.
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
    /// Nobody can move any more and the points decide (Froglet).
    Count,
    /// The position occurred for the third time.
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

    /// Its word in the protocol (SPEC 10.7).
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
    /// Positions cannot repeat, or it does not matter.
    Ignored,
    /// The game is over when a position has occurred this many times; [`Game::count`] decides it.
    Ends(u32),
    /// A move may not bring about a position for the n-th time (Táctica "S").
    Forbids(u32),
}

/// How many plies a position is from the end that a limit of the rules sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Plies that may still be made; 0 when the limit is reached.
    pub plies: u32,
    /// The limit that comes first.
    pub reason: EndReason,
}

impl Horizon {
    /// The horizon that the option `MaxPlies` sets at `ply`; `max_plies` 0 means no limit (SPEC 10.14).
    #[must_use]
    pub const fn max_plies(max_plies: u32, ply: u32) -> Option<Self> {
        if max_plies == 0 {
            return None;
        }
        Some(Self { plies: max_plies.saturating_sub(ply), reason: EndReason::MaxPlies })
    }

    /// The horizon that comes first; of two at once, the first named.
    #[must_use]
    pub fn nearest(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        first.into_iter().chain(second).min_by_key(|horizon| horizon.plies)
    }
}

/// Side to move and the two counters that every position carries (SPEC 9.7).
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

    /// How far plies and quiet moves are counted (SPEC 9.15).
    pub const MAX: u32 = 1_000_000;

    /// One move made: the ply goes up, and `quiet` goes up or back to 0. The side to move is left alone.
    pub fn advance(&mut self, captured: bool) {
        let next = |count: u32| (count + 1).min(Self::MAX);
        self.ply = next(self.ply);
        self.quiet = if captured { 0 } else { next(self.quiet) };
    }

    /// As [`Counters::advance`], and the turn passes to the other side.
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

    /// The same key computed from scratch.
    fn fresh_board_key(&self) -> Key;

    /// Whether board and extra field are equal.
    fn same_board(&self, other: &Self) -> bool;

    /// The 64-bit key of board, extra field and side to move.
    #[inline]
    fn key(&self) -> Key {
        self.board_key() ^ keys::side(self.side())
    }

    /// The same key computed from scratch: what [`Position::key`] must equal.
    fn fresh_key(&self) -> Key {
        self.fresh_board_key() ^ keys::side(self.side())
    }

    /// Whether board, extra field and side to move are equal: the identity that repetition compares (SPEC 10.10).
    /// Exact, so that a key collision, even a constructed one, cannot end a game.
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
/// Moves are whole turns and are values of *identity*: two routes with the same origin, destination, captured pieces
/// and drops are one move (SPEC 9.23). Methods that take a move expect one that is legal in the position.
///
/// ```
/// use leap_games::eximo::Eximo;
/// use leap_core::{Game, Position, Side};
///
/// let game = Eximo::default();
/// let mut position = game.start();
/// let mut moves = Vec::new();
/// game.moves(&position, usize::MAX, &mut moves);
/// assert_eq!(moves.len(), 40);
///
/// game.play(&mut position, moves[0]);
/// assert_eq!(position.side(), Side::Two);
/// assert_eq!(game.outcome(&position), None);
/// ```
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The state between moves.
    type Position: Position;
    /// A whole turn.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The size of the board.
    const BOARD: Board;
    /// Whether the players may agree on a draw.
    const DRAW_BY_AGREEMENT: bool = false;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Visits each move the pieces can make, once and in listing order (SPEC 9.27), until `visit` breaks.
    ///
    /// Limits of the rules and repetition are not looked at here: [`record::Record`] and [`perft`] do that. The number
    /// of moves may be beyond counting (Froglet): pass a `visit` that ends.
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

    /// The outcome when the side to move has no move: in most games it loses.
    fn no_moves(&self, position: &Self::Position) -> Outcome {
        Outcome { result: GameResult::Win(position.side().other()), reason: EndReason::NoMoves }
    }

    /// Who is ahead by the game's count: decides at limits and repetitions. A draw where the game has no count.
    fn count(&self, _position: &Self::Position) -> GameResult {
        GameResult::Draw
    }

    /// How far the nearest limit of the rules is, if there is one.
    fn horizon(&self, position: &Self::Position) -> Option<Horizon>;

    /// What a repeated position does: in most games its third occurrence ends the game (SPEC 10.12).
    fn repetition(&self) -> Repetition {
        Repetition::Ends(3)
    }

    /// Whether the move captures (in Táctica "S": flips) anything.
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

    /// Whether some move captures nothing. Cheap where captures are played out at the end of a search line.
    fn has_quiet_move(&self, position: &Self::Position) -> bool {
        let is_quiet = |mv| !self.is_capture(position, mv);
        let stop_at_quiet = |mv| {
            if is_quiet(mv) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.visit_moves(position, stop_at_quiet).is_break()
    }

    /// Where the move starts and where its piece ends; equal for a mere removal.
    fn from_to(mv: Self::Move) -> (Square, Square);

    /// Whether the side to move has any move. Cheap on every position.
    fn has_move(&self, position: &Self::Position) -> bool {
        self.visit_moves(position, |_| ControlFlow::Break(())).is_break()
    }

    /// How many moves there are, without making them. Meaningless once `cancel` is raised.
    fn count_moves(&self, position: &Self::Position, cancel: &Cancel) -> u64 {
        let mut count: u64 = 0;
        let _ = self.visit_moves(position, |_| {
            count += 1;
            if count.is_multiple_of(4096) && cancel.is_raised() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        count
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

    /// Appends the moves that a search looks at: all of them, except where a position has so many that a search would
    /// be lost in them; then a bounded choice that is fair to all pieces. Never empty where a move exists. Returns
    /// whether these are known to be all.
    fn candidates(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) -> bool {
        self.moves(position, usize::MAX - moves.len(), moves);
        true
    }

    /// The outcome that the position itself shows: no move first, then the limits of the rules (SPEC 10.7).
    fn outcome(&self, position: &Self::Position) -> Option<Outcome> {
        if !self.has_move(position) {
            return Some(self.no_moves(position));
        }
        self.limit_outcome(position)
    }

    /// The outcome by a limit of the rules alone, whether or not a move exists.
    fn limit_outcome(&self, position: &Self::Position) -> Option<Outcome> {
        let horizon = self.horizon(position).filter(|horizon| horizon.plies == 0)?;
        Some(Outcome { result: self.count(position), reason: horizon.reason })
    }

    /// Whether a limit of the rules ends the game here.
    fn at_limit(&self, position: &Self::Position) -> bool {
        self.horizon(position).is_some_and(|horizon| horizon.plies == 0)
    }
}

/// A flag that is raised to end long work: by another thread or, where there is none, while the work looks at it.
#[derive(Debug, Default)]
pub struct Cancel {
    raised: AtomicBool,
    poll: Option<fn()>,
}

impl Cancel {
    /// A flag for work that holds the only thread: it calls `poll`, if there is one, whenever it looks at the flag, which
    /// is every few milliseconds or more often.
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
