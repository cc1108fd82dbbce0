//! The root of a search: its moves, iterative deepening and aspiration windows.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::control::Stopped;
use super::exact::{ProbedRoot, extend_line};
use super::node::{Node, Searched};
use super::score::{Score, Value, Window};
use super::table::{Bound, MoveHash};
use super::worker::Worker;
use super::{Limits, MAX_DEPTH, Report, SearchResult};
use crate::Searchable;
use leap_core::exact::Wdl;
use leap_core::{Game, Position, Rules, RulesExt};

/// A move of the root, and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Moves of a higher rank come first, whatever their scores. 0 unless tables know all moves.
    pub(super) rank: usize,
    /// The outcome of the move, if tables know all moves.
    known: Option<Wdl>,
    /// Whether the position after the move has occurred in the game.
    repeats: bool,
    /// The score of the move's last search. The lowest score if that search only showed the move not to be best.
    pub(super) score: Score,
    /// The score of the iteration before.
    previous_score: Score,
    /// The line that begins with the move.
    pub(super) pv: Vec<M>,
    seldepth: usize,
}

/// The root moves, the most promising first. Empty if the game is over.
pub(crate) fn root_moves<R: Searchable>(game: &Game<R>, limits: &Limits<R::Move>) -> Vec<R::Move> {
    if game.outcome().is_some() {
        return Vec::new();
    }
    let (rules, position) = (game.rules(), game.current());
    let mut moves = Vec::new();
    match &limits.searchmoves {
        Some(chosen) if !chosen.is_empty() => moves.extend_from_slice(chosen),
        _ => {
            rules.candidates(position, &mut moves);
        }
    }
    moves.retain(|mv| {
        let child = rules.after(position, *mv);
        !game.banned(&child)
    });
    if moves.is_empty() {
        // Repetition forbids all candidates, yet the game goes on: there is a move that is no candidate.
        moves = game.first_moves(1);
    }
    moves.sort_by_key(|mv| Reverse(rules.gain(position, *mv)));
    moves
}

/// The second move of a line, if the opponent makes it. Otherwise there is nothing to ponder on.
pub(crate) fn expected_reply<R: Rules>(
    rules: &R,
    position: &R::Position,
    line: &[R::Move],
) -> Option<R::Move> {
    let child = rules.after(position, *line.first()?);
    line.get(1).copied().filter(|_| child.side() != position.side())
}

impl<M: Copy> RootMove<M> {
    fn new(mv: M) -> Self {
        let lowest = -Score::INFINITY;
        Self {
            mv,
            rank: 0,
            known: None,
            repeats: false,
            score: lowest,
            previous_score: lowest,
            pv: vec![mv],
            seldepth: 0,
        }
    }

    /// The score of the move: exact if tables know it, unless the search has found the way to the same end.
    fn best_score(&self) -> Score {
        let of_search = self.score.plies_to_end().map(|_| self.score.cmp(&Score::DRAW));
        match self.known {
            Some(outcome) if of_search != Some(outcome.cmp(&Wdl::Draw)) => {
                Score::of_exact(outcome, 1)
            }
            _ => self.score,
        }
    }
}

/// Iterative deepening: the search of one thread.
pub(super) struct IterativeDeepening<'a, 'r, R: Searchable> {
    worker: Worker<'a, R>,
    game: &'a Game<R>,
    limits: &'a Limits<R::Move>,
    moves: Vec<RootMove<R::Move>>,
    send: &'r mut dyn FnMut(Report<R::Move>),
    /// The depth of the first iteration.
    first_depth: u32,
    /// The depth of the last finished iteration.
    depth: u32,
    /// The move last reported as the best.
    reported: Option<R::Move>,
    stability: Stability<R::Move>,
    /// Whether the scores of the last iteration hold at any depth.
    is_solved: bool,
}

