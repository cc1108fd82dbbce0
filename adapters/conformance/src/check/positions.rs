//! Positions with their moves, counts and results: one JSON object a line (docs/rules-files.md).

use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Context as _, ensure};
use leap_client::PositionCommand;
use leap_protocol::Reply;
use leap_protocol::payload::{GameResult, MoveList, Status};
use serde::{Deserialize, Deserializer, Serialize};

use super::context::Context;
use super::engine::{CheckedEngine, quoted};
use super::outcome::{StepResult, ensure as expect, fail, skip};
use super::step::{Step, step};

/// A position, and what is known of it. What is left out is not compared.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    /// The game; the engine's first one if there is none.
    pub(super) game: Option<String>,
    /// Options that are set before, in the order of their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) options: BTreeMap<String, String>,
    /// The text of the position; the start position if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fen: Option<String>,
    /// Moves that are made from there first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) played: Vec<String>,
    /// `null` if the game goes on.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Option<String>>,
    /// Why the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// From depth 1 on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) perft: Option<Vec<u64>>,
    /// All of them, in listing order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<Vec<String>>,
    /// The text of the position after some of the moves.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) after: BTreeMap<String, String>,
    /// For people and other programs.
    #[serde(rename = "comment", alias = "seed", skip_serializing)]
    pub(super) _ignored: Option<serde::de::IgnoredAny>,
}

/// A key that is there, whatever its value.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl Position {
    /// The command that sets it up, with moves from there.
    fn command(&self, moves: &[String]) -> String {
        let moves = [&self.played, moves].concat();
        PositionCommand::new(self.fen.as_deref(), &moves).to_string()
    }

    /// As a message names it.
    fn shown(&self) -> String {
        let command = self.command(&[]);
        let shown = command.strip_prefix("position ").unwrap_or(&command);
        shown.strip_prefix("fen ").unwrap_or(shown).to_owned()
    }

    /// What cannot be sent to an engine, or means nothing.
    fn check(&self) -> anyhow::Result<()> {
        let options = self.options.iter().flat_map(|(name, value)| [name, value]);
        let after = self.after.keys();
        let mut texts = options.chain(&self.fen).chain(&self.game).chain(&self.played).chain(after);
        let odd = texts.find(|text| text.chars().any(char::is_control));
        ensure!(odd.is_none(), "expected text of one line, found {odd:?}");
        if let Some(Some(result)) = &self.result {
            let known = RESULTS.iter().any(|(known, _)| known == result);
            ensure!(known, "expected null, 1-0, 0-1 or 1/2-1/2 as 'result', found {result:?}");
        }
        Ok(())
    }
}

/// How results are written in files, as in other files of games.
pub(super) const RESULTS: [(&str, GameResult); 3] =
    [("1-0", GameResult::P1Win), ("0-1", GameResult::P2Win), ("1/2-1/2", GameResult::Draw)];

/// Parses a file.
fn parse(text: &str) -> anyhow::Result<Vec<Position>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let positions = lines.map(|(number, line)| {
        let position: anyhow::Result<Position> = serde_json::from_str(line).map_err(Into::into);
        let checked = position.and_then(|position| position.check().map(|()| position));
        checked.with_context(|| format!("line {number}"))
    });
    let positions: Vec<Position> = positions.collect::<Result<_, _>>()?;
    ensure!(!positions.is_empty(), "expected positions, found none");
    Ok(positions)
}

type Check = fn(&mut CheckedEngine<'_>, &Position) -> StepResult;

/// Clause, name, needs, whether a position has something to compare, how it is compared.
type Row = (&'static str, &'static str, &'static [&'static str], fn(&Position) -> bool, Check);

const CHECKS: [Row; 6] = [
    ("9.16", "positions-accepted", &["fen"], |position| position.fen.is_some(), accepted),
    ("10.7", "results-of-positions", &[], |position| position.result.is_some(), result),
    ("4.18", "reasons-of-positions", &["status"], |position| position.reason.is_some(), reason),
    ("9.27", "move-lists", &["moves"], |position| position.moves.is_some(), moves),
    ("9.24", "positions-after-moves", &["fen"], |position| !position.after.is_empty(), after),
    ("10.16", "perft", &["perft"], |position| position.perft.is_some(), perft),
];

/// The steps of a file: each check for each game, with each of its rules.
pub(super) fn steps(text: &str) -> anyhow::Result<Vec<Step>> {
    type Rules = (Option<String>, BTreeMap<String, String>);
    let mut groups: BTreeMap<Rules, Vec<Position>> = BTreeMap::new();
    for position in parse(text)? {
        let rules = (position.game.clone(), position.options.clone());
        groups.entry(rules).or_default().push(position);
    }
    let mut steps = Vec::new();
    for ((game, options), positions) in groups {
        let positions = Rc::new(positions);
        let rules: String =
            options.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        for (clause, name, needs, has, check) in CHECKS {
            if !positions.iter().any(has) {
                continue;
            }
            let (positions, options) = (Rc::clone(&positions), options.clone());
            let run = move |ctx: &Context<'_>| {
                let mut engine = ctx.set_up()?;
                set_options(&mut engine, &options)?;
                positions.iter().filter(|position| has(position)).try_for_each(|position| {
                    engine.silent(&position.command(&[]))?;
                    check(&mut engine, position)
                })
            };
            let step = step(clause, format!("{name}{rules}"), run);
            steps.push(step.needs(needs).of_game(game.clone()));
        }
    }
    Ok(steps)
}

