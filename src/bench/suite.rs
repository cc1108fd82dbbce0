//! `leapd bench --suite`: how many problems the search solves.

use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::ProgressBar;

use super::speed;
use crate::problems::{Problem, read};
use leap_search::Playable;

/// The result of one game's problems, or of those of several games.
#[derive(Debug, Default)]
pub struct Solved {
    problems: usize,
    /// The names of the unsolved problems.
    unsolved: Vec<String>,
    /// Nodes until each answer was right for good. An unsolved problem counts all its nodes.
    nodes: u64,
    searched: u64,
    time: Duration,
}

impl Solved {
    fn line(&self, what: &str) -> String {
        let Self { problems, unsolved, nodes, .. } = self;
        format!("{what} solved {} of {problems} nodes {nodes}", problems - unsolved.len())
    }
}

/// The lines about suites of problems, one for each game's id.
///
/// Lines that begin with `speed` differ from run to run, the others must not.
#[must_use]
pub fn lines(suites: &[(&str, Solved)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut total = Solved::default();
    for (id, solved) in suites {
        lines.push(solved.line(id));
        if !solved.unsolved.is_empty() {
            lines.push(format!("{id} unsolved {}", solved.unsolved.join(" ")));
        }
        lines.push(speed(id, solved.searched, solved.time));
        total.problems += solved.problems;
        total.unsolved.extend_from_slice(&solved.unsolved);
        total.nodes += solved.nodes;
        total.searched += solved.searched;
        total.time += solved.time;
    }
    lines.push(total.line("total"));
    lines.push(speed("total", total.searched, total.time));
    lines
}

/// Searches the problems of a game, each with this many nodes, one thread and an empty table. `progress` counts them.
///
/// # Errors
/// The problems are malformed, or the table does not fit into memory.
pub fn solve<R: Playable>(nodes: u64, progress: &ProgressBar) -> Result<Solved> {
    let game = R::default();
    let problems = problems(&game)?;
    progress.inc_length(problems.len() as u64);
    let mut found = Solved { problems: problems.len(), ..Solved::default() };
    let started = Instant::now();
    for problem in problems {
        let attempt = problem.attempt(&game, nodes)?;
        found.nodes += attempt.solved.unwrap_or(nodes);
        found.searched += attempt.nodes;
        if attempt.solved.is_none() {
            found.unsolved.push(problem.id);
        }
        progress.inc(1);
    }
    found.time = started.elapsed();
    Ok(found)
}

/// The built-in problems of a game.
///
/// # Errors
/// The file and the line at fault.
pub fn problems<R: Playable>(game: &R) -> Result<Vec<Problem<R>>> {
    read(game, &format!("games/{}/problems.txt", R::ID), R::PROBLEMS)
}