impl<'a, 'r, R: Searchable> IterativeDeepening<'a, 'r, R> {
    pub(super) fn new(
        game: &'a Game<R>,
        limits: &'a Limits<R::Move>,
        worker: Worker<'a, R>,
        first_depth: u32,
        send: &'r mut dyn FnMut(Report<R::Move>),
    ) -> Self {
        let mut worker = worker;
        let moves = root_moves(game, limits);
        let known =
            worker.probed_tablebase().and_then(|tables| ProbedRoot::new(game, tables, &moves));
        let mut moves: Vec<_> = moves.into_iter().map(RootMove::new).collect();
        for root in &mut moves {
            root.repeats = game.occurrences(&game.rules().after(game.current(), root.mv)) > 0;
        }
        if let Some(known) = known {
            for (root, (rank, outcome)) in moves.iter_mut().zip(known.moves) {
                (root.rank, root.known) = (rank, outcome);
            }
            if known.is_endless {
                worker.forget_tablebase();
            }
        }
        moves.sort_by_key(|root| Reverse((root.rank, !root.repeats)));
        IterativeDeepening {
            worker,
            game,
            limits,
            moves,
            send,
            first_depth,
            depth: 0,
            reported: None,
            stability: Stability::new(),
            is_solved: false,
        }
    }

    /// Searches until a limit is reached, and chooses a move.
    pub(super) fn run(&mut self) -> SearchResult<R::Move> {
        if self.moves.is_empty() {
            return self.answer();
        }
        self.worker.evaluations[0] = self.worker.evaluate(self.game.current());
        let lines = self.limits.multipv.clamp(1, self.moves.len());
        for depth in self.first_depth..=self.deepest() {
            if self.iterate(depth, lines).is_err() {
                break;
            }
            self.depth = depth;
            self.stability.update(&self.moves[0]);
            if self.is_done(depth) {
                break;
            }
        }
        if self.depth > 0 && self.reported != Some(self.moves[0].mv) {
            self.send_report(self.depth, 0, Bound::Exact);
        }
        self.answer()
    }

    /// The depth of the last iteration that the limits allow. A win in n moves is searched to 2n plies (SPEC 5.1).
    fn deepest(&self) -> u32 {
        if self.limits.infinite {
            return MAX_DEPTH;
        }
        let mate_depth = self.limits.mate.map(|moves| moves.saturating_mul(2));
        let depths = self.limits.depth.into_iter().chain(mate_depth);
        depths.min().unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }

    /// One iteration (MultiPV). Each line is searched without the root moves of the lines before it.
    fn iterate(&mut self, depth: u32, lines: usize) -> Result<(), Stopped> {
        for root in &mut self.moves {
            root.previous_score = root.score;
        }
        for line in 0..lines {
            self.worker.seldepth = 0;
            let finished = self.aspiration_search(depth, line);
            sort(&mut self.moves[line..]);
            finished?;
        }
        sort(&mut self.moves[..lines]);
        if let Some(tables) = self.worker.probed_tablebase() {
            let lines = self.moves[..lines].iter_mut();
            lines.for_each(|root| extend_line(self.game, tables, &mut root.pv));
        }
        for line in 0..lines.min(self.limits.multipv.max(1)) {
            self.send_report(depth, line, Bound::Exact);
        }
        Ok(())
    }

    /// Searches a line with a narrow window around its last score. The window widens until the score lies inside.
    fn aspiration_search(&mut self, depth: u32, line: usize) -> Result<(), Stopped> {
        let previous = self.moves[line].previous_score;
        let mut margin = self.worker.tuning.aspiration;
        let is_narrow = depth >= ASPIRATION_DEPTH && !previous.is_decided();
        let mut window = if is_narrow { around(previous, margin) } else { Window::FULL };
        loop {
            let score = self.search_root(depth, line, window)?;
            let bound = if score <= window.alpha {
                Bound::Upper
            } else if score >= window.beta {
                Bound::Lower
            } else {
                return Ok(());
            };
            sort(&mut self.moves[line..]);
            if self.worker.time.total_nodes() >= NODES_BEFORE_BOUNDS && line == 0 {
                self.send_report(depth, 0, bound);
            }
            margin *= 4;
            window = match bound {
                _ if margin > WIDEST_MARGIN || score.is_decided() => Window::FULL,
                Bound::Upper => Window { alpha: score.plus(-margin), ..window },
                _ => Window { beta: score.plus(margin), ..window },
            };
        }
    }

