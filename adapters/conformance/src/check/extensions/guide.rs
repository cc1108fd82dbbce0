//! The rules as the engine tells them to people.

use leap_protocol::payload::{
    BoardLine, Effects, Example, GameInfo, Guide, MoveList, Status, Tally, Task,
};
use leap_protocol::{ErrorCode, OptionKind};

use super::step;
use crate::check::context::Context;
use crate::check::engine::{CheckedEngine, quoted};
use crate::check::outcome::{StepResult, ensure, fail};
use crate::check::step::Step;

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("4.35", "rules-lines", lines).needs(&["rules"]),
        step("4.36", "rules-languages", languages).needs(&["rules"]),
        step("4.37", "rules-examples", examples).needs(&["rules"]),
        step("4.40a", "rules-tasks", tasks).needs(&["rules", "moves", "effects"]),
        step("4.39", "rules-words", words).needs(&["rules"]),
        step("4.40", "rules-endings", endings).needs(&["rules", "status"]),
    ]
}

/// The kinds of prompts (SPEC 4.38).
const KINDS: [&str; 5] = ["first", "step", "drop", "remove", "end"];

/// The rules in a language, each line of which must be understood.
fn rules(engine: &mut CheckedEngine<'_>, language: &str) -> StepResult<Guide> {
    let question = format!("rules {language}");
    let mut rules = Guide::default();
    for line in engine.ask_lines(question.trim_end(), "rules", "rulesok")? {
        if let Err(error) = rules.push(&line) {
            return fail("a line of SPEC 4.35", error.to_string());
        }
    }
    Ok(rules)
}

fn lines(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.refused("query rules en now", &[ErrorCode::BadArgument])?;
    let rules = rules(&mut engine, "")?;
    ensure(!rules.title.is_empty(), "a title", "none")?;
    let example = rules.clauses.iter().any(|clause| !clause.examples.is_empty());
    ensure(example, "clauses with examples", format!("{} clauses", rules.clauses.len()))?;
    let missing = KINDS.into_iter().find(|kind| rules.prompt(kind).is_none());
    ensure(
        missing.is_none(),
        format!("prompts of {}", KINDS.join(" ")),
        missing.unwrap_or_default(),
    )
}

/// What must be the same in all languages: the number of examples of each clause, positions and moves, options, words.
fn skeleton(rules: &Guide) -> Vec<String> {
    let mut bare = rules.clone();
    (bare.language, bare.languages) = (String::new(), Vec::new());
    let mut texts: Vec<&mut String> = vec![&mut bare.title];
    for clause in &mut bare.clauses {
        texts.extend([&mut clause.heading, &mut clause.text]);
        texts.extend(clause.examples.iter_mut().map(|example| &mut example.caption));
        texts.extend(clause.tasks.iter_mut().map(|task| &mut task.text));
    }
    for option in &mut bare.options {
        texts.extend([&mut option.label, &mut option.text]);
        texts.extend(option.values.iter_mut().map(|(_, text)| text));
    }
    let pairs = bare.prompts.iter_mut().chain(&mut bare.words).chain(&mut bare.loss_words);
    texts.extend(pairs.map(|(_, text)| text));
    texts.extend(bare.endings.iter_mut().chain(&mut bare.losses).map(|ending| &mut ending.text));
    texts.into_iter().for_each(String::clear);
    bare.lines()
}

fn languages(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let first = rules(&mut engine, "")?;
    let listed = first.languages.contains(&first.language);
    ensure(listed, "the language of the answer among all", first.languages.join(" "))?;
    for tag in &first.languages {
        for asked in [tag.clone(), tag.to_uppercase(), format!("{tag}-x-other")] {
            let told = rules(&mut engine, &asked)?;
            ensure(
                told.language == *tag,
                format!("the language {tag} for {asked}"),
                &*told.language,
            )?;
            let (wanted, found) = (skeleton(&first), skeleton(&told));
            let differs = found.iter().zip(&wanted).find(|(found, wanted)| found != wanted);
            let same = wanted.len() == found.len() && differs.is_none();
            let got = differs.map_or("more or fewer lines", |(found, _)| found);
            ensure(same, format!("the lines of {} in {tag}", first.language), quoted(got))?;
        }
    }
    let unknown = rules(&mut engine, "x-none")?;
    ensure(unknown == first, "an unknown language to be as none", unknown.language)
}

