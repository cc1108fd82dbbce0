//! `leapd bench`: fixed positions of every game (start, middle and end), searched to fixed depths with one thread and
//! an empty table.
//!
//! The node counts are a signature of rules, evaluation and search together: they change if and only if behaviour does.
//! `tests/bench.txt` holds the committed ones. Together they take about a second: OpenBench runs them before each
//! workload, on all cores.

pub mod suite;

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use leap_protocol::{Go, Reply, Start};

use leap_engine::{AnyGame, Engines};
use leap_search::{BenchPosition, Control, TranspositionTable};

/// Size of the table; part of the signature.
const TABLE_MIB: usize = 16;

/// Searches every position. Lines that begin with `speed` differ from run to run, the others must not.
///
/// # Errors
/// A position of the bench is refused, or the table does not fit into memory.
pub fn run<G: AsRef<AnyGame>>(games: &[G]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let (mut total_nodes, mut total_time) = (0, Duration::ZERO);
    for game in games.iter().map(AsRef::as_ref) {
        let id = game.id;
        let (mut game_nodes, mut game_time) = (0, Duration::ZERO);
        for (i, &BenchPosition { text, depth }) in game.bench.iter().enumerate() {
            let started = Instant::now();
            let (nodes, best) = search(game, text, depth)?;
            game_time += started.elapsed();
            game_nodes += nodes;
            lines.push(format!("{id} {} depth {depth} nodes {nodes} bestmove {best}", i + 1));
        }
        lines.push(speed(id, game_nodes, game_time));
        total_nodes += game_nodes;
        total_time += game_time;
    }
    lines.extend(total(total_nodes, total_time));
    Ok(lines)
}

/// The speed of a game's searches. OpenBench would take a number before `nps` for the speed.
fn speed(what: impl Display, nodes: u64, time: Duration) -> String {
    let nps = nodes as f64 / time.as_secs_f64();
    format!("speed {what} nps {nps:.0} time {}", time.as_millis())
}

fn total(nodes: u64, time: Duration) -> [String; 2] {
    [format!("total nodes {nodes}"), speed("total", nodes, time)]
}

/// The nodes searched and the move found.
fn search(game: &AnyGame, text: Option<&str>, depth: u32) -> Result<(u64, String)> {
    let mut engines = Engines::new([game]);
    let game = game.id;
    if let Some(text) = text {
        let start = Start::Fen(text.to_owned());
        engines.engine_mut().set_up(&start, &[]).map_err(|error| anyhow!("{game}: {error}"))?;
    }
    let go = Go { depth: Some(depth), ..Go::default() };
    let table = Arc::new(TranspositionTable::new(TABLE_MIB)?);
    let job = engines.engine().search(&go, &engines.settings, table, Arc::default());
    let job = job.map_err(|error| anyhow!("{game}: {error}"))?;
    let mut nodes = 0;
    let answer = job(&Control::new(), &mut |reply| {
        if let Reply::Info(info) = reply {
            nodes = info.nodes.unwrap_or(nodes);
        }
    });
    let Reply::BestMove { mv, .. } = answer else { return Err(anyhow!("{game}: {answer}")) };
    Ok((nodes, mv.context("the game is over")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// OpenBench reads backwards, and takes the first number before or after a word.
    #[test]
    fn the_last_lines_tell_openbench_the_nodes_and_the_speed() {
        let lines = total(12_345_678, Duration::from_millis(3_000));
        let found = |word: &str| {
            let pattern = Regex::new(&format!(r"(?i)(\d+)\s+{word}|{word}\s+(\d+)")).unwrap();
            let captures = lines.iter().rev().find_map(|line| pattern.captures(line)).unwrap();
            captures.iter().flatten().last().unwrap().as_str().parse::<u64>().unwrap()
        };
        assert_eq!((found("nodes"), found("nps")), (12_345_678, 4_115_226));
    }
}
