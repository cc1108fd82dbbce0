//! Makes files of rules from an engine that is trusted: positions, or a script.

mod script;

use std::path::Path;

use anyhow::{anyhow, ensure};
use leap_protocol::payload::{GameResult, MoveList, Status};

use super::context::Context;
use super::engine::CheckedEngine;
use super::extensions::{Walk, along};
use super::outcome::{StepError, StepResult};
use super::positions::{Position, RESULTS, nodes, set_options};

/// How a file of positions begins.
const MARK: &str = "{\"game\":";

/// Random games, of this many plies at most.
const GAMES: u64 = 6;
const PLIES: usize = 120;
/// In each game one position of so many is taken.
const EVERY: usize = 12;
/// Moves whose following position is kept.
const AFTER: usize = 4;
/// Perft goes one ply deeper while the count is at most this.
const NODES: u64 = 4000;
const DEPTH: u32 = 6;

/// Whether the file is to be a script: those are transcripts.
fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == crate::replay::UGT)
}

/// How the file begins.
pub(super) fn mark(path: &Path) -> &'static str {
    if is_script(path) { script::MARK } else { MARK }
}

/// The text of the file: a script, or positions.
pub(super) fn text(
    path: &Path,
    base: &Context<'_>,
    chosen: &[String],
    options: &[(String, String)],
) -> anyhow::Result<String> {
    ensure!(
        base.has("moves"),
        "expected an engine that answers 'query moves', found one that does not"
    );
    match is_script(path) {
        true => script::script(base, chosen, options),
        false => positions(base, chosen, options),
    }
}

/// The chosen games; all that the engine announces if none is chosen, and `None` if it announces none.
fn games(base: &Context<'_>, chosen: &[String]) -> Vec<Option<String>> {
    match if chosen.is_empty() { &base.info.games[..] } else { chosen } {
        [] => vec![None],
        games => games.iter().cloned().map(Some).collect(),
    }
}

fn in_words(error: StepError) -> anyhow::Error {
    match error {
        StepError::Failed { expected, got } => anyhow!("expected {expected}, got {got}"),
        StepError::Skipped(why) => anyhow!(why),
    }
}

/// Positions along random games of each game, as the engine tells them. What it cannot tell is left out.
fn positions(
    base: &Context<'_>,
    chosen: &[String],
    options: &[(String, String)],
) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for game in games(base, chosen) {
        let ctx = Context { game, log: std::cell::RefCell::default(), ..*base };
        of_game(&ctx, options, &mut rows).map_err(in_words)?;
    }
    let lines = rows.iter().map(|row| Ok(serde_json::to_string(row)? + "\n"));
    lines.collect::<serde_json::Result<String>>().map_err(Into::into)
}

fn of_game(
    ctx: &Context<'_>,
    options: &[(String, String)],
    rows: &mut Vec<Position>,
) -> StepResult {
    let options = options.iter().cloned().collect();
    for seed in 0..GAMES {
        let mut engine = ctx.set_up()?;
        set_options(&mut engine, &options)?;
        along(&mut engine, seed, PLIES, |engine, walk, list| {
            if is_due(walk, list, seed) {
                let game = ctx.game.clone();
                rows.push(row(
                    engine,
                    walk,
                    Position { game, options: options.clone(), ..Position::default() },
                )?);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Whether the position of a random game is taken. Each game begins at another ply; its end is always taken.
fn is_due(walk: &Walk, list: &MoveList, seed: u64) -> bool {
    list.moves.is_empty() || walk.plies() % EVERY == 2 * seed as usize % EVERY
}

/// What the engine knows about the position that has been set up.
fn row(engine: &mut CheckedEngine<'_>, walk: &mut Walk, row: Position) -> StepResult<Position> {
    let mut row = row;
    if engine.ctx.has("fen") {
        // The text does not tell how the position came about: from here on there is only the text.
        let fen = engine.ask("fen")?;
        engine.silent(&format!("position fen {fen}"))?;
        row.fen = Some(fen);
    } else {
        row.played = walk.played().to_vec();
    }
    let list: MoveList = engine.ask_for("moves")?;
    let result: GameResult = engine.ask_for("result")?;
    let written = RESULTS.iter().find(|(_, known)| *known == result);
    row.result = Some(written.map(|(text, _)| (*text).to_owned()));
    if engine.ctx.has("status") && result != GameResult::None {
        let status: Status = engine.ask_for("status")?;
        row.reason = Some(status.reason);
    }
    if engine.ctx.has("perft") {
        let mut counts = vec![];
        for depth in 1..=DEPTH {
            counts.push(nodes(engine, depth, &format!("the end of perft {depth}"))?);
            if counts.last().is_none_or(|count| *count == 0 || *count > NODES) {
                break;
            }
        }
        row.perft = Some(counts);
    }
    if let Some(fen) = &row.fen {
        for mv in walk.sample(&list, AFTER) {
            engine.send(&format!("position fen {fen} moves {mv}"))?;
            row.after.insert(mv.clone(), engine.ask("fen")?);
        }
    }
    row.moves = (!list.more).then_some(list.moves);
    Ok(row)
}
