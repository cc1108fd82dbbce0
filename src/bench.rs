//! `leapd bench`: fixed positions of every game, searched to fixed depths with one thread and an empty table.
//!
//! The node counts are a signature of rules, evaluation and search together: they move when, and only when, behaviour
//! does. `tests/bench.txt` holds the committed ones.

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use leap_protocol::{Go, Reply, Start};

use crate::engine::{self, SearchRequest};
use crate::games::GameId;
use crate::options::Settings;
use crate::search::{Control, Table};

/// A position to search: the game, its text (the start position if `None`) and the depth in plies.
type Position = (GameId, Option<&'static str>, u32);

/// Start, middle and end of each game; the middles and ends are from `tests/perft/`.
const POSITIONS: [Position; 15] = [
    (GameId::Alquerque, None, 13),
    (GameId::Alquerque, Some("mm1mM/2m1m/mM3/2MMM/mM1MM 2 - 5 29"), 9),
    (GameId::Alquerque, Some("5/2m2/5/1m3/2M1M 1 - 0 52"), 12),
    (GameId::Eximo, None, 7),
    (GameId::Eximo, Some("1m1m1m2/2m2m2/1m1mm3/1m4M1/m4MM1/6MM/1MM5/1M3M2 2 - 2 41"), 7),
    (GameId::Eximo, Some("3m4/m6M/m7/1m6/1m6/1M1M2M1/1M2MM2/2MM4 2 - 2 63"), 8),
    (GameId::Sapos, None, 5),
    (GameId::Sapos, Some("3m4/1mmm1mmm/2mmmm2/4mmM1/6MM/3MM1MM/3MMM2/4M1M1 1 1 17 17"), 5),
    (GameId::Sapos, Some("m1m1mmmm/mM4M1/mm1m2MM/m1mm1MM1/3m1MMM/5M2/2m3MM/3M1M1M 1 1 3 51"), 5),
    (GameId::Froglet, None, 5),
    (
        GameId::Froglet,
        Some(
            "YYG1Y2GGRGG/R1G7GY/B5GB3Y/3Y7G/10GG/GYGG2GG3Y/YYY4R1YGG/RRRG3Y2GG/RYRGRBGGY2G/GYYYGGYRYYGY/YYGGGGBYYGGY/GYGGGGRGGYGG 1 45-58 0 38",
        ),
        5,
    ),
    (
        GameId::Froglet,
        Some(
            "GRYGGGGRRGYG/GGR4YYYGY/YYG1Y3G2Y/YYRG3G2BR/RGG9/GGG1YY2Y3/YRRGGG3B2/RGR1GG6/YY3BG2G2/YYYY1G5Y/GGYY3Y3R/YGYGRGGR1G2 1 48-61 0 46",
        ),
        5,
    ),
    (GameId::Tactica, None, 5),
    (GameId::Tactica, Some("c1s3c1/3h4/C2Cc2h/8/2S5/c3S3/4C3/1H3s~HC 1 - 13 24"), 5),
    (GameId::Tactica, Some("1h4c1/2s~2S~S~1/8/2c~5/8/c2C4/Hc~h~CC2H/1C3s~2 2 - 4 55"), 6),
];

/// Size of the table; part of the signature.
const TABLE_MIB: usize = 16;

/// Searches every position. The lines that begin with `speed` differ from run to run, the others must not.
///
/// # Errors
/// A position of the bench is refused, or the table does not fit into memory.
pub fn run() -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let (mut total_nodes, mut total_time) = (0, Duration::ZERO);
    for &game in GameId::ALL {
        let (mut game_nodes, mut game_time) = (0, Duration::ZERO);
        for (i, (_, text, depth)) in POSITIONS.iter().filter(|(id, ..)| *id == game).enumerate() {
            let started = Instant::now();
            let (nodes, best) = search(game, *text, *depth)?;
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
    let mut engine = engine::new(&settings);
    if let Some(text) = text {
        let start = Start::Fen(text.to_owned());
        engine.set_up(&start, &[]).map_err(|error| anyhow!("{game}: {error}"))?;
    }
    let request = SearchRequest {
        go: &Go { depth: Some(depth), ..Go::default() },
        settings: &settings,
        table: Arc::new(Table::new(TABLE_MIB)?),
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
