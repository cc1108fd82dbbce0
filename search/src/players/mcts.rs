//! Monte Carlo tree search: UCT with random playouts (L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning",
//! 2006; R. Coulom, "Efficient selectivity and backup operators", 2006).

mod tree;

use super::no_move;
use crate::playout::play_out;
use crate::{
    Bound, Dice, Limits, Report, Request, Score, SearchResult, Searchable, Shared, Stopped,
    TimeManager, expected_reply, root_moves,
};
use leap_core::{Game, GameResult, Position, Repetition, RulesExt, Side};
use tree::{State, Tree};

/// The number of playouts for each ply of `depth`. A search for a win in n moves counts as a depth of 2n.
const PLAYOUTS_PER_PLY: u64 = 1_000;
/// The largest depth, which is that of the search.
const MAX_DEPTH: u32 = crate::MAX_DEPTH;
/// The most playouts of a search. Their results can be summed in 32 bits.
const MAX_PLAYOUTS: u32 = u32::MAX / 2;
/// The number of playouts before the first report. Further reports follow at each doubling.
const FIRST_REPORT: u32 = 64;

/// Runs playouts until a limit is reached and answers with the most visited move.
///
/// A node is a playout. `depth` and `mate` allow 1,000 playouts a ply. Time limits work as in any search. The tree
/// takes as much memory as the transposition table, which is not used. When it is full, playouts begin at its leaves.
pub fn mcts<G: Searchable>(
    Request { game, limits, table, control, .. }: Request<'_, G>,
    report: &mut dyn FnMut(Report<G::Move>),
) -> SearchResult<G::Move> {
    let moves = root_moves(game, limits);
    if moves.is_empty() {
        return no_move(0);
    }
    let limits = Limits { nodes: playouts(limits), ..limits.clone() };
    let shared = Shared::default();
    let time = TimeManager::new(control, &shared, &limits);
    let mut search = Uct {
        game,
        tree: Tree::new(moves, table.mib()),
        dice: Dice::new(limits.seed, game.current()),
        time,
        limits: &limits,
        path: Vec::new(),
        line: Vec::new(),
        moves: Vec::new(),
        seldepth: 0,
    };
    search.run(report)
}

/// The most playouts that `nodes`, `depth` and `mate` allow.
fn playouts<M>(limits: &Limits<M>) -> Option<u64> {
    let plies = limits.depth.into_iter().chain(limits.mate.map(|moves| moves.saturating_mul(2)));
    let depths = plies.map(|plies| u64::from(plies.clamp(1, MAX_DEPTH)) * PLAYOUTS_PER_PLY);
    limits.nodes.into_iter().chain(depths).min()
}

/// The state of a search.
struct Uct<'a, G: Searchable> {
    game: &'a Game<G>,
    tree: Tree<G::Move>,
    dice: Dice,
    time: TimeManager<'a>,
    limits: &'a Limits<G::Move>,
    /// The nodes of the playout, each with the side that moved there.
    path: Vec<(usize, Side)>,
    /// The positions after the root that the playout went through in the tree.
    line: Vec<G::Position>,
    /// Room for the moves of a position.
    moves: Vec<G::Move>,
    /// The deepest node, in plies.
    seldepth: usize,
}