    /// Searches the root moves from number `first` on.
    ///
    /// Of moves with equal scores, one that repeats no position is the best.
    fn search_root(&mut self, depth: u32, first: usize, window: Window) -> Result<Score, Stopped> {
        let worker = &mut self.worker;
        let position = self.game.current();
        let mut node = Node { position, depth: depth as i32, ply: 0, window };
        worker.moves.clear();
        let mut best = -Score::INFINITY;
        // All lines must be solved. A search that is stopped leaves what the iteration before has found.
        let mut is_solved = first == 0 || self.is_solved;
        let moves = &mut self.moves[first..];
        // Moves that other threads are searching come last.
        let mut deferred = VecDeque::new();
        let mut indices = 0..moves.len();
        let mut does_best_repeat = false;
        while let Some(index) = indices.next().or_else(|| deferred.pop_front()) {
            let root = &mut moves[index];
            let child = worker.rules.after(position, root.mv);
            if index > 0 && !indices.is_empty() && worker.is_busy(&node, &child) {
                deferred.push_back(index);
                continue;
            }
            let mut tried = node;
            if does_best_repeat && !root.repeats {
                tried.window.alpha = node.window.alpha.plus(-1);
            }
            let found = worker.search_root_move(&tried, root.mv, &child, index)?;
            is_solved &= found.is_solved;
            root.score = -Score::INFINITY;
            if index == 0 || found.score > tried.window.alpha {
                does_best_repeat = root.repeats && found.score > node.window.alpha;
                root.score = found.score;
                root.seldepth = worker.seldepth;
                root.pv.truncate(1);
                root.pv.extend_from_slice(worker.pv.at(1));
            }
            best = best.max(found.score);
            node.window.alpha = node.window.alpha.max(found.score);
            if node.window.is_empty() {
                break;
            }
        }
        self.is_solved = is_solved;
        Ok(best)
    }

    /// Whether another iteration cannot help, or has no time.
    fn is_done(&self, depth: u32) -> bool {
        let score = self.moves[0].score;
        let plies = score.plies_to_end();
        let is_mate_found = self.limits.mate.filter(|_| !self.limits.infinite).is_some_and(|moves| {
            matches!(score.value(), Value::Mate(found) if found > 0 && found as u32 <= moves.max(1))
        });
        // On the engine's clock, a single move needs no search, and neither does a game that was searched to its end.
        let is_clear =
            self.moves.len() == 1 || self.is_solved || plies.is_some_and(|plies| plies <= depth);
        let time = &self.worker.time;
        let is_enough = self.limits.soft_nodes.is_some_and(|nodes| time.total_nodes() >= nodes);
        is_mate_found
            || is_enough
            || time.is_late(self.stability.time_percent(self.worker.tuning.time_shares))
            || (is_clear && time.is_on_the_clock() && self.limits.movetime.is_none())
    }

    fn send_report(&mut self, depth: u32, line: usize, bound: Bound) {
        if line == 0 {
            self.reported = Some(self.moves[line].mv);
        }
        let report = self.report(depth, line, bound);
        (self.send)(report);
    }

    fn report(&self, depth: u32, line: usize, bound: Bound) -> Report<R::Move> {
        let root = &self.moves[line];
        Report {
            depth,
            seldepth: root.seldepth as u32,
            multipv: line + 1,
            score: self.whole_score(root),
            bound,
            is_solved: (self.is_solved || root.known.is_some()) && bound == Bound::Exact,
            nodes: self.worker.time.total_nodes(),
            tbhits: self.worker.time.tbhits(),
            time: self.worker.time.elapsed(),
            hashfull: self.worker.table.hashfull(),
            pv: root.pv.clone(),
        }
    }

    /// The line that begins with the best move, if an iteration was finished.
    pub(super) fn best_line(&self) -> Option<Report<R::Move>> {
        (self.depth > 0).then(|| self.report(self.depth, 0, Bound::Exact))
    }

    /// The score of a move, with the score banked before the search.
    fn whole_score(&self, root: &RootMove<R::Move>) -> Score {
        self.worker.whole(root.best_score(), self.game.current().side())
    }

