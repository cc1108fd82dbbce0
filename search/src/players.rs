//! Sparring players: movers other than the search, to measure engines against and to play with.
//!
//! They take a [`Request`] and answer it as [`search`](crate::search()) does. Their moves depend on the seed, the
//! position and the ply alone. The same game gives the same moves in every process.

mod mcts;

pub use mcts::mcts;

use crate::eval::Evaluator;
use crate::{Bound, Dice, Limits, Report, Request, Score, SearchResult, Searchable, root_moves};
use leap_core::{Game, Position, Rules};

/// A player: [`search`](crate::search()), or one of the sparring players.
pub type Player<R> = fn(
    Request<'_, R>,
    &mut dyn FnMut(Report<<R as Rules>::Move>),
) -> SearchResult<<R as Rules>::Move>;

/// Answers with a random move. Each legal move is equally likely.
///
/// Where a position has too many moves for a search, each of the search's candidates is equally likely
/// ([`Searchable::candidates`]). Of the limits, only `searchmoves` matters.
pub fn random<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> SearchResult<R::Move> {
    let moves = root_moves(request.game, request.limits);
    answer_at_once(request, &moves, moves.len(), report)
}

/// The move that [`random`] answers with. `None` if the game is over.
pub fn random_move<R: Searchable>(game: &Game<R>, seed: u64) -> Option<R::Move> {
    Dice::new(seed, game.current()).pick(&root_moves(game, &Limits::default()))
}

/// Answers with the move that gains most, a random one if several gain the same.
///
/// The gain is the value of captures and points ([`Searchable::gain`]). Of the limits, only `searchmoves` matters.
pub fn greedy<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> SearchResult<R::Move> {
    let game = request.game;
    let gain = |mv: &R::Move| game.rules().gain(game.current(), *mv);
    // Best first.
    let moves = root_moves(game, request.limits);
    let best = moves.iter().take_while(|mv| gain(mv) == gain(&moves[0])).count();
    answer_at_once(request, &moves[..best], moves.len(), report)
}

/// The answer of a player that looks one move ahead: a random one of the `best` moves. `choices` counts all moves.
///
/// A report scores the move by the rules or by the evaluator.
fn answer_at_once<R: Searchable>(
    request: Request<'_, R>,
    best: &[R::Move],
    choices: usize,
    report: &mut dyn FnMut(Report<R::Move>),
) -> SearchResult<R::Move> {
    let Request { game, evaluator, limits, control, .. } = request;
    let nodes = choices as u64;
    let chosen = Dice::new(limits.seed, game.current()).pick(best);
    let Some(mv) = chosen else { return no_move(nodes) };
    let score = score_after(game, evaluator, mv);
    report(Report {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score,
        bound: Bound::Exact,
        is_solved: false,
        nodes,
        tbhits: 0,
        time: control.elapsed(),
        hashfull: 0,
        pv: vec![mv],
    });
    SearchResult { best: Some(mv), ponder: None, score, depth: 1, nodes, faults: 0 }
}

/// The answer where the game is over.
const fn no_move<M>(nodes: u64) -> SearchResult<M> {
    SearchResult { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes, faults: 0 }
}

/// The score after a move, for the side that makes it.
fn score_after<R: Searchable>(game: &Game<R>, evaluator: &R::Evaluator, mv: R::Move) -> Score {
    let side = game.current().side();
    let mut after = game.clone();
    after.push(mv);
    match after.outcome() {
        Some(outcome) => Score::of_result(outcome.result, side, 1),
        None => {
            let score = Score::evaluation(evaluator.evaluate(after.rules(), after.current()));
            if after.current().side() == side { score } else { -score }
        }
    }
}