fn examples(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let rules = rules(&mut engine, "")?;
    for Example { fen, mv, .. } in rules.clauses.iter().flat_map(|clause| &clause.examples) {
        engine.silent(&format!("position fen {fen}"))?;
        let Some((mv, effects)) = mv else { continue };
        if ctx.has("legal") {
            let body = engine.ask(&format!("legal {mv}"))?;
            ensure(
                body == "true",
                format!("the example {mv} in {fen} to be legal"),
                quoted(&body),
            )?;
        }
        if ctx.has("effects") {
            let told = engine.ask(&format!("effects {mv}"))?;
            ensure(effects.to_string() == told, format!("effects {told}"), effects.to_string())?;
        }
    }
    Ok(())
}

fn tasks(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let rules = rules(&mut engine, "")?;
    for task in rules.clauses.iter().flat_map(|clause| &clause.tasks) {
        let Task { fen, moves, .. } = task;
        ensure(!moves.is_empty(), "a move that does each task", format!("none in {fen}"))?;
        engine.silent(&format!("position fen {fen}"))?;
        let list: MoveList = engine.ask_for("moves")?;
        let missing = moves.iter().find(|mv| !list.moves.contains(mv));
        let expected = format!("legal moves in {fen}");
        ensure(missing.is_none(), expected, quoted(missing.map_or("", String::as_str)))?;
        // Only a played move tells whether it wins.
        if task.kind == Task::WIN {
            continue;
        }
        for mv in &list.moves {
            let effects: Effects = engine.ask_for(&format!("effects {mv}"))?;
            let is_done = task.is_done(&effects, false);
            let expected =
                format!("{} {} in {fen} to be told as done by {mv}", task.kind, task.count);
            ensure(is_done == moves.contains(mv), expected, moves.join(" "))?;
        }
    }
    Ok(())
}

fn words(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let rules = rules(&mut engine, "")?;
    if ctx.has("game") {
        let GameInfo { options, .. } = engine.ask_for("game")?;
        options.0.iter().try_for_each(|(name, _)| described(ctx, &rules, name))?;
    }
    let mut words = Vec::new();
    if ctx.has("board") {
        let lines = engine.ask_lines("board", "board", "boardok")?;
        words.extend(lines.iter().flat_map(|line| board_words(line)));
    }
    if ctx.has("status") {
        let status: Status = engine.ask_for("status")?;
        words.extend(status.tallies.into_iter().map(|(name, _)| name));
    }
    let told = |word: &String| rules.words.iter().any(|(known, _)| known == word);
    let missing = words.iter().find(|word| !told(word));
    let expected = "a word for each piece, colour and figure";
    ensure(missing.is_none(), expected, missing.map_or("", String::as_str))
}

/// Expects every ending to be one that a status can report. Others would never be told.
fn endings(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let rules = rules(&mut engine, "")?;
    let status: Status = engine.ask_for("status")?;
    let is_reason = |reason: &String| super::game::REASONS.contains(&reason.as_str());
    for ending in rules.endings.iter().chain(&rules.losses) {
        let is_each = matches!(status.tally(&ending.key), Some(Tally::Each(..)));
        let is_known = is_reason(&ending.reason) && is_each;
        let expected = "a reason of SPEC 4.18 and a pair '<a>-<b>' of SPEC 4.19";
        ensure(is_known, expected, format!("ending {ending}"))?;
    }
    let foreign = rules.loss_words.iter().find(|(reason, _)| !is_reason(reason));
    let found =
        foreign.map_or_else(String::new, |(reason, text)| format!("loss {reason} : {text}"));
    ensure(foreign.is_none(), "a reason of SPEC 4.18", found)
}

/// Expects an option and each of its values to have a name.
fn described(ctx: &Context<'_>, rules: &Guide, name: &str) -> StepResult {
    let Some(option) = rules.option(name) else {
        return fail(format!("a description of the option {name}"), "none");
    };
    let Some(OptionKind::Combo { vars, .. }) = ctx.info.option(name).map(|known| &known.kind)
    else {
        return Ok(());
    };
    let missing = vars.iter().find(|value| option.value(value).is_none());
    let expected = format!("a name for each value of {name}");
    ensure(missing.is_none(), expected, missing.map_or("", String::as_str))
}

/// The names in a line of `query board`.
fn board_words(line: &str) -> Vec<String> {
    let Ok(line) = line.parse();
    match line {
        BoardLine::Piece { name, .. } => vec![name],
        BoardLine::Colours { p1, p2 } => vec![p1, p2],
        _ => Vec::new(),
    }
}
