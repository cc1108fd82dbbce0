//! `leapd bench --suite`: how many problems the search solves.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::ProgressBar;

use super::speed;
use crate::problems::{Problem, read};
use leap_games::for_each_game;
use leap_games::{GameId, Row};

/// The result of a suite.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    problems: usize,
    solved: usize,
    /// Nodes until each answer was right for good. An unsolved problem counts all its nodes.
    nodes: u64,
    searched: u64,
    time: Duration,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.problems += other.problems;
        self.solved += other.solved;
        self.nodes += other.nodes;
        self.searched += other.searched;
        self.time += other.time;
    }
}

/// Searches the problems of games, each with this many nodes, one thread and an empty table.
///
/// Lines that begin with `speed` differ from run to run, the others must not. `progress` counts the problems.
///
/// # Errors
/// A file of problems is malformed, or the table does not fit into memory.
pub fn run(games: &[GameId], nodes: u64, progress: &ProgressBar) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut total = Tally::default();
    for &game in games {
        macro_rules! solve {
            ($($id:ident $rules:ident $title:literal;)*) => {
                match game {
                    $(GameId::$rules => solve::<leap_games::$id::$rules>(nodes, progress)?,)*
                }
            };
        }
        let (tally, unsolved) = for_each_game!(solve);
        lines.push(line(game.into(), &tally));
        if !unsolved.is_empty() {
            lines.push(format!("{game} unsolved {}", unsolved.join(" ")));
        }
        lines.push(speed(game, tally.searched, tally.time));
        total += tally;
    }
    lines.push(line("total", &total));
    lines.push(speed("total", total.searched, total.time));
    Ok(lines)
}

fn line(what: &str, Tally { problems, solved, nodes, .. }: &Tally) -> String {
    format!("{what} solved {solved} of {problems} nodes {nodes}")
}

/// The result of one game's problems, and the names of the unsolved ones.
fn solve<R: Row>(nodes: u64, progress: &ProgressBar) -> Result<(Tally, Vec<String>)> {
    let game = R::default();
    let mut tally = Tally::default();
    let mut unsolved = Vec::new();
    let problems = problems(&game)?;
    progress.inc_length(problems.len() as u64);
    for problem in problems {
        let started = Instant::now();
        let attempt = problem.attempt(&game, nodes)?;
        tally += Tally {
            problems: 1,
            solved: usize::from(attempt.solved.is_some()),
            nodes: attempt.solved.unwrap_or(nodes),
            searched: attempt.nodes,
            time: started.elapsed(),
        };
        if attempt.solved.is_none() {
            unsolved.push(problem.id);
        }
        progress.inc(1);
    }
    Ok((tally, unsolved))
}

/// The built-in problems of a game.
///
/// # Errors
/// The file and the line at fault.
pub fn problems<R: Row>(game: &R) -> Result<Vec<Problem<R>>> {
    read(game, &format!("games/{}/problems.txt", R::ID), R::ID.problems())
}
