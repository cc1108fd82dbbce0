//! A player of random moves.

use super::answer_at_once;
use crate::Searchable;
use crate::{Answer, Control, Limits, Report, root_moves};
use leap_core::Game;

/// Answers with a random move. Each legal move is equally likely.
///
/// Where a position has too many moves for a search, each of the search's candidates is equally likely
/// ([`Searchable::candidates`]). Of the limits, only `searchmoves` matters.
pub fn random<R: Searchable>(
    game: &Game<R>,
    evaluator: &R::Evaluator,
    limits: &Limits<R::Move>,
    seed: u64,
    control: &Control,
    report: &mut dyn FnMut(Report<R::Move>),
) -> Answer<R::Move> {
    let moves = root_moves(game, limits);
    answer_at_once(game, evaluator, &moves, moves.len(), seed, control, report)
}
