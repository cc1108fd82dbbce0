//! Playing below full strength, as people do: they look at few lines, and overlook some moves altogether, though seldom
//! those that stand out.
//!
//! At strength s below 100 a search
//!
//! - visits 20 nodes, twice as many for every 10 of s: 640 at 50, 19,456 at 99. Each doubling is worth about the same
//!   (K. Thompson, "Computer chess strength", 1982), and every move is made at once;
//! - overlooks each move of the root with a chance of 0.8 · (1 - s / 100), and those that gain most at once with a
//!   quarter of it. A higher strength notices all that a lower one does;
//! - makes a move that wins at once, if there is one.
//!
//! The best of the rest is searched for as at full strength. So a mistake costs little where many moves are about as
//! good, and much where only one is; no score has to be falsified, in whatever unit a game has it. What is overlooked
//! is drawn from [`Limits::seed`], position and ply, and the search begins with an empty table: a weak move depends on
//! nothing else. docs/levels.md has the Elo of the levels.

use super::dice::Dice;
use super::{Limits, root_moves};
use crate::Searchable;
use leap_core::record::Record;
use leap_core::{GameResult, Position};

/// Full strength.
pub const FULL: u32 = 100;

/// Size of a weak search's table in MiB, enough for its nodes.
pub(super) const TABLE_MIB: usize = 1;

/// The chance to overlook a move, in permille for each point of strength that is missing.
const CHANCE: usize = 8;
/// How much less likely a move that gains most is to be overlooked.
const STANDS_OUT: usize = 4;

/// The limits of a search at full strength that plays as these ask for, below full strength.
pub(super) fn weaken<G: Searchable>(
    record: &Record<G>,
    limits: &Limits<G::Move>,
) -> Limits<G::Move> {
    let most = nodes(limits.strength);
    Limits {
        nodes: Some(limits.nodes.map_or(most, |nodes| nodes.min(most))),
        searchmoves: Some(noticed(record, limits)),
        // Ends at these nodes: its caller holds the answer back until `stop`.
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

/// The root moves that are not overlooked, at least one if there is any; those alone that win at once, if there are any.
#[must_use]
pub fn noticed<G: Searchable>(record: &Record<G>, limits: &Limits<G::Move>) -> Vec<G::Move> {
    let gain = |mv| record.game().gain(record.current(), mv);
    // Best first.
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

/// Whether a move wins the game at once.
fn wins<G: Searchable>(record: &mut Record<G>, mv: G::Move) -> bool {
    let won = GameResult::Win(record.current().side());
    record.push(mv);
    let outcome = record.outcome();
    record.undo(1);
    outcome.is_some_and(|outcome| outcome.result == won)
}
