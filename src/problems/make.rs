//! `leapd problems`: positions from games of the engine against itself at few nodes, solved by exhaustion.
//!
//! A problem has few right answers. It is one of these:
//!
//! - a win that takes some plies and begins with one move only
//! - a position where one move alone does not lose
//! - in a game played for points, the best end
//!
//! The answer is never the one move that gains most immediately, and a short search does not find it.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use anyhow::{Context, Result, anyhow};
use indicatif::ProgressBar;
use rand_chacha::rand_core::Rng;

use super::solve::{Solver, Unsolved, exact_plies};
use super::{Problem, TABLE_MIB};
use crate::candidates::{choose_among, random, wander};
use crate::usage::positive;
use leap_core::symmetry::identity;
use leap_core::{Game, Position, Rules, RulesExt};
use leap_protocol::payload::Proof;
use leap_search::{Limits, Playable, TranspositionTable, search_quietly};

/// Moves that a problem must leave to choose from.
const ENOUGH_MOVES: usize = 4;
/// A forced end of this many plies is too short for a problem.
const SHORT: u32 = 3;

/// What problems are wanted
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// How many problems
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = positive::<usize>())]
    pub count: usize,
    /// Games to look through at most
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = positive::<u64>())]
    pub games: u64,
    /// Plies to the end of the game: 1 to 7, or 1 to 6 where repetition is forbidden. Not for games played for points
    /// [default: depends on the game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=7))]
    pub plies: Option<u32>,
    /// Positions that may be looked at to solve those of a game, the last first
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = positive::<u64>())]
    pub positions: u64,
    /// Nodes of each move of the games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = positive::<u64>())]
    pub game_nodes: u64,
    /// Leaves out what a search of so many nodes solves; 0 leaves out nothing [default: depends on the game]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads, on which the problems do not depend [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// Makes problems of a game under its default rules; counts them on `progress`.
///
/// # Errors
/// Memory or threads are not available.
pub fn make<R: Playable>(wanted: &Arguments, progress: &ProgressBar) -> Result<Made> {
    Maker::<R>::new(wanted).make(progress)
}

/// Problems that were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// How they were made, then a line for each.
    pub lines: Vec<String>,
    /// If there are fewer than wanted: how many, what was tried, and what to change.
    pub shortfall: Option<String>,
}

/// What is proved, and of which moves.
type Solution<R> = (Proof, Vec<<R as Rules>::Move>);

/// Makes the problems of one game.
struct Maker<'a, R> {
    game: R,
    plies: u32,
    nodes: u64,
    wanted: &'a Arguments,
}

impl<'a, R: Playable> Maker<'a, R> {
    fn new(wanted: &'a Arguments) -> Self {
        let game = R::default();
        let plies = wanted.plies.unwrap_or(R::PROBLEM_PLIES).min(exact_plies(&game));
        Self { game, plies, nodes: wanted.nodes.unwrap_or(R::PROBLEM_NODES), wanted }
    }

    fn make(&self, progress: &ProgressBar) -> Result<Made> {
        let Self { game, plies, nodes, wanted } = self;
        let Arguments { count, games, positions, game_nodes, seed, threads, .. } = wanted;
        let make = |number| self.candidates(number);
        let found = choose_among(*threads, make, |candidates| {
            let (mut seen, mut found) = (HashSet::new(), Vec::new());
            for (problems, tried) in candidates.zip(1..=*games) {
                let is_new = |problem: &Problem<R>| seen.insert(identity(game, &problem.position));
                found.extend(problems?.into_iter().filter(is_new));
                progress.set_position(found.len() as u64);
                progress.set_message(format!(" in {tried} of {games} games"));
                if found.len() >= *count {
                    break;
                }
            }
            found.truncate(*count);
            Ok(found)
        })?;
        let tried = format!(
            "--games {games} --plies {plies} --positions {positions} --game-nodes {game_nodes} --nodes {nodes} --seed {seed}"
        );
        let head = format!("# leapd problems {} --count {count} {tried}", R::ID);
        let number = found.len();
        let shortfall = (number < *count).then(|| {
            format!(
                "found {number} of {count} problems with {tried}; more --games or --positions, fewer --plies or --nodes \
                 may help"
            )
        });
        let lines = found.into_iter().enumerate().map(|(index, problem)| {
            Problem { id: format!("{}.{}", R::ID, index + 1), ..problem }.line(game)
        });
        Ok(Made { lines: std::iter::once(head).chain(lines).collect(), shortfall })
    }

