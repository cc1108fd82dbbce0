//! The search below the root: principal variation search.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use super::busy::Busy;
use super::contempt::Contempt;
use super::control::Stopped;
use super::order::{HistoryContext, MoveOrdering, MoveStack, Picked, Picker};
use super::path::Path;
use super::pv::PvTable;
use super::score::{Score, Window};
use super::table::{MoveHash, TranspositionTable};
use super::time::TimeManager;
use crate::eval::Evaluator;
use crate::{EndgameSolver, Request, Searchable, Tuning};
use leap_core::exact::Tablebase;
use leap_core::{BySide, GameResult, Key, Position, RulesExt, Side};

/// The search state of one thread.
pub(super) struct Worker<'a, R: Searchable> {
    pub(super) rules: &'a R,
    evaluator: &'a R::Evaluator,
    pub(super) tuning: Tuning<R>,
    pub(super) table: &'a TranspositionTable,
    pub(super) tables: Option<&'a dyn Tablebase<R>>,
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
    /// The static evaluations of the nodes on the path, for their sides to move ([`Worker::stand_pat`]).
    pub(super) evaluations: Vec<Score>,
    /// The moves of the path: at each ply, the move that led to its node.
    pub(super) line: Vec<MoveHash>,
    /// The banked score of each side at the root, in centipawns.
    root_margin: BySide<i32>,
    /// The solver of endings, with what it has found.
    endgames: R::EndgameSolver,
    /// The deepest ply reached.
    pub(super) seldepth: usize,
    /// Whether the last score holds at any depth. All its lines then lead to the end of the game, with nothing left
    /// out.
    pub(super) is_solved: bool,
}

/// A node of the tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'p, P> {
    pub(super) position: &'p P,
    /// The plies to look ahead. In quiescence search, 0 and below.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    pub(super) window: Window,
}

/// The moves of a node while they are being tried.
struct Expansion<M> {
    picker: Picker,
    table_move: MoveHash,
    /// Whether captures are ranked next, before other moves.
    are_captures_next: bool,
    /// Quiet moves are left out after this many moves.
    late_move_count: usize,
    /// The number of moves that were tried or deferred.
    count: usize,
    /// The moves that other threads were searching.
    deferred: ArrayVec<Attempt<M>, MAX_DEFERRED>,
}

/// A move to try, and the number of moves before it.
#[derive(Clone, Copy)]
struct Attempt<M> {
    mv: M,
    tag: MoveHash,
    index: usize,
}

/// The best move of a node and its score.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) tag: MoveHash,
}

impl<'a, R: Searchable> Worker<'a, R> {
    pub(super) fn new(request: Request<'a, R>, time: TimeManager<'a>) -> Self {
        let Request { game, evaluator, limits, table, tables, .. } = request;
        let (rules, root) = (game.rules(), game.current());
        let contempt = Contempt::new(limits, root.side());
        Worker {
            rules,
            evaluator,
            tuning: Tuning::new(limits),
            table,
            tables,
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
            is_solved: false,
        }
    }

    /// The value of a node for its side to move: exact inside the window, otherwise a bound (fail-soft).
    pub(super) fn search(&mut self, node: Node<'_, R::Position>) -> Result<Score, Stopped> {
        if node.depth <= 0 || node.ply >= MAX_PLY {
            return self.quiesce(node);
        }
        self.enter(node.ply)?;
        self.is_solved = true;
        if let Some(score) = self.limit_score(&node) {
            return Ok(score);
        }
        let node = Node { window: node.window.mate_distance_pruning(node.ply), ..node };
        if node.window.is_empty() {
            return Ok(node.window.alpha);
        }
        let key = self.table_key(&node);
        let banked = self.banked(node.position);
        let known = self.table.probe(key);
        if let Some(score) = self.known_score(known, &node, banked) {
            return Ok(score);
        }
        if let Some(score) = self.probe_tables(&node).or_else(|| self.probe_ending(&node, banked)) {
            let best = Best { score, tag: MoveHash::NONE };
            self.evaluations[node.ply] = score;
            self.store(key, &Node { window: Window::FULL, ..node }, &best, banked, true);
            return Ok(score);
        }
        if let Some(entry) = known {
            let evaluation = i32::from(entry.evaluation) + banked;
            self.evaluations[node.ply] = Score::evaluation(evaluation);
        } else {
            self.stand_pat(&node);
        }
        let before = self.path.begin_node();
        let best = match self.static_score(&node)? {
            Some(score) => {
                self.is_solved = false;
                Best { score, tag: known.map_or(MoveHash::NONE, |entry| entry.tag) }
            }
            None => {
                // A shallow search has left its best move in the table.
                let known = if self.probcut(&node) { self.table.probe(key) } else { known };
                self.expand(&node, known.map_or(MoveHash::NONE, |entry| entry.tag))?
            }
        };
        let is_path_independent = self.path.end_node(before, node.ply);
        self.store(key, &node, &best, banked, is_path_independent);
        Ok(best.score)
    }

