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

/// What is asked in a position: what two engines of one game must agree on, whatever their position texts say.
const QUESTIONS: [&str; 4] = ["p1turn", "gameover", "result", "moves"];

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
    let mut section = |name: &str, seed, visit| {
        entries.extend([Entry::Blank, Entry::Comment(format!(" SPEC {name}"))]);
        along_game(&ctx, seed, options, &mut entries, visit).map_err(in_words)
    };
    for seed in 0..GAMES {
        section(&format!("10.7: random-game-{}", seed + 1), seed, position as Visit)?;
    }
    if ctx.has("undo") {
        section("3.25: taking-back", 0, taking_back)?;
    }
    Ok(Transcript { entries }.to_string())
}

/// Writes down a position of a game.
type Visit = fn(&mut CheckedEngine<'_>, &Walk, &mut Vec<Entry>) -> StepResult;

/// A random game. Its positions are those of [`super::positions`].
fn along_game(
    ctx: &Context<'_>,
    seed: u64,
    options: &[(String, String)],
    entries: &mut Vec<Entry>,
    visit: Visit,
) -> StepResult {
    let mut engine = ctx.set_up()?;
    set_options(&mut engine, &options.iter().cloned().collect())?;
    along(&mut engine, seed, PLIES, |engine, walk, list| match is_due(walk, list, seed) {
        true => visit(engine, walk, entries),
        false => Ok(()),
    })
}

/// The state of the game, and a move that is refused: usually a move cannot be made twice.
fn position(engine: &mut CheckedEngine<'_>, walk: &Walk, entries: &mut Vec<Entry>) -> StepResult {
    entries.push(sent(Context::position(walk.played())));
    QUESTIONS.iter().try_for_each(|question| ask(engine, question, entries))?;
    let Some(last) = walk.played().last() else { return Ok(()) };
    let again = Context::position(&[walk.played(), std::slice::from_ref(last)].concat());
    let refusal = format!("error {}", ErrorCode::IllegalMove);
    if engine.tolerated(&again)?.iter().any(|line| line.starts_with(&refusal)) {
        entries.push(sent(again));
        entries.push(Entry::Expected(Expected::Default(format!("{refusal} ..."))));
    }
    Ok(())
}

/// The moves after a move was taken back.
fn taking_back(
    engine: &mut CheckedEngine<'_>,
    walk: &Walk,
    entries: &mut Vec<Entry>,
) -> StepResult {
    if walk.plies() == 0 {
        return Ok(());
    }
    let undo = Command::Undo(1).to_string();
    engine.silent(&undo)?;
    entries.extend([sent(Context::position(walk.played())), sent(undo)]);
    ask(engine, "moves", entries)
}

fn ask(engine: &mut CheckedEngine<'_>, question: &str, entries: &mut Vec<Entry>) -> StepResult {
    let answer = engine.ask(question)?;
    // It is up to the engine which moves a truncated list contains (SPEC 4.14).
    if answer.split(' ').next().is_some_and(|count| count.ends_with('+')) {
        return Ok(());
    }
    entries.push(sent(format!("query {question}")));
    entries.push(Entry::Expected(line_entry(format!("response {answer}"))));
    Ok(())
}

fn sent(line: String) -> Entry {
    Entry::Sent(Sent::Line(line))
}