    /// The problems in the game with this number, as far back from its end as the solver comes.
    fn candidates(&self, number: u64) -> Result<Vec<Problem<R>>> {
        let mut random = random(self.wanted.seed, number);
        let game = self.game.clone().seeded(random.next_u64());
        let Some(start) = wander(&game, game.start(), *R::OPENING_PLIES.end(), random.next_u64())
        else {
            return Ok(Vec::new());
        };
        let game = self.play_out(Game::new(game, start))?;
        let mut solver = Solver::new(&self.game, self.wanted.positions);
        let mut problems = Vec::new();
        for position in game.positions().iter().rev() {
            let position = self.near_the_end(position)?;
            if self.game.outcome(&position).is_some() {
                continue;
            }
            let Ok(solved) = self.solve(&mut solver, &position) else { break };
            let Some((proof, best)) = solved else { continue };
            let problem = Problem { id: String::new(), position, proof, best };
            if self.is_hard(&problem)? {
                problems.push(problem);
            }
        }
        Ok(problems)
    }

    /// The position, set so late that a limit of the rules ends the game within the solved plies. Every move then has
    /// an exact result. A game played for points ends by itself.
    fn near_the_end(&self, position: &R::Position) -> Result<R::Position> {
        if R::BY_MARGIN {
            return Ok(*position);
        }
        let mut parts = self.game.to_setup(position);
        let mut rules = R::default();
        let last = rules.max_plies().context("a game with option MaxPlies was expected")?;
        parts.counters.ply = *last - self.plies;
        let late = self.game.from_setup(&parts);
        late.map_err(|refusal| anyhow!("{}, late in the game: {refusal:?}", R::ID))
    }

    fn play_out(&self, mut game: Game<R>) -> Result<Game<R>> {
        let table = TranspositionTable::new(TABLE_MIB)?;
        while game.outcome().is_none() {
            table.new_search();
            let limits = Limits::nodes(self.wanted.game_nodes);
            let answer = search_quietly(&game, &limits, &table);
            game.push(answer.best.context("the search found no move")?);
        }
        Ok(game)
    }

    /// What makes the position a problem, and the answers.
    fn solve(
        &self,
        solver: &mut Solver<'_, R>,
        position: &R::Position,
    ) -> Result<Option<Solution<R>>, Unsolved> {
        if R::BY_MARGIN {
            let margins = solver.margins(position)?;
            let Some(most) = margins.iter().map(|(_, margin)| *margin).max() else {
                return Ok(None);
            };
            let best = margins.iter().filter(|(_, margin)| *margin == most).map(|(mv, _)| *mv);
            let best: Vec<_> = best.collect();
            let few = margins.len() >= ENOUGH_MOVES * best.len();
            return Ok(few.then_some((Proof::Margin(most), best)));
        }
        let (rest, side) = (self.plies - 1, position.side());
        let children = solver.children(position)?;
        if children.len() < ENOUGH_MOVES || solver.wins(side, position, SHORT)? {
            return Ok(None);
        }
        let wins = few(&children, |child| solver.wins(side, child, rest))?;
        match wins[..] {
            [] => {}
            [(mv, child)] => {
                let length = solver.length(side, &child, rest)?.unwrap_or(rest);
                return Ok(Some((Proof::Win(length + 1), vec![mv])));
            }
            _ => return Ok(None),
        }
        let holds = few(&children, |child| Ok(!solver.wins(side.other(), child, rest)?))?;
        let [(mv, _)] = holds[..] else { return Ok(None) };
        // The problem is to see why the others lose.
        let traps = few(&children, |child| Ok(!solver.wins(side.other(), child, SHORT)?))?;
        Ok((traps.len() > 1).then(|| (Proof::Hold(self.plies), vec![mv])))
    }

    /// Whether the answer is hidden: neither the immediate gain of a move nor a short search shows it.
    fn is_hard(&self, problem: &Problem<R>) -> Result<bool> {
        let (game, position) = (&self.game, &problem.position);
        let moves = game.legal_moves(position);
        let gain = |mv: &R::Move| game.gain(position, *mv);
        let right = problem.best.iter().map(gain).max();
        let wrong = moves.iter().filter(|mv| !problem.best.contains(mv)).map(gain).max();
        if right > wrong {
            return Ok(false);
        }
        Ok(self.nodes == 0 || problem.attempt(game, self.nodes)?.solved.is_none())
    }
}

/// The moves that pass `test`, two at most.
fn few<M: Copy, P: Copy>(
    children: &[(M, P)],
    mut test: impl FnMut(&P) -> Result<bool, Unsolved>,
) -> Result<Vec<(M, P)>, Unsolved> {
    let mut few = Vec::new();
    for (mv, child) in children {
        if few.len() < 2 && test(child)? {
            few.push((*mv, *child));
        }
    }
    Ok(few)
}
