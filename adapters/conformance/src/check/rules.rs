//! Level *rules*: the games, as data and scripts.
//!
//! Nothing here knows a rule.
//!
//! - `data/perft`: positions that were computed and cross-checked outside this project
//! - `data/rules`: scripts, written from the clauses that they name
//! - `data/examples.ugt`: the examples of SPEC.md

use std::collections::BTreeMap;
use std::rc::Rc;

use include_dir::{Dir, include_dir};
use leap_protocol::Reply;
use serde::Deserialize;

use super::context::Context;
use super::engine::{CheckedEngine, quoted};
use super::outcome::{StepResult, ensure, fail};
use super::script::{self, Script};
use super::step::{Step, step};

/// Positions with known results, one file for each game.
static POSITIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/perft");
/// Scripts, one file for each game.
static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/data/rules");

/// The examples of SPEC.md that do not depend on the engine's options and games.
const EXAMPLES: &str = include_str!("../../data/examples.ugt");

/// A position with known results.
#[derive(Debug, Deserialize)]
struct Position {
    fen: String,
    result: Option<String>,
    perft: Vec<u64>,
    moves: Vec<String>,
    after: BTreeMap<String, String>,
}

pub(super) fn steps() -> Vec<Step> {
    let mut steps = Vec::new();
    for (game, positions) in files(&POSITIONS) {
        steps.extend(position_steps(game, positions));
    }
    for (game, scripts) in files(&SCRIPTS) {
        steps.extend(script::parse(scripts).into_iter().map(|script| script_step(script, game)));
    }
    steps.extend(script::parse(EXAMPLES).into_iter().map(example_step));
    steps
}

/// Whether SPEC.md defines the game.
pub(super) fn defines(game: &str) -> bool {
    files(&SCRIPTS).any(|(name, _)| name == game)
}

/// The name and contents of each file.
fn files(folder: &'static Dir<'_>) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder
        .files()
        .filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)))
}

fn script_step(script: Script, game: &'static str) -> Step {
    let (needs, clause, name) = (script.needs(), script.clause.clone(), script.name.clone());
    step(clause, name, move |ctx| script::run(&script, ctx)).needs(&needs).game(game)
}

/// The game that a new process starts with (SPEC 1.6).
const FIRST_GAME: &str = "alquerque";

/// An example belongs to the first game that it sets up.
fn example_step(script: Script) -> Step {
    let (needs, clause, name) = (script.needs(), script.clause.clone(), script.name.clone());
    let game = script.games().next().unwrap_or(FIRST_GAME).to_owned();
    step(clause, name, move |ctx| script::run_example(&script, ctx)).needs(&needs).game(game)
}

type Check = fn(&mut CheckedEngine<'_>, &Position) -> StepResult;

fn position_steps(game: &'static str, lines: &str) -> Vec<Step> {
    // The files are part of the program, and the tests ensure that they can be read.
    let positions: Vec<Position> =
        lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let positions = Rc::new(positions);
    let checks: [(&'static str, &'static str, &'static [&'static str], Check); 5] = [
        ("9.16", "positions-accepted", &["fen"], accepted),
        ("10.7", "results-of-positions", &[], result),
        ("9.27", "move-lists", &["moves"], moves),
        ("9.24", "positions-after-moves", &["fen"], after),
        ("10.16", "perft", &["perft"], perft),
    ];
    checks
        .into_iter()
        .map(|(clause, name, needs, check)| {
            let positions = Rc::clone(&positions);
            let run = move |ctx: &Context<'_>| {
                let mut engine = ctx.set_up()?;
                positions.iter().try_for_each(|position| {
                    engine.silent(&format!("position fen {}", position.fen))?;
                    check(&mut engine, position)
                })
            };
            step(clause, name, run).needs(needs).game(game)
        })
        .collect()
}

fn accepted(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let fen = engine.ask("fen")?;
    ensure(fen == position.fen, &*position.fen, fen)
}

fn result(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let wanted = match position.result.as_deref() {
        Some("1-0") => "p1win",
        Some("0-1") => "p2win",
        Some(_) => "draw",
        None => "none",
    };
    let found = engine.ask("result")?;
    ensure(found == wanted, format!("{wanted} in {}", position.fen), found)?;
    let over = engine.ask("gameover")?;
    ensure(over == (wanted != "none").to_string(), format!("{wanted} in {}", position.fen), over)
}

fn moves(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let found: leap_protocol::payload::MoveList = engine.ask_for("moves")?;
    if found.moves == position.moves && !found.more {
        return Ok(());
    }
    let missing = position.moves.iter().find(|mv| !found.moves.contains(mv));
    let surplus = found.moves.iter().find(|mv| !position.moves.contains(mv));
    let got = match (missing, surplus) {
        (Some(mv), _) => format!("a list without {mv}"),
        (None, Some(mv)) => format!("a list with {mv}"),
        (None, None) => "another order".to_owned(),
    };
    fail(format!("the {} moves of {}", position.moves.len(), position.fen), got)
}

fn after(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    for (mv, wanted) in &position.after {
        engine.send(&format!("position fen {} moves {mv}", position.fen))?;
        let found = engine.ask("fen")?;
        ensure(found == *wanted, format!("after {mv}: {wanted}"), found)?;
    }
    Ok(())
}

/// Larger counts take too long on slow engines.
const MOST_NODES: u64 = 400_000;

fn perft(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    for (depth, count) in (1..).zip(&position.perft).filter(|(_, count)| **count <= MOST_NODES) {
        engine.send(&format!("perft {depth}"))?;
        let expected = format!("perft {depth} nodes {count} in {}", position.fen);
        let deadline = std::time::Instant::now() + engine.ctx.patience * 10;
        loop {
            match Reply::parse(&engine.line(deadline, &expected)?) {
                Reply::PerftTotal { nodes, .. } => {
                    ensure(nodes == *count, &*expected, nodes.to_string())?;
                    break;
                }
                Reply::PerftMove { .. } | Reply::Info(_) => {}
                other => return fail(expected, quoted(&other.to_string())),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_data_can_be_read() {
        for (game, lines) in files(&POSITIONS) {
            for line in lines.lines() {
                serde_json::from_str::<Position>(line).unwrap_or_else(|e| panic!("{game}: {e}"));
            }
        }
        for (game, scripts) in files(&SCRIPTS) {
            assert!(!script::parse(scripts).is_empty(), "{game}");
        }
    }
}
