//! Moves as lists: order, limits, legality, counts.

use std::collections::BTreeSet;
use std::time::Duration;

use leap_client::notation::{Placement, listing_key, tokens};
use leap_protocol::payload::{Legality, MoveList};
use leap_protocol::{ErrorCode, Reply};

use super::{Walk, along, step};
use crate::check::context::Context;
use crate::check::engine::{CheckedEngine, quoted};
use crate::check::outcome::{StepResult, ensure, fail, skip};
use crate::check::rules;
use crate::check::step::Step;

/// The codes of SPEC 6.8.
const REASONS: &str = include_str!("../../../data/reasons.txt");

/// Plies of the random games.
const PLIES: usize = 16;

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("9.27", "moves-in-listing-order", listing_order).needs(&["moves"]),
        step("4.14", "moves-limit", limits).needs(&["moves"]),
        step("4.17", "legal-agrees-with-moves", legal).needs(&["legal", "moves", "fen"]),
        step("10.16", "perft-1-agrees-with-moves", perft_1).needs(&["perft", "moves"]),
        step("3.19", "perft-adds-up", perft_adds_up).needs(&["perft"]),
        step("3.20", "perft-stopped", perft_stopped).needs(&["perft"]),
    ]
}

fn listing_order(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 1, PLIES, |_, _, list| {
        let mut last = None;
        for mv in &list.moves {
            let key = listing_key(mv);
            ensure(key.is_some(), "a move text", quoted(mv))?;
            ensure(
                last < key,
                "moves in ascending order, each once",
                quoted(&list.moves.join(" ")),
            )?;
            last = key;
        }
        Ok(())
    })
}

fn limits(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 2, PLIES, |engine, _, full| {
        if full.more || full.moves.is_empty() {
            return Ok(());
        }
        let count = full.moves.len();
        let whole: MoveList = engine.ask_for(&format!("moves limit {count}"))?;
        ensure(whole == *full, "the whole list", quoted(&whole.to_string()))?;
        if count > 1 {
            let cut: MoveList = engine.ask_for(&format!("moves limit {}", count - 1))?;
            let right = cut.more
                && cut.moves.len() == count - 1
                && cut.moves.iter().all(|mv| full.moves.contains(mv));
            ensure(right, format!("'{}+' and as many moves", count - 1), quoted(&cut.to_string()))?;
        }
        Ok(())
    })
}

/// Two-square texts tried in each position.
const PAIRS: usize = 60;

fn legal(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 3, PLIES, |engine, walk, list| {
        for mv in walk.sample(list, 20) {
            let body = engine.ask(&format!("legal {mv}"))?;
            ensure(body == "true", format!("the listed move {mv} to be legal"), quoted(&body))?;
        }
        let squares = Placement::parse(engine.ask("fen")?.split(' ').next().unwrap_or_default())
            .map_or(Vec::new(), |board| board.squares());
        if list.more || squares.is_empty() {
            return Ok(());
        }
        for _ in 0..PAIRS {
            let text = two_squares(walk, list, &squares);
            legal_if_listed(ctx, engine, list, &text)?;
        }
        for text in ["hello", "a1", "z99z98", "@a1", "a1b1@"] {
            legal_if_listed(ctx, engine, list, text)?;
        }
        Ok(())
    })
}

/// Two squares; the first is usually the origin of a move, since those are the interesting cases.
fn two_squares(walk: &mut Walk, list: &MoveList, squares: &[String]) -> String {
    let origins: BTreeSet<&str> =
        list.moves.iter().filter_map(|mv| Some(*tokens(mv)?.first()?)).collect();
    let origins: Vec<&str> = origins.into_iter().filter(|token| !token.starts_with('x')).collect();
    let from = match walk.below(4) {
        1.. if !origins.is_empty() => origins[walk.below(origins.len())].to_owned(),
        _ => squares[walk.below(squares.len())].clone(),
    };
    from + &squares[walk.below(squares.len())]
}

/// Whether the game in play may have this reason. Games that SPEC.md does not define have reasons of their own (SPEC
/// 9.34).
fn is_reason(ctx: &Context<'_>, reason: &str) -> bool {
    let is_foreign = ctx.game.as_deref().is_some_and(|game| !rules::defines(game));
    let is_word = reason.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    REASONS.lines().any(|known| known == reason) || is_foreign && is_word
}

