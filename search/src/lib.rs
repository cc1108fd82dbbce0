//! A search for any game of leap-core. It needs no text and no protocol, and of the operating system only threads.
//!
//! A game that can be searched implements [`Searchable`]: an evaluation, and what the search may leave out.
//! The compiler makes a separate search for each game. There is one entry, [`search()`]:
//!
//! ```
//! use leap_core::Rules;
//! use leap_core::notation::Notation;
//! use leap_core::Game;
//! use leap_games::tactica::Tactica;
//! use leap_search::{Control, Limits, Request, TranspositionTable, Value, search};
//!
//! let rules = Tactica::default();
//! let position = rules.parse_position("8/3c4/2c1c3/3c4/8/S7/8/8 1 - 0 20").unwrap();
//! let request = Request {
//!     game: &Game::new(rules.clone(), position),
//!     evaluator: &Default::default(),
//!     limits: &Limits::depth(3),
//!     table: &TranspositionTable::new(1)?,
//!     tablebase: None,
//!     control: &Control::new(),
//! };
//!
//! // Each iteration reports what it has found.
//! let mut lines = Vec::new();
//! let answer = search(request, &mut |report| lines.push(report.pv));
//! assert!(!lines.is_empty());
//!
//! // The star captures all enemies, and wins in one move.
//! assert_eq!(rules.print_move(&position, answer.best.unwrap()), "a3d6");
//! assert_eq!(answer.score.value(), Value::Mate(1));
//! # Ok::<(), leap_search::TranspositionTableError>(())
//! ```
//!
//! # Where to read on
//!
//! - [`Limits`]: when a search ends. [`Control`]: how another thread ends it.
//! - [`Score`]: evaluations and announced wins. [`TranspositionTable`]: the transposition table.
//! - [`eval`]: the trait of evaluations, and evaluations learned from self-play
//! - [`players`]: sparring players with the same interface
//! - [`strength`]: how a search is weakened
//! - [`Playable`]: what an engine with several games asks of each; [`option`]: the options of its rules
//! - [`contempt`]: how a search plays on where a draw or a repetition is at hand

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use leap_core::Side;

mod busy;
mod chances;
pub mod clock;
pub mod contempt;
mod control;
mod dice;
mod ending;
pub mod eval;
mod exact;
mod helpers;
mod lag;
pub mod limits;
mod moves;
mod node;
pub mod option;
mod order;
mod path;
mod playable;
pub mod players;
mod pruning;
mod pv;
mod quiescence;
mod request;
mod root;
pub mod score;
mod searchable;
pub mod strength;
pub mod table;
mod time;
mod transposition;
mod tuning;
mod worker;

pub use chances::Chances;
pub use control::Control;
#[cfg(not(target_family = "wasm"))]
pub use helpers::HELPER_NAME;
pub use lag::Lag;
pub use limits::{Clock, Limits};
pub use playable::{BenchPosition, Playable};
pub use request::{Request, search_quietly};
pub use score::{Score, Value};
pub use searchable::{EndgameSolver, Searchable, TimePlan};
pub use table::{Bound, TranspositionTable, TranspositionTableError};
pub use tuning::{Captures, HistoryBonus, LateMoves, Margin, ProbCut, Reductions, SearchTuning};
#[cfg(feature = "tune")]
pub use tuning::{PARAMETERS, Parameter};

pub(crate) use control::{Shared, Stopped};
pub(crate) use dice::Dice;
pub(crate) use root::{expected_reply, root_moves};
pub(crate) use time::TimeManager;
pub(crate) use tuning::Tuning;

use busy::Busy;
use helpers::with_helpers;
use root::IterativeDeepening;
use worker::Worker;

/// The largest depth of an iteration, in plies.
pub const MAX_DEPTH: u32 = 100;

/// The most plies of a line.
const MAX_PLY: usize = 128;