impl<G: Searchable> Uct<'_, G> {
    fn run(&mut self, report: &mut dyn FnMut(Report<G::Move>)) -> SearchResult<G::Move> {
        let mut last_report = 0;
        while !self.is_done() && self.playout().is_ok() {
            let playouts = self.tree.playouts;
            if playouts >= FIRST_REPORT && playouts.is_power_of_two() {
                self.send_reports(report);
                last_report = playouts;
            }
        }
        if self.tree.playouts > last_report {
            self.send_reports(report);
        }
        self.answer()
    }

    /// Whether a limit is reached or, on the clock, the choice is clear.
    fn is_done(&self) -> bool {
        if self.time.is_late(100) || self.tree.playouts >= MAX_PLAYOUTS {
            return true;
        }
        let is_free = !self.time.is_on_the_clock() || self.limits.movetime.is_some();
        !is_free && (self.tree.root_len == 1 || self.score(self.tree.best()) >= Score::win_at(1))
    }

    /// Selects a leaf, plays out from it and backpropagates the result. Changes no statistics if stopped.
    fn playout(&mut self) -> Result<(), Stopped> {
        self.time.visit()?;
        let rules = self.game.rules();
        let mut position = *self.game.current();
        self.path.clear();
        self.line.clear();
        let mut node = self.tree.select_root();
        let result = loop {
            self.path.push((node, position.side()));
            rules.play_unchecked(&mut position, self.tree.node(node).mv);
            self.line.push(position);
            match self.state(node, &position) {
                State::Ended(result) => break result,
                State::Inner { .. } => node = self.tree.select_below(node),
                State::New | State::Leaf => {
                    let count = |moves| self.time.count_work(moves);
                    break play_out(rules, position, &mut self.dice, &mut self.moves, count)?;
                }
            }
        };
        self.seldepth = self.seldepth.max(self.path.len());
        self.tree.backpropagate(&self.path, result);
        Ok(())
    }

    /// The state of a visited node. The first visit checks whether the game ends there. The second visit expands the
    /// node if there is room.
    fn state(&mut self, node: usize, position: &G::Position) -> State {
        match self.tree.node(node).state {
            State::New => {
                let result = self.result(position);
                self.tree.set_state(node, result.map_or(State::Leaf, State::Ended))
            }
            State::Leaf => self.expand(node, position),
            state => state,
        }
    }

    fn expand(&mut self, node: usize, position: &G::Position) -> State {
        if self.tree.is_full() {
            return State::Leaf;
        }
        let rules = self.game.rules();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        rules.candidates(position, &mut moves);
        moves.retain(|mv| !self.is_forbidden(&rules.after(position, *mv)));
        self.dice.shuffle(&mut moves);
        let state = if moves.is_empty() {
            self.tree.set_state(node, State::Ended(rules.no_moves(position).result))
        } else {
            self.tree.expand(node, &moves)
        };
        self.moves = moves;
        state
    }

    /// The result if the game is over at the end of the line. [`Uct::expand`] checks whether repetition forbids every
    /// move.
    fn result(&self, position: &G::Position) -> Option<GameResult> {
        let rules = self.game.rules();
        if let Some(outcome) = rules.outcome(position) {
            return Some(outcome.result);
        }
        let Repetition::Ends(limit) = rules.repetition() else { return None };
        (self.occurrences(position) >= limit as usize).then(|| rules.count(position))
    }

    fn is_forbidden(&self, child: &G::Position) -> bool {
        let Repetition::Forbids(limit) = self.game.rules().repetition() else { return false };
        self.occurrences(child) + 1 >= limit as usize
    }

    /// How often a position has occurred in the game and on the line.
    fn occurrences(&self, position: &G::Position) -> usize {
        let on_line = self.line.iter().filter(|past| past.repeats(position)).count();
        self.game.occurrences(position) + on_line
    }

    /// The score of a root move: its result if it ends the game, otherwise from its playouts.
    fn score(&self, node: usize) -> Score {
        let side = self.game.current().side();
        match self.tree.node(node).state {
            State::Ended(result) => Score::of_result(result, side, 1),
            _ => Score::evaluation(G::CHANCES.evaluation(self.tree.node(node).mean())),
        }
    }

    /// Reports the most visited root moves, as many as `multipv` says.
    fn send_reports(&self, report: &mut dyn FnMut(Report<G::Move>)) {
        let ranked = self.tree.ranked();
        for (index, root) in ranked.into_iter().take(self.limits.multipv.max(1)).enumerate() {
            let pv = self.tree.line(root);
            report(Report {
                depth: pv.len() as u32,
                seldepth: self.seldepth as u32,
                multipv: index + 1,
                score: self.score(root),
                bound: Bound::Exact,
                is_solved: false,
                nodes: self.tree.playouts.into(),
                tbhits: 0,
                time: self.time.elapsed(),
                hashfull: self.tree.fill_permille(),
                pv,
            });
        }
    }

    fn answer(&self) -> SearchResult<G::Move> {
        let best = self.tree.best();
        let pv = self.tree.line(best);
        SearchResult {
            best: pv.first().copied(),
            ponder: expected_reply(self.game.rules(), self.game.current(), &pv),
            score: self.score(best),
            depth: pv.len() as u32,
            nodes: self.tree.playouts.into(),
            faults: 0,
        }
    }
}
