//! Candidates for openings and problems: positions made in large numbers, of which few are kept.
//!
//! The arguments alone decide what is made. Each candidate has a number, and draws its own random numbers from it.
//! Candidates are judged in the order of their numbers, whichever thread was first.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, unbounded};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use leap_core::{Game, RulesExt};
use leap_search::{
    Limits, Playable, STACK_BYTES, TranspositionTable, Value, players, search_quietly,
};

/// Moves that an opening must leave to choose from.
const ENOUGH_MOVES: usize = 3;
/// Size of each table. It influences the result.
pub(crate) const TABLE_MIB: usize = 4;

/// Makes numbered candidates until `choose` wants no more. `threads` is by default the number of processors.
///
/// # Errors
/// Threads cannot be started, or `choose` fails.
pub(crate) fn choose_among<T: Send, R>(
    threads: Option<NonZeroUsize>,
    make: impl Fn(u64) -> T + Sync,
    choose: impl FnOnce(&mut dyn Iterator<Item = T>) -> Result<R>,
) -> Result<R> {
    let threads = threads.map_or_else(thread::available_parallelism, Ok);
    let next = AtomicU64::new(0);
    let (send, receive) = unbounded();
    thread::scope(|scope| {
        for _ in 0..threads.map_or(1, usize::from) {
            let (send, next, make) = (send.clone(), &next, &make);
            let work = move || {
                // Once there are enough, nobody receives any more.
                let make_next = || {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    send.send((number, make(number)))
                };
                while make_next().is_ok() {}
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).context("cannot start a thread")?;
        }
        drop(send);
        choose(&mut in_order(receive))
    })
}

/// Returns numbered items in the order of their numbers. They may arrive in any order.
fn in_order<T>(items: Receiver<(u64, T)>) -> impl Iterator<Item = T> {
    let mut early = BTreeMap::new();
    (0..).map_while(move |number| {
        loop {
            if let Some(item) = early.remove(&number) {
                return Some(item);
            }
            let (found, item) = items.recv().ok()?;
            early.insert(found, item);
        }
    })
}

/// The random numbers of a candidate.
pub fn random(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// A game after random moves. Chance picks their number from a range. `None` if the game ends before.
pub fn begun<G: Playable>(
    rules: &G,
    plies: &RangeInclusive<u32>,
    random: &mut ChaCha8Rng,
) -> Option<Game<G>> {
    let rules = rules.clone().seeded(random.next_u64());
    begun_at(&rules, rules.start(), plies, random)
}

/// A game after random moves from a position. Chance picks their number from a range. `None` if the game ends before.
pub(crate) fn begun_at<G: Playable>(
    rules: &G,
    start: G::Position,
    plies: &RangeInclusive<u32>,
    random: &mut ChaCha8Rng,
) -> Option<Game<G>> {
    let (least, most) = (*plies.start(), *plies.end());
    let plies = least + (random.next_u64() % (u64::from(most - least) + 1)) as u32;
    let position = wander(rules, start, plies, random.next_u64())?;
    Some(Game::new(rules.clone(), position))
}

/// The position after this many random moves from a position; `None` if the game ends before.
pub(crate) fn wander<G: Playable>(
    rules: &G,
    start: G::Position,
    plies: u32,
    seed: u64,
) -> Option<G::Position> {
    let mut game = Game::new(rules.clone(), start);
    for _ in 0..plies {
        game.push(players::random_move(&game, seed)?);
    }
    Some(*game.current())
}

/// Whether the game is not over, has moves to choose from, and nobody is further ahead than `margin` centipawns.
///
/// # Errors
/// Memory is not available.
pub(crate) fn is_balanced<G: Playable>(game: &Game<G>, nodes: u64, margin: u32) -> Result<bool> {
    let moves = game.rules().first_moves(game.current(), ENOUGH_MOVES);
    if moves.len() < ENOUGH_MOVES || game.outcome().is_some() {
        return Ok(false);
    }
    let table = TranspositionTable::new(TABLE_MIB)?;
    let answer = search_quietly(game, &Limits::nodes(nodes), &table);
    let Value::Cp(ahead) = answer.score.value() else { return Ok(false) };
    Ok(ahead.unsigned_abs() <= margin)
}
