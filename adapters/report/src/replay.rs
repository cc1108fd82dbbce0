//! The games of a match as data for the viewer of the page.

use leap_match::events::{Move, Score};
use serde::Serialize;

use super::games::{Match, PlayedGame};

/// A game to step through.
#[derive(Debug, Serialize)]
pub(super) struct Replay<'a> {
    number: u64,
    p1: Player<'a>,
    p2: Player<'a>,
    result: &'static str,
    reason: String,
    moves: Vec<Ply<'a>>,
    /// One more than moves.
    positions: Vec<Position<'a>>,
}

#[derive(Debug, Serialize)]
struct Player<'a> {
    name: &'a str,
}

/// A move. One of the opening has neither a side nor a time.
#[derive(Debug, Serialize)]
struct Ply<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_us: Option<u64>,
}

/// A position, and what the search of its player has found.
#[derive(Debug, Serialize)]
struct Position<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

/// The games whose moves are kept.
pub(super) fn replays(found: &Match) -> impl Iterator<Item = Replay<'_>> {
    let kept = found.games.values().filter(|game| game.moves.is_some());
    kept.map(|game| replay(found, game))
}

fn replay<'a>(found: &'a Match, game: &'a PlayedGame) -> Replay<'a> {
    let player = |player| Player { name: found.name(player) };
    let side = |mv: &Move| format!("p{}", mv.side);
    let ply = |(mv, played): (&'a str, Option<&Move>)| Ply {
        mv,
        side: played.map(side),
        time_us: played.map(|played| played.time_us),
    };
    // After the last move nobody searches.
    let searches = game.plies().map(|(_, played)| played).chain([None]);
    let position = |(fen, played): (&'a Option<String>, Option<&Move>)| Position {
        fen: fen.as_deref(),
        turn: played.map(side),
        score: played.and_then(|played| played.score),
        depth: played.and_then(|played| played.depth),
    };
    Replay {
        number: game.start.game,
        p1: player(game.start.p1),
        p2: player(game.start.p2),
        result: game.end.result.as_str(),
        reason: game.end.why(),
        moves: game.plies().map(ply).collect(),
        positions: game.positions.iter().zip(searches).map(position).collect(),
    }
}