/// A two-square text is its own canonical text, so it is legal if and only if it is listed.
fn legal_if_listed(
    ctx: &Context<'_>,
    engine: &mut CheckedEngine<'_>,
    list: &MoveList,
    text: &str,
) -> StepResult {
    let listed = list.moves.iter().any(|mv| mv == text);
    match (engine.ask_for(&format!("legal {text}"))?, listed) {
        (Legality::Legal, true) => Ok(()),
        (Legality::Illegal { reason, .. }, _) if !is_reason(ctx, &reason) => {
            fail("a reason of SPEC 6.8", quoted(&reason))
        }
        (Legality::Illegal { .. }, false) => Ok(()),
        (found, _) => {
            let expected =
                if listed { "legal, as it is listed" } else { "not legal, as it is not listed" };
            fail(format!("'{text}' to be {expected}"), quoted(&found.to_string()))
        }
    }
}

/// The result of a perft: moves with their counts, the total, and whether it was stopped.
type Counts = (Vec<(String, u64)>, u64, bool);

fn perft(engine: &mut CheckedEngine<'_>, depth: u32) -> StepResult<Counts> {
    engine.send(&format!("perft {depth}"))?;
    perft_lines(engine, depth)
}

fn perft_lines(engine: &mut CheckedEngine<'_>, wanted: u32) -> StepResult<Counts> {
    let expected = format!("'info perft <move> <count>' lines and 'perft {wanted} nodes ...'");
    let deadline = std::time::Instant::now() + engine.ctx.patience * 10;
    let mut counts = Vec::new();
    loop {
        let line = engine.line(deadline, &expected)?;
        match Reply::parse(&line) {
            Reply::PerftMove { mv, count } => counts.push((mv, count)),
            Reply::PerftTotal { depth, nodes, stopped, .. } if depth == wanted => {
                return Ok((counts, nodes, stopped));
            }
            Reply::Info(info) if info.string.is_some() => {}
            _ => return fail(expected, quoted(&line)),
        }
    }
}

fn perft_1(ctx: &Context<'_>) -> StepResult {
    along(&mut ctx.set_up()?, 4, PLIES, |engine, _, list| {
        if list.more {
            return Ok(());
        }
        let (counts, nodes, _) = perft(engine, 1)?;
        ensure(nodes == counts.len() as u64, format!("nodes {}", counts.len()), nodes.to_string())?;
        let counted: Vec<&String> = counts.iter().map(|(mv, _)| mv).collect();
        let listed: Vec<&String> = list.moves.iter().collect();
        if counted == listed {
            return Ok(());
        }
        let (allowed, forbidden): (Vec<&String>, Vec<&String>) =
            counted.iter().partition(|mv| listed.contains(mv));
        let got = quoted(&counts.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>().join(" "));
        ensure(allowed == listed, format!("the moves of 'query moves': {list}"), got)?;
        forbidden.into_iter().try_for_each(|mv| forbidden_by_history(engine, mv))
    })
}

/// Perft counts moves that only the history forbids (SPEC 10.18); no other move may be missing from the list.
fn forbidden_by_history(engine: &mut CheckedEngine<'_>, mv: &str) -> StepResult {
    if !engine.ctx.has("legal") {
        return skip("perft counts moves that are not listed, and only 'query legal' can tell why");
    }
    match engine.ask_for(&format!("legal {mv}"))? {
        Legality::Illegal { reason, .. } if reason == "repetition" => Ok(()),
        found => {
            let expected = format!("'{mv}', which perft counts, listed or refused as a repetition");
            fail(expected, quoted(&found.to_string()))
        }
    }
}

fn perft_adds_up(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let (counts, nodes, _) = perft(&mut engine, 0)?;
    ensure(counts.is_empty() && nodes == 1, "perft 0 nodes 1", format!("nodes {nodes}"))?;
    let (counts, nodes, _) = perft(&mut engine, 2)?;
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    ensure(sum == nodes, format!("the sum of the moves, {sum}"), nodes.to_string())?;
    for (mv, count) in counts.into_iter().take(8) {
        engine.silent(&format!("position startpos moves {mv}"))?;
        let (_, below, _) = perft(&mut engine, 1)?;
        ensure(below == count, format!("{count} moves after {mv}"), below.to_string())?;
    }
    engine.expect_ready()
}

fn perft_stopped(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("perft 60")?;
    std::thread::sleep(Duration::from_millis(200));
    if engine.sync()?.iter().any(|line| line.starts_with("perft")) {
        return skip("the game is too small for a count that takes for ever");
    }
    engine.refused("go depth 1", &[ErrorCode::Busy])?;
    engine.send("stop")?;
    let (_, _, stopped) = perft_lines(&mut engine, 60)?;
    ensure(stopped, "'stopped true'", "a whole count")?;
    engine.expect_ready()
}
