//! Moves entered square by square, and their effects on the board.

use leap_client::notation::{Placement, tokens};
use leap_protocol::ErrorCode;
use leap_protocol::payload::{Effect, Effects, MoveList, Status, Tally, Tokens};

use super::{Walk, along, step};
use crate::check::context::Context;
use crate::check::engine::{CheckedEngine, quoted};
use crate::check::outcome::{StepResult, ensure, fail};
use crate::check::step::Step;

/// Plies of the random games.
const PLIES: usize = 16;
/// Moves tried in each position.
const MOVES: usize = 12;

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("4.24", "next-origins-are-those-of-moves", next_origins).needs(&["next", "moves"]),
        step("4.25", "next-leads-to-every-move", next_leads_to_moves).needs(&["next", "moves"]),
        step("4.25", "next-leads-to-moves-only", next_leads_nowhere_else).needs(&["next", "moves"]),
        step("4.27", "next-refuses-what-begins-no-move", next_refuses).needs(&["next"]),
        step("4.28", "effects-give-the-next-position", effects).needs(&["effects", "moves", "fen"]),
        step("4.28", "effects-refuse-what-is-no-move", |ctx| {
            let mut engine = ctx.set_up()?;
            engine.refused("query effects a1a1", &[ErrorCode::IllegalMove]).map(drop)
        })
        .needs(&["effects"]),
    ]
}

fn next_origins(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 11, PLIES, |engine, _, list| {
        let Tokens(found) = engine.ask_for("next")?;
        let mut wanted: Vec<&str> =
            list.moves.iter().filter_map(|mv| Some(*tokens(mv)?.first()?)).collect();
        wanted.dedup();
        // A truncated list need not contain every move.
        let right =
            found == wanted || list.more && wanted.iter().all(|w| found.iter().any(|f| f == w));
        ensure(right, format!("the origins of the moves: {}", wanted.join(" ")), found.join(" "))
    })
}

fn next(engine: &mut CheckedEngine<'_>, partial: &str) -> StepResult<Tokens> {
    engine.ask_for(format!("next {partial}").trim_end())
}

fn next_leads_to_moves(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 12, PLIES, |engine, walk, list| {
        for mv in walk.sample(list, MOVES) {
            let Some(parts) = tokens(mv) else { return fail("a move text", quoted(mv)) };
            let mut partial = String::new();
            for part in parts.into_iter().chain([Tokens::END]) {
                let Tokens(offered) = next(engine, &partial)?;
                let expected = format!("'{part}' after '{partial}', towards the move {mv}");
                ensure(offered.iter().any(|token| token == part), expected, offered.join(" "))?;
                partial.push_str(part);
            }
        }
        Ok(())
    })
}

/// Tokens after which a cyclic route is ended as soon as possible.
const LONG: usize = 40;
/// Tokens after which the search for an end is given up.
const TOO_LONG: usize = 400;

fn next_leads_nowhere_else(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 13, PLIES, |engine, walk, list| {
        if list.moves.is_empty() {
            return Ok(());
        }
        for _ in 0..MOVES {
            let text = enter(engine, walk)?;
            is_move(engine, walk, list, &text)?;
        }
        Ok(())
    })
}

/// Enters a move by tokens chosen at random.
fn enter(engine: &mut CheckedEngine<'_>, walk: &mut Walk) -> StepResult<String> {
    let mut partial = String::new();
    for count in 0..TOO_LONG {
        let tokens = next(engine, &partial)?;
        let expected = format!("something that may follow '{partial}'");
        ensure(!tokens.0.is_empty(), expected, "nothing")?;
        if tokens.may_end() && (count > LONG || walk.below(2) == 0 || tokens.0.len() == 1) {
            return Ok(partial);
        }
        let others: Vec<&String> =
            tokens.0.iter().filter(|token| token.as_str() != Tokens::END).collect();
        partial.push_str(others[walk.below(others.len())]);
    }
    fail("a move that can be ended", partial)
}

/// Expects the entered text to be legal and its canonical text to be one of the listed moves.
fn is_move(engine: &mut CheckedEngine<'_>, walk: &Walk, list: &MoveList, text: &str) -> StepResult {
    if engine.ctx.has("legal") {
        let body = engine.ask(&format!("legal {text}"))?;
        ensure(
            body == "true",
            format!("'{text}', entered by 'query next', to be legal"),
            quoted(&body),
        )?;
    }
    let mut line = walk.moves.clone();
    line.push(text.to_owned());
    engine.silent(&Context::position(&line))?;
    if engine.ctx.has("history") && !list.more {
        let MoveList { moves, .. } = engine.ask_for("history")?;
        let canonical = moves.last();
        let listed = canonical.is_some_and(|mv| list.moves.contains(mv));
        let expected = format!("'{text}' to be one of the moves {list}");
        ensure(listed, expected, canonical.map_or("no move", String::as_str))?;
    }
    engine.send(&Context::position(&walk.moves))
}

fn next_refuses(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for nonsense in ["z99", "a1a1", "@@", "end"] {
        let error = engine.refused(&format!("query next {nonsense}"), &[ErrorCode::IllegalMove])?;
        ensure(error.field("index") == Some("1"), "'index 1'", error.to_string())?;
    }
    Ok(())
}

fn effects(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 14, PLIES * 2, |engine, walk, list| {
        let before = engine.ask("fen")?;
        let Some(board) = Placement::parse(first(&before)) else {
            return fail("a position text that begins with a board", quoted(&before));
        };
        let score = points(engine)?;
        for mv in walk.sample(list, MOVES) {
            let effects: Effects = engine.ask_for(&format!("effects {mv}"))?;
            let mut moved = board.clone();
            if let Err(fault) = moved.apply(&effects.0) {
                return fail(format!("effects of {mv} that can be done on {before}"), fault);
            }
            let mut line = walk.moves.clone();
            line.push(mv.clone());
            engine.send(&Context::position(&line))?;
            let after = engine.ask("fen")?;
            let expected = format!("the board after {mv}: {}", first(&after));
            ensure(moved.to_string() == first(&after), expected, moved.to_string())?;
            fields(&effects, &after)?;
            scored(&effects, score, points(engine)?)?;
            engine.send(&Context::position(&walk.moves))?;
        }
        Ok(())
    })
}

fn first(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}

/// Expects the other effects to agree with the next position.
fn fields(effects: &Effects, after: &str) -> StepResult {
    let names = ["side", "extra", "quiet", "ply"];
    for (name, field) in names.into_iter().zip(after.split(' ').skip(1)) {
        let told = effects.0.iter().find_map(|effect| match effect {
            Effect::Other(key, value) if key == name => Some(value),
            _ => None,
        });
        if let Some(told) = told {
            ensure(told == field, format!("{name} {field}, as in {after}"), told)?;
        }
    }
    Ok(())
}

/// The points of both sides, if the engine counts points.
fn points(engine: &mut CheckedEngine<'_>) -> StepResult<Option<i64>> {
    if !engine.ctx.has("status") {
        return Ok(None);
    }
    let status: Status = engine.ask_for("status")?;
    Ok(match status.tally("points") {
        Some(Tally::Each(p1, p2)) => Some(p1 + p2),
        _ => None,
    })
}

/// Expects the `points` effect to equal the growth of both sides' points.
fn scored(effects: &Effects, before: Option<i64>, after: Option<i64>) -> StepResult {
    let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
    let told: i64 = effects.0.iter().map(|e| if let Effect::Points(n) = e { *n } else { 0 }).sum();
    ensure(told == after - before, format!("points {}", after - before), told.to_string())
}
