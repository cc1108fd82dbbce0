//! A player of random moves.

use super::answer_at_once;
use crate::Searchable;
use crate::{Answer, Control, Limits, Report, root_moves};
use leap_core::record::Record;

/// Answers with a random move. Each legal move is equally likely.
///
/// Where a position has too many moves for a search, each of the search's candidates is equally likely
/// ([`leap_core::Game::candidates`]). Of the limits, only `searchmoves` matters.
pub fn random<G: Searchable>(
    record: &Record<G>,
    limits: &Limits<G::Move>,
    seed: u64,
    control: &Control,
    report: &mut dyn FnMut(Report<G::Move>),
) -> Answer<G::Move> {
    let moves = root_moves(record, limits);
    answer_at_once(record, &moves, moves.len(), seed, control, report)
}
