//! `leapd bench`: fixed positions of every game (start, middle and end), searched to fixed depths with one thread and
//! an empty table.
//!
//! The node counts are a signature of rules, evaluation and search together: they change if and only if behaviour does.
//! `tests/bench.txt` holds the committed ones.

pub mod suite;

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use leap_protocol::{Go, Reply, Start};

use leap_engine::SearchRequest;
use leap_engine::options::Settings;
use leap_games::{BenchPosition, GameId};
use leap_search::{Control, Table};

/// Size of the table; part of the signature.
const TABLE_MIB: usize = 16;

/// Searches every position. Lines that begin with `speed` differ from run to run, the others must not.
///
/// # Errors
/// A position of the bench is refused, or the table does not fit into memory.
pub fn run() -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let (mut total_nodes, mut total_time) = (0, Duration::ZERO);
    for &game in GameId::ALL {
        let (mut game_nodes, mut game_time) = (0, Duration::ZERO);
        for (i, &BenchPosition { text, depth }) in game.bench().iter().enumerate() {
            let started = Instant::now();
            let (nodes, best) = search(game, text, depth)?;
            game_time += started.elapsed();
            game_nodes += nodes;
            lines.push(format!("{game} {} depth {depth} nodes {nodes} bestmove {best}", i + 1));
        }
        lines.push(speed(game, game_nodes, game_time));
        total_nodes += game_nodes;
        total_time += game_time;
    }
    lines.push(format!("total nodes {total_nodes}"));
    lines.push(speed("total", total_nodes, total_time));
    Ok(lines)
}

fn speed(what: impl Display, nodes: u64, time: Duration) -> String {
    let nps = nodes as f64 / time.as_secs_f64();
    format!("speed {what} time {} nps {nps:.0}", time.as_millis())
}

/// The nodes searched and the move found.
fn search(game: GameId, text: Option<&str>, depth: u32) -> Result<(u64, String)> {
    let settings = Settings { game, ..Settings::default() };
    let mut engine = leap_engine::new(&settings);
    if let Some(text) = text {
        let start = Start::Fen(text.to_owned());
        engine.set_up(&start, &[]).map_err(|error| anyhow!("{game}: {error}"))?;
    }
    let request = SearchRequest {
        go: &Go { depth: Some(depth), ..Go::default() },
        settings: &settings,
        table: Arc::new(Table::new(TABLE_MIB)?),
        lag: Arc::default(),
    };
    let job = engine.search(request).map_err(|error| anyhow!("{game}: {error}"))?;
    let mut nodes = 0;
    let answer = job(&Control::new(), &mut |reply| {
        if let Reply::Info(info) = reply {
            nodes = info.nodes.unwrap_or(nodes);
        }
    });
    let Reply::BestMove { mv, .. } = answer else { return Err(anyhow!("{game}: {answer}")) };
    Ok((nodes, mv.context("the game is over")?))
}
