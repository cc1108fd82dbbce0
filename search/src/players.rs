//! Sparring players: movers other than the search, to measure engines against and to play with.
//!
//! They take a [`Request`] and answer it as [`search`](crate::search()) does. Their moves depend on the seed, the
//! position and the ply alone. The same game gives the same moves in every process.

mod greedy;
mod mcts;
mod random;

pub use greedy::greedy;
pub use mcts::mcts;
pub use random::{random, random_move};

use crate::eval::Evaluator;
use crate::{Answer, Bound, Dice, Report, Request, Score, Searchable};
use leap_core::{Game, Position, Rules};

/// A player: [`search`](crate::search()), or one of the sparring players.
pub type Player<R> =
    fn(Request<'_, R>, &mut dyn FnMut(Report<<R as Rules>::Move>)) -> Answer<<R as Rules>::Move>;

/// The answer of a player that looks one move ahead: a random one of the `best` moves. `choices` counts all moves.
///
/// A report scores the move by the rules or by the evaluator.
fn answer_at_once<R: Searchable>(
    request: Request<'_, R>,
    best: &[R::Move],
    choices: usize,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
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
    Answer { best: Some(mv), ponder: None, score, depth: 1, nodes, faults: 0 }
}

/// The answer where the game is over.
const fn no_move<M>(nodes: u64) -> Answer<M> {
    Answer { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes, faults: 0 }
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