/// Progress of a search: what is known about one line of play. `M` is the game's move type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The depth of the longest line searched, in plies.
    pub seldepth: u32,
    /// The rank of the line, 1 for the best.
    pub multipv: usize,
    /// The score of the line, for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Whether the score holds at any depth, because the game was searched to its end.
    pub is_solved: bool,
    /// Nodes visited.
    pub nodes: u64,
    /// The positions that tables of exact values have answered for.
    pub tbhits: u64,
    /// The time since the search was asked for.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// The line itself: legal moves from the root, at least one.
    pub pv: Vec<M>,
}

/// The result of a search. `M` is the game's move type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move to play. `None` only if the game is over.
    pub best: Option<M>,
    /// The expected reply.
    pub ponder: Option<M>,
    /// The score of the position, for the side to move.
    pub score: Score,
    /// The depth of the last finished iteration, in plies.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The number of threads of the search that panicked. The answer is the best of the other threads.
    pub faults: usize,
}

impl<M> Answer<M> {
    /// The winner, if the search has seen the end. `side` is the side to move.
    #[must_use]
    pub fn winner(&self, side: Side) -> Option<Side> {
        match self.score.value() {
            // Before the first iteration is finished, a score means nothing.
            Value::Mate(moves) if self.depth > 0 => {
                Some(if moves > 0 { side } else { side.other() })
            }
            _ => None,
        }
    }
}

/// Searches the current position of a game. Returns a legal move if there is one, however soon the search is stopped.
///
/// The caller says when a new search begins ([`TranspositionTable::new_search`]).
///
/// ```
/// use leap_core::Rules;
/// use leap_core::Game;
/// use leap_games::alquerque::Alquerque;
/// use leap_search::{Control, Limits, Request, TranspositionTable, search};
///
/// let rules = Alquerque::default();
/// let request = Request {
///     game: &Game::start(rules.clone()),
///     evaluator: &Default::default(),
///     limits: &Limits::depth(4),
///     table: &TranspositionTable::new(1)?,
///     tablebase: None,
///     control: &Control::new(),
/// };
/// let mut depths = Vec::new();
/// let answer = search(request, &mut |report| depths.push(report.depth));
/// assert!(answer.best.is_some());
/// assert_eq!(depths, [1, 2, 3, 4]);
/// # Ok::<(), leap_search::TranspositionTableError>(())
/// ```
pub fn search<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
    R::search(request, report)
}

/// The search of any game: iterative deepening of an alpha-beta search. Games have it as [`Searchable::search`].
pub fn alpha_beta<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
    let Request { game, limits, control, .. } = request;
    if limits.strength < strength::FULL {
        let limits = &strength::weaken(game, limits);
        let own = TranspositionTable::new(strength::TABLE_MIB);
        let table = own.as_ref().unwrap_or(request.table);
        // A weak player knows no endings by heart.
        return alpha_beta(Request { limits, table, tablebase: None, ..request }, report);
    }
    let busy = (limits.threads > 1).then(Busy::new);
    let shared = Shared { busy, ..Shared::default() };
    let help = |index| run_helper(request, TimeManager::helper(control, &shared), index);
    let (own, helped) = with_helpers(limits.threads.saturating_sub(1), help, || {
        let worker = Worker::new(request, TimeManager::new(control, &shared, limits));
        let own = run(&mut IterativeDeepening::new(game, limits, worker, 1, &mut *report));
        shared.finished.raise();
        own
    });
    let (answer, line) = best_of(own, helped.into_iter(), limits);
    line.into_iter().for_each(report);
    answer
}

