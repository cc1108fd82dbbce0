//! What a `go` allows a search.

use std::collections::HashSet;
use std::time::Duration;

use leap_core::notation::Notation;
use leap_core::{Game, Position, Side};
use leap_protocol::{ErrorCode, ErrorReply, Go};
use leap_search::{Clock, Limits, Searchable};

use crate::options::Settings;
use crate::refusal::illegal_move;

/// The limits that a `go` sets for the search of the position at the end of a game.
///
/// # Errors
/// If there is no clock of the side to move, but parts of one, or if a move of `searchmoves` is illegal.
pub fn of<R: Searchable + Notation>(
    go: &Go,
    game: &Game<R>,
    settings: &Settings,
) -> Result<Limits<R::Move>, ErrorReply> {
    Ok(Limits {
        // SPEC 5.3: 0 means 1.
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        soft_nodes: None,
        mate: go.mate.map(|mate| mate.max(1)),
        movetime: go.movetime.map(Duration::from_millis),
        clock: clock(go, game)?,
        infinite: go.infinite,
        ponder: go.ponder,
        searchmoves: searchmoves(game, go)?,
        multipv: settings.multipv,
        move_overhead: Duration::from_millis(settings.move_overhead_ms),
        strength: settings.strength,
        seed: settings.seed,
        contempt: settings.contempt,
        threads: settings.threads,
        #[cfg(feature = "tune")]
        tuning: None,
    })
}

/// The clock of the side to move (SPEC 5.4, 5.7).
fn clock<R: Searchable>(go: &Go, game: &Game<R>) -> Result<Option<Clock>, ErrorReply> {
    let [p1time, p2time, ..] = go.clocks.clock_words();
    let (own, increment, name) = match game.current().side() {
        Side::One => (go.p1time, go.p1inc, p1time),
        Side::Two => (go.p2time, go.p2inc, p2time),
    };
    let Some(time_left) = own else {
        let missing = |text| Err(ErrorReply::new(ErrorCode::MissingArgument, text));
        if go.p1time.is_some() || go.p2time.is_some() {
            let other = "the clock of the side to move, found only the other";
            return missing(format!("expected {name}, {other}"));
        }
        // SPEC 5.6a: parts of a clock are no limit.
        let has_parts = go.p1inc.is_some() || go.p2inc.is_some() || go.movestogo.is_some();
        if has_parts && go.is_unbounded() && !go.infinite {
            return missing(format!(
                "expected {name} or another limit, found only parts of a clock"
            ));
        }
        return Ok(None);
    };
    let moves_left = game.rules().time_plan(game.current()).moves_left;
    let duration = |ms: i64| Duration::from_millis(ms.try_into().unwrap_or(0));
    Ok(Some(Clock {
        time_left: duration(time_left),
        increment: duration(increment.unwrap_or(0)),
        moves_to_go: go.movestogo.filter(|moves| *moves > 0).unwrap_or(moves_left).min(moves_left),
    }))
}

fn searchmoves<R: Notation>(game: &Game<R>, go: &Go) -> Result<Option<Vec<R::Move>>, ErrorReply> {
    if go.searchmoves.is_empty() {
        return Ok(None);
    }
    let resolve = |(i, text): (usize, &String)| {
        game.parse_move(text).map_err(|illegal| illegal_move(R::GEOMETRY, i + 1, text, illegal))
    };
    let mut seen = HashSet::new();
    let mut moves: Vec<R::Move> =
        go.searchmoves.iter().enumerate().map(resolve).collect::<Result<_, _>>()?;
    // Duplicates, in whatever form, count once (SPEC 5.1).
    moves.retain(|mv| seen.insert(*mv));
    Ok(Some(moves))
}
