//! Makes the move with the largest immediate gain.

use super::answer_at_once;
use crate::{Answer, Report, Request, Searchable, root_moves};

/// Answers with the move that gains most, a random one if several gain the same.
///
/// The gain is the value of captures and points ([`Searchable::gain`]). Of the limits, only `searchmoves` matters.
pub fn greedy<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
    let game = request.game;
    let gain = |mv: &R::Move| game.rules().gain(game.current(), *mv);
    // Best first.
    let moves = root_moves(game, request.limits);
    let best = moves.iter().take_while(|mv| gain(mv) == gain(&moves[0])).count();
    answer_at_once(request, &moves[..best], moves.len(), report)
}
