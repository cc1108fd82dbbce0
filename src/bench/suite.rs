//! `leapd bench --suite`: how many problems the search solves.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::ProgressBar;

use super::speed;
use crate::problems::{Problem, read};
use leap_search::Playable;

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

/// The lines about suites of problems, one for each game's id.
///
/// Lines that begin with `speed` differ from run to run, the others must not.
#[must_use]
pub fn lines(suites: &[(&str, Solved)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut total = Tally::default();
    for (id, Solved { tally, unsolved }) in suites {
        lines.push(line(id, tally));
        if !unsolved.is_empty() {
            lines.push(format!("{id} unsolved {}", unsolved.join(" ")));
        }
        lines.push(speed(id, tally.searched, tally.time));
        total += *tally;
    }
    lines.push(line("total", &total));
    lines.push(speed("total", total.searched, total.time));
    lines
}

/// The result of one game's problems.
#[derive(Debug)]
pub struct Solved {
    tally: Tally,
    /// The names of the unsolved problems.
    unsolved: Vec<String>,
}

fn line(what: &str, Tally { problems, solved, nodes, .. }: &Tally) -> String {
    format!("{what} solved {solved} of {problems} nodes {nodes}")
}

/// Searches the problems of a game, each with this many nodes, one thread and an empty table. `progress` counts them.
///
/// # Errors
/// The problems are malformed, or the table does not fit into memory.
pub fn solve<R: Playable>(nodes: u64, progress: &ProgressBar) -> Result<Solved> {
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
    Ok(Solved { tally, unsolved })
}

/// The built-in problems of a game.
///
/// # Errors
/// The file and the line at fault.
pub fn problems<R: Playable>(game: &R) -> Result<Vec<Problem<R>>> {
    read(game, &format!("games/{}/problems.txt", R::ID), R::PROBLEMS)
}
