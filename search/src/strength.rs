//! Play below full strength, in the way of people.
//!
//! People look at few lines. They overlook some moves entirely, but seldom those that stand out.
//!
//! At strength s below 100, a search does this:
//!
//! - It visits 20 nodes, and twice as many for every 10 of s above 0: 640 at 50, 19,456 at 99. Each doubling is worth
//!   about the same (K. Thompson, "Computer chess strength", 1982). Every move is made immediately.
//! - It overlooks each move of the root with a chance of 0.8 · (1 - s / 100), from 0 up. For the moves with the largest
//!   immediate gain, the chance is a quarter of this. A higher strength notices all that a lower one does.
//! - Below 0 it is careless: both chances grow towards 1, where it notices a single move, any of them.
//!   [`Searchable::CARELESSNESS`] says how fast, since games forgive carelessness in different degrees.
//! - It makes a move that wins immediately, if there is one. From -10 down to -20 it overlooks these moves more often,
//!   until they are moves like any others. A player who never does so is not weak enough for a first game. With all
//!   other moves made at random, it beats a random player in seven of ten games of Alquerque and Sapos.
//!
//! The remaining moves are searched as at full strength. A mistake costs little where many moves are about as good, and
//! much where a single move is good. Scores stay as they are, so the unit of a game's scores does not matter.
//!
//! The overlooked moves are drawn from [`Limits::seed`], position and ply, and the search begins with an empty table. A
//! weak move depends on nothing else. docs/measured/README.md has the Elo of the levels.

use super::dice::Dice;
use super::{Limits, root_moves};
use crate::Searchable;
use leap_core::{Game, GameResult, Position};

/// Full strength.
pub const FULL: i32 = 100;
/// The lowest strength.
pub const LOWEST: i32 = -20;

/// The size of a weak search's table in MiB. It is enough for the search's nodes.
pub(super) const TABLE_MIB: usize = 1;

/// A certain event, in permille.
const CERTAIN: usize = 1000;
/// The chance of overlooking a move, in permille for each missing point of strength.
const CHANCE: usize = 8;
/// How many times less likely a move with the largest gain is to be overlooked.
const STANDS_OUT: usize = 4;
/// The strengths between two values of [`Searchable::CARELESSNESS`].
const STEP: usize = 10;

/// The limits of a full-strength search that plays at the strength of `limits`.
pub(super) fn weaken<R: Searchable>(game: &Game<R>, limits: &Limits<R::Move>) -> Limits<R::Move> {
    let most = nodes(limits.strength);
    Limits {
        nodes: Some(limits.nodes.map_or(most, |nodes| nodes.min(most))),
        searchmoves: Some(noticed(game, limits)),
        // The search ends at these nodes. Its caller holds the answer back until `stop`.
        infinite: false,
        threads: 1,
        strength: FULL,
        ..limits.clone()
    }
}

/// The most nodes of a search.
fn nodes(strength: i32) -> u64 {
    let strength = strength.max(0);
    let (doublings, rest) = (strength / 10, strength % 10);
    (20 + 2 * rest as u64) << doublings
}

/// The chances of overlooking a move and one with the largest gain, in permille.
fn chances<R: Searchable>(strength: i32) -> [usize; 2] {
    let chance = (FULL - strength.max(0)) as usize * CHANCE;
    let careless = carelessness(R::CARELESSNESS, strength);
    [chance, chance / STANDS_OUT].map(|chance| chance + (CERTAIN - chance) * careless / CERTAIN)
}

/// How careless a strength is, in permille. The values of -10 and -20 are given.
fn carelessness([first, second]: [usize; 2], strength: i32) -> usize {
    let [to_first, to_second] = steps_below(strength);
    (first * to_first + (second - first) * to_second) / STEP
}

/// How far a strength is below 0, up to -10, and below -10, up to -20.
fn steps_below(strength: i32) -> [usize; 2] {
    let below = (-strength.clamp(LOWEST, 0)) as usize;
    [below.min(STEP), below.saturating_sub(STEP)]
}

/// The root moves that are not overlooked, at least one if there is any.
///
/// If some moves win immediately, only they are returned, unless a strength below -10 overlooks them.
#[must_use]
pub fn noticed<R: Searchable>(game: &Game<R>, limits: &Limits<R::Move>) -> Vec<R::Move> {
    let gain = |mv| game.rules().gain(game.current(), mv);
    // The best moves come first.
    let mut moves = root_moves(game, limits);
    let mut ahead = game.clone();
    let won: Vec<_> = moves.iter().copied().filter(|mv| wins(&mut ahead, *mv)).collect();
    let mut dice = Dice::new(limits.seed, game.current());
    let [_, below_ten] = steps_below(limits.strength);
    if !won.is_empty() && (below_ten == 0 || dice.below(STEP) >= below_ten) {
        return won;
    }
    let most = moves.first().map(|mv| gain(*mv)).filter(|gain| *gain > 0);
    let [chance, chance_of_most] = chances::<R>(limits.strength);
    let mut attention = |mv: &R::Move| {
        let stands_out = Some(gain(*mv)) == most;
        dice.below(CERTAIN) * if stands_out { chance } else { chance_of_most }
    };
    let attention: Vec<usize> = moves.iter().map(&mut attention).collect();
    let highest = attention.iter().copied().max().unwrap_or(0);
    let enough = highest.min(chance * chance_of_most);
    let mut given = attention.into_iter();
    moves.retain(|_| given.next() >= Some(enough));
    moves
}

/// Whether a move wins the game immediately.
fn wins<R: Searchable>(game: &mut Game<R>, mv: R::Move) -> bool {
    let won = GameResult::Win(game.current().side());
    game.push(mv);
    let outcome = game.outcome();
    game.undo(1);
    outcome.is_some_and(|outcome| outcome.result == won)
}
