//! Play below full strength, in the way of people.
//!
//! People look at few lines. They overlook some moves entirely, but seldom those that stand out.
//!
//! At strength s below 100, a search does this:
//!
//! - It visits 20 nodes, and twice as many for every 10 of s: 640 at 50, 19,456 at 99. Each doubling is worth about the
//!   same (K. Thompson, "Computer chess strength", 1982). Every move is made immediately.
//! - It overlooks each move of the root with a chance of 0.8 · (1 - s / 100). For the moves with the largest immediate
//!   gain, the chance is a quarter of this. A higher strength notices all that a lower one does.
//! - It makes a move that wins immediately, if there is one.
//!
//! The remaining moves are searched as at full strength. A mistake costs little where many moves are about as good, and
//! much where a single move is good. Scores stay as they are, so the unit of a game's scores does not matter.
//!
//! The overlooked moves are drawn from [`Limits::seed`], position and ply, and the search begins with an empty table. A
//! weak move depends on nothing else. docs/levels.md has the Elo of the levels.

use super::dice::Dice;
use super::{Limits, root_moves};
use crate::Searchable;
use leap_core::record::Record;
use leap_core::{GameResult, Position};

/// Full strength.
pub const FULL: u32 = 100;

/// The size of a weak search's table in MiB. It is enough for the search's nodes.
pub(super) const TABLE_MIB: usize = 1;

/// The chance of overlooking a move, in permille for each missing point of strength.
const CHANCE: usize = 8;
/// How many times less likely a move with the largest gain is to be overlooked.
const STANDS_OUT: usize = 4;

/// The limits of a full-strength search that plays at the strength of `limits`.
pub(super) fn weaken<G: Searchable>(
    record: &Record<G>,
    limits: &Limits<G::Move>,
) -> Limits<G::Move> {
    let most = nodes(limits.strength);
    Limits {
        nodes: Some(limits.nodes.map_or(most, |nodes| nodes.min(most))),
        searchmoves: Some(noticed(record, limits)),
        // The search ends at these nodes. Its caller holds the answer back until `stop`.
        infinite: false,
        threads: 1,
        strength: FULL,
        ..limits.clone()
    }
}

/// The most nodes of a search.
const fn nodes(strength: u32) -> u64 {
    let (doublings, rest) = (strength / 10, strength % 10);
    (20 + 2 * rest as u64) << doublings
}

/// The root moves that are not overlooked, at least one if there is any.
///
/// If some moves win immediately, only they are returned.
#[must_use]
pub fn noticed<G: Searchable>(record: &Record<G>, limits: &Limits<G::Move>) -> Vec<G::Move> {
    let gain = |mv| record.game().gain(record.current(), mv);
    // The best moves come first.
    let mut moves = root_moves(record, limits);
    let mut ahead = record.clone();
    let won: Vec<_> = moves.iter().copied().filter(|mv| wins(&mut ahead, *mv)).collect();
    if !won.is_empty() {
        return won;
    }
    let most = moves.first().map(|mv| gain(*mv)).filter(|gain| *gain > 0);
    let mut dice = Dice::new(limits.seed, record.current());
    let mut attention = |mv: &G::Move| {
        let stands_out = Some(gain(*mv)) == most;
        dice.below(1000) * if stands_out { STANDS_OUT } else { 1 }
    };
    let attention: Vec<usize> = moves.iter().map(&mut attention).collect();
    let highest = attention.iter().copied().max().unwrap_or(0);
    let enough = highest.min((FULL - limits.strength) as usize * CHANCE);
    let mut given = attention.into_iter();
    moves.retain(|_| given.next() >= Some(enough));
    moves
}

/// Whether a move wins the game immediately.
fn wins<G: Searchable>(record: &mut Record<G>, mv: G::Move) -> bool {
    let won = GameResult::Win(record.current().side());
    record.push(mv);
    let outcome = record.outcome();
    record.undo(1);
    outcome.is_some_and(|outcome| outcome.result == won)
}
