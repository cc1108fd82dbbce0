//! Makes the move with the largest immediate gain.

use super::answer_at_once;
use crate::Searchable;
use crate::{Answer, Control, Limits, Report, root_moves};
use leap_core::record::Record;

/// Answers with the move that gains most, a random one if several gain the same.
///
/// The gain is the value of captures and points ([`Searchable::gain`]). Of the limits, only `searchmoves` matters.
pub fn greedy<G: Searchable>(
    record: &Record<G>,
    limits: &Limits<G::Move>,
    seed: u64,
    control: &Control,
    report: &mut dyn FnMut(Report<G::Move>),
) -> Answer<G::Move> {
    let gain = |mv: &G::Move| record.game().gain(record.current(), *mv);
    // Best first.
    let moves = root_moves(record, limits);
    let best = moves.iter().take_while(|mv| gain(mv) == gain(&moves[0])).count();
    answer_at_once(record, &moves[..best], moves.len(), seed, control, report)
}
