//! Whole games: status, position texts, moves forward and back.

use leap_protocol::ErrorCode;
use leap_protocol::payload::{GameResult, MoveList, Side, Status, YesNo};

use super::{Walk, along, along_a_whole_game, step};
use crate::check::context::Context;
use crate::check::engine::{CheckedEngine, quoted};
use crate::check::outcome::{StepResult, ensure};
use crate::check::step::Step;

/// Plies of random games that are not played to the end.
const PLIES: usize = 16;

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("4.11", "fen-round-trip", fen).needs(&["fen"]),
        step("4.18", "status-pairs", status_pairs).needs(&["status"]),
        step("4.18", "status-agrees-along-a-game", status_agrees).needs(&["status", "moves"]),
        step("3.24", "move-agrees-with-position", move_agrees).needs(&["move", "moves", "fen"]),
        step("3.24", "move-is-all-or-nothing", move_atomic).needs(&["move", "moves", "fen"]),
        step("3.25", "undo-agrees-with-position", undo_agrees).needs(&["undo", "moves", "fen"]),
        step("4.29", "history", history).needs(&["history", "moves"]),
    ]
}

fn fen(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    if !ctx.has("moves") {
        engine.silent("position startpos")?;
        return round_trip(&mut engine).map(drop);
    }
    along(&mut engine, 21, PLIES, |engine, walk, list| {
        let fen = round_trip(engine)?;
        let again: MoveList = engine.ask_for("moves")?;
        let expected = format!("the same moves after 'position fen {fen}': {list}");
        ensure(again == *list || list.more, expected, again.to_string())?;
        engine.send(&Context::position(&walk.moves))
    })
}

fn round_trip(engine: &mut CheckedEngine<'_>) -> StepResult<String> {
    let fen = engine.ask("fen")?;
    engine.silent(&format!("position fen {fen}"))?;
    let again = engine.ask("fen")?;
    ensure(fen == again, &*fen, again)?;
    Ok(fen)
}

fn status_pairs(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let body = engine.ask("status")?;
    let keys: Vec<&str> = body.split(' ').step_by(2).collect();
    let wanted = ["over", "result", "reason", "turn", "ply", "quiet", "repetitions"];
    let right = keys.starts_with(&wanted) && body.split(' ').count() == keys.len() * 2;
    ensure(right, format!("pairs that begin with {}", wanted.join(" ")), quoted(&body))
}

/// The words for endings (SPEC 4.18).
pub(super) const REASONS: &[&str] =
    &["no-moves", "count", "repetition", "quiet-limit", "max-plies"];

fn status_agrees(ctx: &Context<'_>) -> StepResult {
    along_a_whole_game(&mut ctx.set_up()?, 22, |engine, _, list| {
        let status: Status = engine.ask_for("status")?;
        agrees(engine, &status, list.moves.is_empty())
    })
}

fn agrees(engine: &mut CheckedEngine<'_>, status: &Status, no_moves: bool) -> StepResult {
    let same = |holds: bool, other: String| {
        ensure(holds, format!("the same as 'query status': {status}"), other)
    };
    let over: YesNo = engine.ask_for("gameover")?;
    same(over.0 == status.over, format!("gameover {over}"))?;
    let result: GameResult = engine.ask_for("result")?;
    same(result == status.result, format!("result {result}"))?;
    let p1: YesNo = engine.ask_for("p1turn")?;
    same(p1.0 == (status.turn == Side::P1), format!("p1turn {p1}"))?;
    same(no_moves == status.over, format!("moves: {}", if no_moves { "none" } else { "some" }))?;
    same((result == GameResult::None) != status.over, format!("result {result}"))?;
    let reasons: &[&str] = if status.over { REASONS } else { &["none"] };
    let reason = format!("a reason of {}", reasons.join("|"));
    ensure(reasons.contains(&status.reason.as_str()), reason, &*status.reason)?;
    if engine.ctx.has("fen") {
        let fen = engine.ask("fen")?;
        let (turn, ply, quiet) = (status.turn.to_string(), status.ply, status.quiet);
        let fields: Vec<&str> = fen.split(' ').collect();
        let right = matches!(fields.as_slice(), [_, side, _, q, p]
            if turn.ends_with(side) && *q == quiet.to_string() && *p == ply.to_string());
        same(right, format!("fen {fen}"))?;
    }
    Ok(())
}

/// Everything that the engine reports about the current position.
fn picture(engine: &mut CheckedEngine<'_>) -> StepResult<String> {
    let mut picture = engine.ask("fen")?;
    for question in ["status", "history"] {
        if engine.ctx.has(question) {
            picture = format!("{picture} | {question} {}", engine.ask(question)?);
        }
    }
    Ok(picture)
}

/// A random line of play of at most this many plies.
fn line(engine: &mut CheckedEngine<'_>, seed: u64, plies: usize) -> StepResult<Vec<String>> {
    let mut walk = Walk::new(seed);
    for _ in 0..plies {
        let list = walk.list(engine)?;
        if !walk.advance(&list) {
            break;
        }
    }
    Ok(walk.moves)
}

fn move_agrees(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let moves = line(&mut engine, 23, PLIES)?;
    let (first, rest) = moves.split_at(moves.len() / 2);
    engine.silent("position startpos")?;
    for mv in first {
        engine.silent(&format!("move {mv}"))?;
    }
    engine.silent(&format!("move {}", rest.join(" ")))?;
    let stepped = picture(&mut engine)?;
    engine.silent(&Context::position(&moves))?;
    let whole = picture(&mut engine)?;
    ensure(stepped == whole, format!("as by 'position': {whole}"), stepped)
}

fn move_atomic(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let moves = line(&mut engine, 24, 3)?;
    engine.silent("position startpos")?;
    let before = picture(&mut engine)?;
    let command = format!("move {} z99", moves.join(" "));
    let error = engine.refused(&command, &[ErrorCode::IllegalMove])?;
    let index = (moves.len() + 1).to_string();
    ensure(error.field("index") == Some(&*index), format!("'index {index}'"), error.to_string())?;
    let after = picture(&mut engine)?;
    ensure(before == after, format!("none of the moves made: {before}"), after)
}

fn undo_agrees(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let moves = line(&mut engine, 25, PLIES)?;
    for back in [1, 2, moves.len() / 2, moves.len()] {
        let Some(left) = moves.len().checked_sub(back).filter(|_| back > 0) else { continue };
        engine.silent(&Context::position(&moves))?;
        engine.silent(&if back == 1 { "undo".to_owned() } else { format!("undo {back}") })?;
        let undone = picture(&mut engine)?;
        engine.silent(&Context::position(&moves[..left]))?;
        let direct = picture(&mut engine)?;
        ensure(undone == direct, format!("as by 'position': {direct}"), undone)?;
    }
    engine.silent(&Context::position(&moves))?;
    let before = picture(&mut engine)?;
    let command = format!("undo {}", moves.len() + 1);
    engine.refused(&command, &[ErrorCode::NothingToUndo])?;
    let after = picture(&mut engine)?;
    ensure(before == after, format!("nothing taken back: {before}"), after)?;
    engine.refused("undo 0", &[ErrorCode::OutOfRange, ErrorCode::BadArgument])?;
    engine.refused("undo some", &[ErrorCode::BadArgument]).map(drop)
}

fn history(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let moves = line(&mut engine, 26, PLIES)?;
    engine.silent(&Context::position(&moves))?;
    let found: MoveList = engine.ask_for("history")?;
    let expected = MoveList { moves, more: false };
    ensure(found == expected, expected.to_string(), found.to_string())
}
