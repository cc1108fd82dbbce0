//! A player of random moves.

use super::answer_at_once;
use crate::{Answer, Dice, Limits, Report, Request, Searchable, root_moves};
use leap_core::Game;

/// Answers with a random move. Each legal move is equally likely.
///
/// Where a position has too many moves for a search, each of the search's candidates is equally likely
/// ([`Searchable::candidates`]). Of the limits, only `searchmoves` matters.
pub fn random<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
    let moves = root_moves(request.game, request.limits);
    answer_at_once(request, &moves, moves.len(), report)
}

/// The move that [`random`] answers with. `None` if the game is over.
pub fn random_move<R: Searchable>(game: &Game<R>, seed: u64) -> Option<R::Move> {
    Dice::new(seed, game.current()).pick(&root_moves(game, &Limits::default()))
}
