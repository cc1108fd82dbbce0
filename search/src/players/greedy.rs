//! Makes the move with the largest immediate gain.

use super::answer_at_once;
use crate::Searchable;
use crate::{Answer, Control, Limits, Report, root_moves};
use leap_core::Game;

/// Answers with the move that gains most, a random one if several gain the same.
///
/// The gain is the value of captures and points ([`Searchable::gain`]). Of the limits, only `searchmoves` matters.
pub fn greedy<R: Searchable>(
    game: &Game<R>,
    evaluator: &R::Evaluator,
    limits: &Limits<R::Move>,
    seed: u64,
    control: &Control,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
    let gain = |mv: &R::Move| game.rules().gain(game.current(), *mv);
    // Best first.
    let moves = root_moves(game, limits);
    let best = moves.iter().take_while(|mv| gain(mv) == gain(&moves[0])).count();
    answer_at_once(game, evaluator, &moves[..best], moves.len(), seed, control, report)
}