/// Sets options that the engine has; a position of other rules does not apply to it.
pub(super) fn set_options(
    engine: &mut CheckedEngine<'_>,
    options: &BTreeMap<String, String>,
) -> StepResult {
    for (name, value) in options {
        if engine.ctx.info.option(name).is_none() {
            return skip(format!("the engine does not announce the option '{name}'"));
        }
        engine.silent(&format!("setoption name {name} value {value}"))?;
    }
    Ok(())
}

fn accepted(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let found = engine.ask("fen")?;
    let Some(fen) = position.fen.as_ref().filter(|_| position.played.is_empty()) else {
        return Ok(());
    };
    expect(found == *fen, &**fen, found)
}

fn result(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let wanted = position.result.iter().flatten().find_map(|result| {
        RESULTS.iter().find(|(known, _)| known == result).map(|(_, result)| *result)
    });
    let wanted = wanted.unwrap_or(GameResult::None).to_string();
    let found = engine.ask("result")?;
    expect(found == wanted, format!("{wanted} in {}", position.shown()), found)?;
    let over = engine.ask("gameover")?;
    let is_over = wanted != GameResult::None.to_string();
    expect(over == is_over.to_string(), format!("{wanted} in {}", position.shown()), over)
}

fn reason(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let status: Status = engine.ask_for("status")?;
    let wanted = position.reason.as_deref().unwrap_or_default();
    let found = status.reason;
    expect(found == wanted, format!("{wanted} in {}", position.shown()), found)
}

fn moves(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let wanted = position.moves.as_deref().unwrap_or_default();
    let found: MoveList = engine.ask_for("moves")?;
    if found.moves == wanted && !found.more {
        return Ok(());
    }
    let missing = wanted.iter().find(|mv| !found.moves.contains(mv));
    let surplus = found.moves.iter().find(|mv| !wanted.contains(mv));
    let got = match (missing, surplus) {
        (Some(mv), _) => format!("a list without {mv}"),
        (None, Some(mv)) => format!("a list with {mv}"),
        (None, None) => "another order".to_owned(),
    };
    fail(format!("the {} moves of {}", wanted.len(), position.shown()), got)
}

fn after(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    for (mv, wanted) in &position.after {
        engine.send(&position.command(std::slice::from_ref(mv)))?;
        let found = engine.ask("fen")?;
        expect(found == *wanted, format!("after {mv}: {wanted}"), found)?;
    }
    Ok(())
}

/// Larger counts take too long on slow engines.
const MOST_NODES: u64 = 400_000;

fn perft(engine: &mut CheckedEngine<'_>, position: &Position) -> StepResult {
    let counts = position.perft.iter().flatten();
    for (depth, count) in (1..).zip(counts).filter(|(_, count)| **count <= MOST_NODES) {
        let expected = format!("perft {depth} nodes {count} in {}", position.shown());
        let found = nodes(engine, depth, &expected)?;
        expect(found == *count, expected, found.to_string())?;
    }
    Ok(())
}

/// The number of leaves at this depth.
pub(super) fn nodes(engine: &mut CheckedEngine<'_>, depth: u32, expected: &str) -> StepResult<u64> {
    engine.send(&format!("perft {depth}"))?;
    let deadline = std::time::Instant::now() + engine.ctx.patience * 10;
    loop {
        match Reply::parse(&engine.line(deadline, expected)?) {
            Reply::PerftTotal { nodes, .. } => return Ok(nodes),
            Reply::PerftMove { .. } | Reply::Info(_) => {}
            other => return fail(expected, quoted(&other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(line: &str, expected: &str) {
        let error = format!("{:#}", parse(line).unwrap_err());
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_file_says_what_is_wrong_in_which_line() {
        refused("", "expected positions, found none");
        refused("{}\n\n{", "line 3: EOF");
        refused(r#"{"perf": [1]}"#, "line 1: unknown field `perf`");
        refused(r#"{"result": "p1win"}"#, "expected null, 1-0, 0-1 or 1/2-1/2");
        refused(r#"{"fen": "a\nquit"}"#, "expected text of one line");
        refused(r#"{"after": {"a\nb": "x"}}"#, "expected text of one line");
    }

    #[test]
    fn only_what_a_file_says_is_compared_with_each_set_of_rules() {
        let text = r#"{"game": "a", "fen": "x", "perft": [1]}
            {"game": "a", "options": {"Size": "8"}, "played": ["b2"], "result": null}
            {"moves": ["b1", "b2"]}"#;
        let shown = |step: &Step| format!("{step} {:?}", step.scope);
        let found: Vec<String> = steps(text).unwrap().iter().map(shown).collect();
        let expected = [
            "9.27 move-lists Once",
            "9.16 positions-accepted Game(\"a\")",
            "10.16 perft Game(\"a\")",
            "10.7 results-of-positions Size=8 Game(\"a\")",
        ];
        assert_eq!(found, expected);
    }
}
