//! A script: what the engine answers in the course of random games.
//!
//! A position text does not tell how the position came about. A script sends whole games, so it also tells what depends
//! on their moves: repetitions, taking back, and the refusal of a move.

use anyhow::ensure;
use leap_protocol::{Command, ErrorCode};
use leap_transcript::{Entry, Expected, Sent, Transcript};

use super::{GAMES, PLIES, games, in_words, is_due};
use crate::check::context::Context;
use crate::check::engine::CheckedEngine;
use crate::check::extensions::{Walk, along};
use crate::check::outcome::StepResult;
use crate::check::positions::set_options;
use crate::record::line_entry;

/// How such a file begins.
pub(in crate::check) const MARK: &str = "ugt 1\n# leap check --write\n";

/// What is asked in a position, with the extension that the question belongs to.
const QUESTIONS: [(&str, Option<&str>); 6] = [
    ("p1turn", None),
    ("gameover", None),
    ("result", None),
    ("fen", Some("fen")),
    ("status", Some("status")),
    ("moves", Some("moves")),
];

/// The script of one game.
pub(super) fn script(
    base: &Context<'_>,
    chosen: &[String],
    options: &[(String, String)],
) -> anyhow::Result<String> {
    let mut games = games(base, chosen);
    ensure!(
        games.len() == 1,
        "expected one game for a script, found {}: --game chooses one",
        games.len()
    );
    let ctx = Context { game: games.remove(0), log: std::cell::RefCell::default(), ..*base };
    let mut entries = vec![Entry::Comment(" leap check --write".to_owned())];
    entries.extend(ctx.game.clone().map(Entry::Game));
    let option = |(name, value): &(String, String)| Entry::Option {
        name: name.clone(),
        value: Some(value.clone()),
    };
    entries.extend(options.iter().map(option));
    for seed in 0..GAMES {
        section(&ctx, seed, options, &mut entries).map_err(in_words)?;
    }
    Ok(Transcript { entries }.to_string())
}

/// A random game. Its positions are those of [`super::positions`].
fn section(
    ctx: &Context<'_>,
    seed: u64,
    options: &[(String, String)],
    entries: &mut Vec<Entry>,
) -> StepResult {
    entries.push(Entry::Blank);
    entries.push(Entry::Comment(format!(" SPEC 10.7: random-game-{}", seed + 1)));
    let mut engine = ctx.set_up()?;
    set_options(&mut engine, &options.iter().cloned().collect())?;
    along(&mut engine, seed, PLIES, |engine, walk, list| match is_due(walk, list, seed) {
        true => position(engine, walk, entries),
        false => Ok(()),
    })
}

fn position(engine: &mut CheckedEngine<'_>, walk: &Walk, entries: &mut Vec<Entry>) -> StepResult {
    entries.push(sent(Context::position(walk.played())));
    for (question, needs) in QUESTIONS {
        if known(engine, needs) {
            ask(engine, question, entries)?;
        }
    }
    let Some(last) = walk.played().last() else { return Ok(()) };
    if known(engine, Some("undo")) && known(engine, Some("fen")) {
        let undo = Command::Undo(1).to_string();
        engine.silent(&undo)?;
        entries.push(sent(undo));
        ask(engine, "fen", entries)?;
    }
    // Usually a move cannot be made twice.
    let again = Context::position(&[walk.played(), std::slice::from_ref(last)].concat());
    let refusal = format!("error {}", ErrorCode::IllegalMove);
    if engine.tolerated(&again)?.iter().any(|line| line.starts_with(&refusal)) {
        entries.push(sent(again));
        entries.push(Entry::Expected(Expected::Default(format!("{refusal} ..."))));
    }
    Ok(())
}

fn known(engine: &CheckedEngine<'_>, extension: Option<&str>) -> bool {
    extension.is_none_or(|name| engine.ctx.has(name))
}

fn ask(engine: &mut CheckedEngine<'_>, question: &str, entries: &mut Vec<Entry>) -> StepResult {
    let answer = engine.ask(question)?;
    entries.push(sent(format!("query {question}")));
    entries.push(Entry::Expected(line_entry(format!("response {answer}"))));
    Ok(())
}

fn sent(line: String) -> Entry {
    Entry::Sent(Sent::Line(line))
}