    /// The best answer so far.
    pub(super) fn answer(&self) -> SearchResult<R::Move> {
        let best = self.moves.first();
        SearchResult {
            best: best.map(|root| root.mv),
            ponder: best
                .and_then(|root| expected_reply(self.worker.rules, self.game.current(), &root.pv)),
            score: best.map_or(Score::DRAW, |root| self.whole_score(root)),
            depth: self.depth,
            nodes: self.worker.time.total_nodes(),
            faults: 0,
        }
    }
}

impl<R: Searchable> Worker<'_, R> {
    /// Searches a root move, as steps 13 and 14 of [`Worker::search`] do in the tree.
    fn search_root_move(
        &mut self,
        root: &Node<'_, R::Position>,
        mv: R::Move,
        position: &R::Position,
        index: usize,
    ) -> Result<Searched, Stopped> {
        let hash = MoveHash::of(&mv);
        let _claim = self.claim(root, position);
        if let Some(repeated) = self.begin_child(root, position) {
            return Ok(repeated);
        }
        self.line[1] = hash;
        let reduction = self.reduction(root, mv, hash, index);
        let found = self.search_child(root, position, index, reduction)?;
        self.end_child();
        Ok(found)
    }
}

/// How stable the best move is. A stable move needs less time than its share.
#[derive(Debug)]
struct Stability<M> {
    best: Option<M>,
    /// The number of iterations that have kept the best move.
    iterations: usize,
    /// The score of the iteration before.
    score: Score,
    /// How much the last iteration lowered the score, in centipawns.
    drop: i32,
}

impl<M: Copy + PartialEq> Stability<M> {
    /// The largest drop of the score that counts, in centipawns.
    const MAX_DROP: i32 = 60;

    const fn new() -> Self {
        Self { best: None, iterations: 0, score: Score::DRAW, drop: 0 }
    }

    fn update(&mut self, root: &RootMove<M>) {
        self.iterations = if self.best == Some(root.mv) { self.iterations + 1 } else { 0 };
        self.drop = self.score.raw().saturating_sub(root.score.raw()).clamp(0, Self::MAX_DROP);
        (self.best, self.score) = (Some(root.mv), root.score);
    }

    /// The share of its time that the search should take, in percent. `shares` has those of stable scores.
    fn time_percent(&self, shares: [i32; 5]) -> u32 {
        let share = shares[self.iterations.min(shares.len() - 1)];
        (share * (100 + self.drop) / 100) as u32
    }
}

/// A window wider than this becomes the full window.
const WIDEST_MARGIN: i32 = 1_000;
/// The first iteration with a narrow window.
const ASPIRATION_DEPTH: u32 = 4;
/// The number of nodes before scores outside the window are reported.
const NODES_BEFORE_BOUNDS: u64 = 1_000_000;

fn around(score: Score, margin: i32) -> Window {
    Window { alpha: score.plus(-margin), beta: score.plus(margin) }
}

/// Sorts the best moves first. Moves without a score keep their order.
fn sort<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root| Reverse((root.rank, root.score, !root.repeats, root.previous_score)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SearchTuning;

    #[test]
    fn a_settled_search_takes_less_time_and_a_falling_score_more() {
        let mut stability = Stability::new();
        let mut update = |mv: char, centipawns| {
            stability
                .update(&RootMove { score: Score::evaluation(centipawns), ..RootMove::new(mv) });
            stability.time_percent(SearchTuning::DEFAULT.time_shares)
        };
        let settling: Vec<u32> = (0..8).map(|_| update('a', 10)).collect();
        assert!(settling.is_sorted_by(|earlier, later| earlier >= later), "{settling:?}");
        let (doubtful, settled) = (settling[0], settling[7]);
        assert!(settled < 100 && 100 < doubtful, "less than its share, and more: {settling:?}");
        let fallen = update('a', -30);
        assert!(settled < fallen, "the score falls by 40");
        assert_eq!(update('a', -30), settled, "and no further");
        assert_eq!(update('b', -30), doubtful, "another move");
        let (low, lower) = (update('c', -900), update('d', -2_000));
        assert!(doubtful < low, "another move, and the score falls");
        assert_eq!(lower, low, "not more, however far it falls");
    }
}
