//! The search state of one thread.

use super::MAX_PLY;
use super::busy::{Busy, Claim};
use super::contempt::Contempt;
use super::evaluations::EvaluationCache;
use super::node::Node;
use super::order::{HistoryContext, MoveOrdering, MoveStack};
use super::path::Path;
use super::pv::PvTable;
use super::score::Score;
use super::table::{MoveHash, TranspositionTable};
use super::time::TimeManager;
use crate::eval::Evaluator;
use crate::{EndgameSolver, Request, Searchable, Tuning};
use leap_core::exact::Tablebase;
use leap_core::{BySide, GameResult, Key, Position, Side};

/// The search state of one thread.
pub(super) struct Worker<'a, R: Searchable> {
    pub(super) rules: &'a R,
    evaluator: &'a R::Evaluator,
    pub(super) tuning: Tuning<R>,
    pub(super) table: &'a TranspositionTable,
    pub(super) tablebase: Option<&'a dyn Tablebase<R>>,
    pub(super) time: TimeManager<'a>,
    /// Whether this is a search for a win in n moves. No move is reduced then, so no win within the depth is missed.
    pub(super) is_mate_search: bool,
    pub(super) contempt: Contempt,
    /// Separates the scores of searches whose scores differ.
    pub(super) mode_key: Key,
    pub(super) path: Path,
    pub(super) moves: MoveStack<R::Move>,
    pub(super) ordering: MoveOrdering<R::Move>,
    pub(super) pv: PvTable<R::Move>,
    /// The static evaluations of the nodes on the path, for their sides to move ([`Worker::note_evaluation`]).
    pub(super) evaluations: Vec<Score>,
    /// The moves of the path: at each ply, the move that led to its node.
    pub(super) line: Vec<MoveHash>,
    /// The banked score of each side at the root, in centipawns.
    root_margin: BySide<i32>,
    /// The solver of endings, with what it has found.
    endgames: R::EndgameSolver,
    /// The last evaluations without the banked score, where the game keeps them.
    evaluated: EvaluationCache,
    /// The deepest ply reached.
    pub(super) seldepth: usize,
}

impl<'a, R: Searchable> Worker<'a, R> {
    pub(super) fn new(request: Request<'a, R>, time: TimeManager<'a>) -> Self {
        let Request { game, evaluator, limits, table, tablebase, .. } = request;
        let (rules, root) = (game.rules(), game.current());
        let contempt = Contempt::new(limits, root.side());
        Worker {
            rules,
            evaluator,
            tuning: Tuning::new(limits),
            table,
            tablebase,
            time,
            is_mate_search: limits.mate.is_some(),
            contempt,
            mode_key: contempt.key(),
            path: Path::new(game.positions(), rules.repetition()),
            moves: MoveStack::new(),
            ordering: MoveOrdering::new::<R>(),
            pv: PvTable::new(),
            evaluations: vec![Score::DRAW; MAX_PLY + 1],
            line: vec![MoveHash::NONE; MAX_PLY + 2],
            root_margin: BySide::from_fn(|side| rules.banked(root, side)),
            endgames: R::EndgameSolver::default(),
            seldepth: 0,
            evaluated: EvaluationCache::new(R::TUNING.evaluation_cache),
        }
    }

    /// The static evaluation of a position for its side to move, relative to the root's banked score.
    pub(super) fn evaluate(&self, position: &R::Position) -> Score {
        let evaluate = || self.evaluator.unrealised(self.rules, position);
        let unrealised = if R::TUNING.evaluation_cache {
            self.evaluated.get_or(self.rules.unrealised_key(position), evaluate)
        } else {
            evaluate()
        };
        Score::evaluation(unrealised + self.banked(position))
    }

    /// Notes the static evaluation of a node, and returns it. `None` where every move captures: quiescence search must
    /// play those captures out.
    ///
    /// It would throw the evaluation of such a node away, so the evaluation two plies before stands in. In games with
    /// compulsory captures, this saves up to a third of all evaluations.
    pub(super) fn note_evaluation(&mut self, node: &Node<'_, R::Position>) -> Option<Score> {
        let is_quiet = !R::TUNING.quiescence || self.rules.has_quiet_move(node.position);
        let evaluation = is_quiet.then(|| self.evaluate(node.position));
        let before = || node.ply.checked_sub(2).map_or(Score::DRAW, |ply| self.evaluations[ply]);
        self.evaluations[node.ply] = evaluation.unwrap_or_else(before);
        evaluation
    }

    /// The banked score of the side to move, relative to the root, in centipawns.
    pub(super) fn banked(&self, position: &R::Position) -> i32 {
        let side = position.side();
        self.rules.banked(position, side) - self.root_margin[side]
    }

    /// A score of the root with the score banked before the root. Inside the search, banked scores are relative to the
    /// root.
    pub(super) fn whole(&self, score: Score, root: Side) -> Score {
        score.plus_banked(self.root_margin[root])
    }

    /// The score at the end of the game: the margin where the game is played for it, otherwise the result.
    pub(super) fn final_score(&self, result: GameResult, node: &Node<'_, R::Position>) -> Score {
        if R::BY_MARGIN && !self.is_mate_search {
            return Score::evaluation(self.banked(node.position));
        }
        self.contempt.of_result(result, node.position.side(), node.ply)
    }

    /// The score of an ending that the game's solver knows. PV nodes are not solved, since they need a line.
    pub(super) fn solve_ending(&mut self, node: &Node<'_, R::Position>) -> Option<Score> {
        let is_deep = node.depth >= SOLVER_DEPTH && node.window.is_null();
        if !is_deep || self.is_mate_search || !R::EndgameSolver::covers(self.rules, node.position) {
            return None;
        }
        self.time.generated(SOLVER_MOVES);
        let unrealised = self.endgames.solve(node.position)?;
        Some(Score::evaluation(unrealised + self.banked(node.position)))
    }

    /// Where the histories of a node's moves are kept.
    pub(super) fn context(&self, node: &Node<'_, R::Position>) -> HistoryContext {
        HistoryContext { side: node.position.side(), ply: node.ply, previous: self.line[node.ply] }
    }

    /// Whether another thread is searching a child of a node.
    pub(super) fn is_busy(&self, node: &Node<'_, R::Position>, child: &R::Position) -> bool {
        self.busy_below(node).is_some_and(|busy| busy.is_claimed(child.key()))
    }

    /// Tells other threads that this thread searches a child of a node, until the claim is dropped.
    pub(super) fn claim(
        &self,
        node: &Node<'_, R::Position>,
        child: &R::Position,
    ) -> Option<Claim<'a>> {
        self.busy_below(node).map(|busy| busy.claim(child.key()))
    }

    /// The positions of all threads, if there are several threads and the node is deep enough.
    fn busy_below(&self, node: &Node<'_, R::Position>) -> Option<&'a Busy> {
        if node.depth >= BUSY_DEPTH { self.time.busy() } else { None }
    }
}

/// The least depth of a node at which asking about the other threads saves time.
const BUSY_DEPTH: i32 = 3;
/// The least depth of a node at which solving the ending costs less than a search.
const SOLVER_DEPTH: i32 = 4;
/// The work of solving an ending, as a number of generated moves.
const SOLVER_MOVES: usize = 512;