    /// The score of a solved ending. PV nodes are not solved, since they need a line.
    fn probe_ending(&mut self, node: &Node<'_, R::Position>, banked: i32) -> Option<Score> {
        let is_deep = node.depth >= PROBE_DEPTH && node.window.is_null();
        if !is_deep || self.is_mate_search || !R::EndgameSolver::covers(self.rules, node.position) {
            return None;
        }
        self.time.generated(PROBE_MOVES);
        let unrealised = self.endgames.solve(node.position)?;
        self.is_solved = true;
        Some(Score::evaluation(unrealised + banked))
    }

    /// Tries the moves of a node.
    fn expand(
        &mut self,
        node: &Node<'_, R::Position>,
        table_move: MoveHash,
    ) -> Result<Best, Stopped> {
        let mut best = Best { score: -Score::INFINITY, tag: MoveHash::NONE };
        let mut window = node.window;
        let mut moves = Expansion {
            picker: self.generate(node),
            table_move,
            are_captures_next: R::TUNING.captures_first,
            late_move_count: self.late_move_count(node),
            count: 0,
            deferred: ArrayVec::new(),
        };
        let mut is_solved = true;
        while let Some((next, child)) = self.next_child(node, &mut moves, best.score) {
            let Attempt { mv, tag, index } = next;
            let score = self.try_move(&Node { window, ..*node }, (mv, tag), &child, index)?;
            is_solved &= self.is_solved;
            best.score = best.score.max(score);
            if score > window.alpha {
                window.alpha = score;
                best.tag = tag;
                if window.is_empty() {
                    is_solved = self.is_solved;
                    self.update_ordering(node, (mv, tag), &moves.picker);
                    break;
                }
                self.pv.extend(node.ply, mv);
            }
        }
        self.moves.release(&moves.picker);
        if moves.count == 0 {
            best.score = self.no_moves_score(node);
        }
        self.is_solved = is_solved && (moves.picker.is_whole || window.is_empty());
        Ok(best)
    }

    /// The next move to try at a node, and the position after it.
    ///
    /// Moves that other threads are searching come last. Late moves are left out.
    fn next_child(
        &mut self,
        node: &Node<'_, R::Position>,
        moves: &mut Expansion<R::Move>,
        best: Score,
    ) -> Option<(Attempt<R::Move>, R::Position)> {
        while let Some(Picked { mv, tag, .. }) = self.next_move(node, moves) {
            let is_late = moves.count >= moves.late_move_count && best > -Score::LEAST_WIN;
            if is_late && self.is_quiet(node, mv) {
                // None of the moves after this one captures either.
                moves.picker.is_whole = false;
                break;
            }
            let child = self.rules.after(node.position, mv);
            if self.is_forbidden(&child) {
                continue;
            }
            let attempt = Attempt { mv, tag, index: moves.count };
            moves.count += 1;
            let is_deferred = attempt.index > 0
                && self.is_busy(node, &child)
                && moves.deferred.try_push(attempt).is_ok();
            if !is_deferred {
                return Some((attempt, child));
            }
        }
        let attempt = moves.deferred.pop_at(0)?;
        Some((attempt, self.rules.after(node.position, attempt.mv)))
    }

    /// Whether another thread is searching a child of a node.
    pub(super) fn is_busy(&self, node: &Node<'_, R::Position>, child: &R::Position) -> bool {
        self.busy_below(node).is_some_and(|busy| busy.is_claimed(child.key()))
    }

