//! Level *extensions*: what the engine announces beyond UGI. Most steps follow random games in every game that the
//! engine plays and compare the engine's answers only with each other.

mod entry;
mod game;
mod guide;
mod listing;
mod problems;
mod turn;
mod value;
mod words;

use std::time::{Duration, Instant};

use leap_protocol::payload::MoveList;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::context::Context;
use super::engine::CheckedEngine;
use super::outcome::StepResult;
use super::step::Step;

/// Plies after which even a long game is abandoned.
const WHOLE_GAME: usize = 450;
/// Time after which it is abandoned.
const WHOLE_GAME_TIME: Duration = Duration::from_secs(20);

pub(super) fn steps() -> Vec<Step> {
    let steps = [
        words::steps(),
        guide::steps(),
        listing::steps(),
        entry::steps(),
        turn::steps(),
        game::steps(),
        problems::steps(),
        value::steps(),
    ];
    steps.into_iter().flatten().collect()
}

/// A step that runs in every game.
fn step(clause: &'static str, name: &'static str, run: fn(&Context<'_>) -> StepResult) -> Step {
    super::step::step(clause, name, run).each_game()
}

/// A random game, the same in every run.
pub(super) struct Walk {
    rng: ChaCha8Rng,
    moves: Vec<String>,
}

impl Walk {
    fn new(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), moves: Vec::new() }
    }

    fn below(&mut self, n: usize) -> usize {
        below(&mut self.rng, n)
    }

    /// The number of moves played.
    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn played(&self) -> &[String] {
        &self.moves
    }

    /// Sets up the current position and lists its moves.
    fn list(&self, engine: &mut CheckedEngine<'_>) -> StepResult<MoveList> {
        engine.send(&Context::position(&self.moves))?;
        engine.ask_for("moves")
    }

    /// Plays one of the listed moves; `false` if there is none.
    fn advance(&mut self, list: &MoveList) -> bool {
        if list.moves.is_empty() {
            return false;
        }
        let index = self.below(list.moves.len());
        self.moves.push(list.moves[index].clone());
        true
    }

    /// Up to `count` of the moves, chosen at random, in listing order.
    pub(super) fn sample<'m>(&mut self, list: &'m MoveList, count: usize) -> Vec<&'m String> {
        let mut chosen: Vec<&String> = list.moves.iter().collect();
        while chosen.len() > count {
            let index = self.below(chosen.len());
            chosen.remove(index);
        }
        chosen
    }
}

/// A number from 0 to `n - 1`.
fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    rng.next_u32() as usize % n.max(1)
}

/// Visits the positions of a random game of this many plies, including the first.
pub(super) fn along(
    engine: &mut CheckedEngine<'_>,
    seed: u64,
    plies: usize,
    visit: impl FnMut(&mut CheckedEngine<'_>, &mut Walk, &MoveList) -> StepResult,
) -> StepResult {
    along_within(engine, seed, (plies, Duration::MAX), visit)
}

/// Visits the positions of a random game up to its end, unless it is too long.
fn along_a_whole_game(
    engine: &mut CheckedEngine<'_>,
    seed: u64,
    visit: impl FnMut(&mut CheckedEngine<'_>, &mut Walk, &MoveList) -> StepResult,
) -> StepResult {
    along_within(engine, seed, (WHOLE_GAME, WHOLE_GAME_TIME), visit)
}

fn along_within(
    engine: &mut CheckedEngine<'_>,
    seed: u64,
    (plies, time): (usize, Duration),
    mut visit: impl FnMut(&mut CheckedEngine<'_>, &mut Walk, &MoveList) -> StepResult,
) -> StepResult {
    let (begun, mut walk) = (Instant::now(), Walk::new(seed));
    for _ in 0..plies {
        let list = walk.list(engine)?;
        visit(engine, &mut walk, &list)?;
        if !walk.advance(&list) || begun.elapsed() > time {
            break;
        }
    }
    Ok(())
}