/// Runs a helper, which fills the shared table (lazy SMP).
///
/// Threads should not repeat each other's work. Every other helper starts an iteration ahead. Threads also try
/// different moves of a node first ([`busy`]).
fn run_helper<R: Searchable>(
    request: Request<'_, R>,
    time: TimeManager<'_>,
    index: usize,
) -> Found<R::Move> {
    let searchmoves = request.limits.searchmoves.clone();
    let limits = Limits { searchmoves, infinite: true, ..Limits::default() };
    let worker = Worker::new(request, time);
    let first_depth = 1 + (index % 2) as u32;
    let report = &mut |_| {};
    let mut search = IterativeDeepening::new(request.game, &limits, worker, first_depth, report);
    let answer = run(&mut search);
    (answer, search.best_line())
}

/// What a helper has found: its answer, and the line of that answer.
type Found<M> = (Answer<M>, Option<Report<M>>);

/// Runs one thread's search. If the search panics, its best move so far is kept.
fn run<R: Searchable>(search: &mut IterativeDeepening<'_, '_, R>) -> Answer<R::Move> {
    catch_unwind(AssertUnwindSafe(|| search.run()))
        .unwrap_or_else(|_| Answer { faults: 1, ..search.answer() })
}

/// Chooses the answer of the deepest search. Its line is returned if a helper found it.
///
/// The first worker has reported its own lines. Its answer stays if it has found the end of the game. The answer also
/// stays if the caller asked for a depth, for a win in n moves or for several lines.
fn best_of<M>(
    own: Answer<M>,
    helped: impl Iterator<Item = Found<M>>,
    limits: &Limits<M>,
) -> Found<M> {
    let is_final = own.faults == 0
        && (own.score.is_decided()
            || limits.depth.is_some()
            || limits.mate.is_some()
            || limits.multipv > 1);
    let nodes = own.nodes;
    helped.fold((own, None), |(best, best_line), (other, line)| {
        let faults = best.faults + other.faults;
        let is_deeper = other.depth > best.depth && !is_final;
        let (chosen, line) = if is_deeper { (other, line) } else { (best, best_line) };
        // The first worker has counted the nodes of all workers.
        let line = line.map(|line| Report { nodes, ..line });
        (Answer { faults, nodes, ..chosen }, line)
    })
}

/// The stack that a searching thread needs: enough for the longest line of the game with the largest positions.
pub const STACK_BYTES: usize = 8 << 20;

#[cfg(test)]
mod tests {
    use leap_core::GameResult;

    use super::*;

    #[test]
    fn the_deepest_threads_answer_counts_unless_the_first_was_asked_for_more_than_a_move() {
        let found = |best, depth, centipawns| -> Found<char> {
            let score = Score::evaluation(centipawns);
            let answer =
                Answer { best: Some(best), ponder: None, score, depth, nodes: 7, faults: 0 };
            let line = Report {
                depth,
                seldepth: depth,
                multipv: 1,
                score,
                bound: Bound::Exact,
                is_solved: false,
                nodes: 3,
                tbhits: 0,
                time: Duration::ZERO,
                hashfull: 0,
                pv: vec![best],
            };
            (answer, Some(line))
        };
        let chosen = |own: Found<char>, limits: &Limits<char>| {
            let helped = [found('b', 8, 20), found('c', 9, 30), found('d', 9, 40)];
            let (answer, line) = best_of(own.0, helped.into_iter(), limits);
            let line = line.map(|line| (line.pv[0], line.depth, line.nodes));
            (answer.best.unwrap(), answer.depth, line)
        };
        let any = Limits::default();
        assert_eq!(chosen(found('a', 8, 10), &any), ('c', 9, Some(('c', 9, 7))));
        assert_eq!(chosen(found('a', 9, 10), &any), ('a', 9, None), "has reported its line itself");
        for limits in [Limits::depth(8), Limits { multipv: 2, ..Limits::default() }] {
            assert_eq!(chosen(found('a', 8, 10), &limits), ('a', 8, None));
        }
        let mut won = found('a', 8, 10);
        won.0.score = Score::of_result(GameResult::Win(Side::One), Side::One, 3);
        assert_eq!(chosen(won, &any), ('a', 8, None));
    }
}