    /// The positions of all threads, if there are several threads and the node is deep enough.
    fn busy_below(&self, node: &Node<'_, R::Position>) -> Option<&'a Busy> {
        if node.depth >= BUSY_DEPTH { self.time.busy() } else { None }
    }

    /// The value of a move, as [`Worker::value_of`] gives it. Other threads see that this thread searches the move.
    pub(super) fn try_move(
        &mut self,
        node: &Node<'_, R::Position>,
        mv: (R::Move, MoveHash),
        child: &R::Position,
        index: usize,
    ) -> Result<Score, Stopped> {
        let Some(busy) = self.busy_below(node) else {
            return self.value_of(node, mv, child, index);
        };
        let claim = busy.claim(child.key());
        let score = self.value_of(node, mv, child, index);
        busy.release(claim);
        score
    }

    /// The value of the move with number `index` at its node, for the side that makes it.
    ///
    /// The first move is searched with the full window. Later moves get a null window and a reduced depth. A later move
    /// that fails high is searched again in full.
    fn value_of(
        &mut self,
        node: &Node<'_, R::Position>,
        (mv, tag): (R::Move, MoveHash),
        child: &R::Position,
        index: usize,
    ) -> Result<Score, Stopped> {
        let depth = node.depth - 1;
        self.line[node.ply + 1] = tag;
        if index == 0 {
            return self.search_child(node, child, depth, node.window);
        }
        let null = Window::null(node.window.alpha);
        let reduction = self.reduction(node, mv, tag, index);
        let mut score = self.search_child(node, child, depth - reduction, null)?;
        if score > node.window.alpha && reduction > 0 {
            score = self.search_child(node, child, depth, null)?;
        }
        if score > node.window.alpha && !node.window.is_null() {
            score = self.search_child(node, child, depth, node.window)?;
        }
        Ok(score)
    }

    /// Searches a child. In Sapos a side may move twice in a row: its score is then not negated.
    pub(super) fn search_child(
        &mut self,
        parent: &Node<'_, R::Position>,
        position: &R::Position,
        depth: i32,
        window: Window,
    ) -> Result<Score, Stopped> {
        let same_side = position.side() == parent.position.side();
        let window = if same_side { window } else { window.flipped() };
        let node = Node { position, depth, ply: parent.ply + 1, window };
        self.pv.clear(node.ply);
        let score = match self.repetition_score(&node) {
            Some(score) => {
                self.is_solved = true;
                score
            }
            None => {
                self.path.push(position.key());
                let score = self.search(node)?;
                self.path.pop();
                score
            }
        };
        Ok(if same_side { score } else { -score })
    }

    /// Counts a node.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.seldepth = self.seldepth.max(ply);
        self.time.visit()
    }

    pub(super) fn evaluate(&self, position: &R::Position) -> Score {
        let unrealised = self.evaluator.unrealised(self.rules, position, position.side());
        Score::evaluation(unrealised + self.banked(position))
    }

    /// Notes the static evaluation of a node, and returns it. `None` where every move captures: quiescence search must
    /// play those captures out.
    ///
    /// It would throw the evaluation of such a node away, so the evaluation two plies before stands in. In games with
    /// compulsory captures, this saves up to a third of all evaluations.
    pub(super) fn stand_pat(&mut self, node: &Node<'_, R::Position>) -> Option<Score> {
        let is_quiet = !R::TUNING.quiescence || self.rules.has_quiet_move(node.position);
        let stand_pat = is_quiet.then(|| self.evaluate(node.position));
        let before = || node.ply.checked_sub(2).map_or(Score::DRAW, |ply| self.evaluations[ply]);
        self.evaluations[node.ply] = stand_pat.unwrap_or_else(before);
        stand_pat
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

    fn generate(&mut self, node: &Node<'_, R::Position>) -> Picker {
        let rules = self.rules;
        let picker = self.moves.generate(|moves| rules.candidates(node.position, moves));
        self.time.generated(self.moves.len(&picker));
        picker
    }

    /// The next move by rank: first the table's move, then captures if they come first.
    ///
    /// The table's move is usually enough. The other moves are then not even ranked.
    fn next_move(
        &mut self,
        node: &Node<'_, R::Position>,
        moves: &mut Expansion<R::Move>,
    ) -> Option<Picked<R::Move>> {
        let picker = &mut moves.picker;
        if let Some(picked) = self.moves.pick_tag(picker, moves.table_move) {
            return Some(picked);
        }
        let (rules, tuning) = (self.rules, self.tuning);
        let (ordering, context) = (&self.ordering, self.context(node));
        let score = |mv, tag| ordering.rank(rules, tuning, node.position, (mv, tag), context);
        loop {
            if let Some(picked) = self.moves.pick(picker) {
                return Some(picked);
            }
            if self.moves.are_ranked(picker) {
                return None;
            }
            if moves.are_captures_next {
                moves.are_captures_next = false;
                self.moves.rank_first(picker, |mv| rules.is_capture(node.position, mv), score);
            } else {
                self.moves.rank(picker, score);
            }
        }
    }

    fn update_ordering(
        &mut self,
        node: &Node<'_, R::Position>,
        best: (R::Move, MoveHash),
        picker: &Picker,
    ) {
        let tried = self.moves.tried(picker, best.0);
        let context = self.context(node);
        let bonus = self.tuning.history.at(node.depth);
        self.ordering.cutoff::<R>(best, tried, bonus, context);
    }

    pub(super) fn context(&self, node: &Node<'_, R::Position>) -> HistoryContext {
        HistoryContext { side: node.position.side(), ply: node.ply, previous: self.line[node.ply] }
    }
}

/// The least depth of a node at which asking about the other threads saves time.
const BUSY_DEPTH: i32 = 3;
/// The most moves of a node that are deferred because other threads are searching them.
const MAX_DEFERRED: usize = 8;
/// The least depth of a node at which solving the ending costs less than a search.
const PROBE_DEPTH: i32 = 4;
/// The work of solving an ending, as a number of generated moves.
const PROBE_MOVES: usize = 512;
