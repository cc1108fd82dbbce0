//! Level *handshake*: greeting, `isready` and options.

use std::collections::HashSet;

use leap_protocol::option::EMPTY;
use leap_protocol::{ErrorCode, OptionDecl, OptionKind, Reply};

use super::context::Context;
use super::context::LEAP;
use super::engine::{CheckedEngine, quoted};
use super::outcome::{StepResult, ensure, fail};
use super::step::{Step, step};

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("3.2", GREETING, greeting),
        step("3.2", "greeting-lines", greeting_lines),
        step("3.2", "greeting-again", greeting_again),
        step("3.5", "readyok-exact", |ctx| {
            let mut engine = ctx.set_up()?;
            engine.send("isready")?;
            engine.expect("readyok")
        }),
        step("3.3", "option-lines-well-formed", option_lines),
        step("3.9", "options-settable", options_settable),
        step("3.10", "options-out-of-range-refused", options_refused).needs(&[LEAP]),
        step("3.8", "option-names-without-case", option_case).needs(&[LEAP]),
        step("2.12", "commands-without-a-greeting", |ctx| ctx.start()?.expect_ready())
            .needs(&[LEAP]),
        step("2.13", "uci-dialect", uci).needs(&[LEAP]),
        step("2.15", "uci-skips-unknown-words-of-go", uci_skips).needs(&[LEAP]),
        step("3.4", "nothing-may-follow-ugi", |ctx| {
            let mut engine = ctx.set_up()?;
            engine.refused("ugi please", &[ErrorCode::BadArgument])?;
            engine.refused("isready now", &[ErrorCode::BadArgument])?;
            engine.expect_ready()
        })
        .needs(&[LEAP]),
    ]
}

/// The step without which none of the others makes sense.
pub(super) const GREETING: &str = "ugiok-exact";

fn greeting(ctx: &Context<'_>) -> StepResult {
    ctx.start()?.greet().map(drop)
}

fn greeting_lines(ctx: &Context<'_>) -> StepResult {
    let lines = ctx.start()?.greet()?;
    check_greeting(&lines)
}

/// Expects `id name`, `id author` and option lines, with nothing but `info string` between them.
fn check_greeting(lines: &[String]) -> StepResult {
    let mut ids = Vec::new();
    for line in lines {
        match Reply::parse(line) {
            Reply::Id { key, value } if !value.is_empty() => ids.push(key),
            Reply::Option(_) => {}
            Reply::Info(info) if info.string.is_some() => {}
            _ => return fail("'id' and 'option' lines before 'ugiok'", quoted(line)),
        }
    }
    let wanted = [leap_protocol::IdKey::Name, leap_protocol::IdKey::Author];
    ensure(ids == wanted, "'id name <text>' and 'id author <text>'", format!("{ids:?}"))
}

fn greeting_again(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.start()?;
    let first = engine.greet()?;
    engine.expect_ready()?;
    let second = engine.greet()?;
    ensure(first == second, "the same answer to a second 'ugi'", second.join(" | "))?;
    engine.expect_ready()
}

fn option_lines(ctx: &Context<'_>) -> StepResult {
    let lines = ctx.start()?.greet()?;
    let mut names = HashSet::new();
    for line in lines.iter().filter(|line| line.starts_with("option")) {
        let Reply::Option(option) = Reply::parse(line) else {
            return fail("'option name <name> type <type> ...'", quoted(line));
        };
        let new = names.insert(option.name.to_lowercase());
        ensure(new, "each option once", format!("'{}' twice", option.name))?;
        let sound = match &option.kind {
            OptionKind::Spin { default, min, max } => min <= default && default <= max,
            OptionKind::Combo { default, vars } => vars.contains(default),
            _ => true,
        };
        ensure(sound, "a default that is in range", quoted(line))?;
    }
    Ok(())
}

/// Options whose large values cost memory or processors, so only small values are tried.
const COSTLY: &[&str] = &["hash", "threads"];

pub(super) fn options_settable(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    for option in &ctx.info.options {
        // UGI 1.0 has no word for an empty text.
        let is_known = |value: &Option<String>| ctx.has(LEAP) || value.as_deref() != Some(EMPTY);
        for value in values(option).into_iter().filter(is_known) {
            let set = match value {
                Some(value) => format!("setoption name {} value {value}", option.name),
                None => format!("setoption name {}", option.name),
            };
            engine.silent(&set)?;
        }
    }
    Ok(())
}

/// Values that an option must accept, its default last; `None` for a button.
fn values(option: &OptionDecl) -> Vec<Option<String>> {
    let values = match &option.kind {
        OptionKind::Button => return vec![None],
        OptionKind::Check { default } => vec![(!default).to_string(), default.to_string()],
        OptionKind::Spin { default, min, max } => {
            let costly = COSTLY.contains(&option.name.to_lowercase().as_str());
            let most = if costly { min } else { max };
            vec![min.to_string(), most.to_string(), default.to_string()]
        }
        OptionKind::Combo { default, vars } => {
            vars.iter().chain([default]).map(String::clone).collect()
        }
        OptionKind::String { default } if default.is_empty() => vec![EMPTY.to_owned()],
        OptionKind::String { default } => vec![default.clone()],
    };
    values.into_iter().map(Some).collect()
}

fn options_refused(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    for option in &ctx.info.options {
        let mut refused = |value: &str, code| {
            engine.refused(&format!("setoption name {}{value}", option.name), &[code])
        };
        match &option.kind {
            OptionKind::Spin { min, max, .. } => {
                for beyond in [min.checked_sub(1), max.checked_add(1)].into_iter().flatten() {
                    refused(&format!(" value {beyond}"), ErrorCode::OutOfRange)?;
                }
                refused(" value many", ErrorCode::BadArgument)?;
                refused("", ErrorCode::MissingArgument)?;
            }
            OptionKind::Check { .. } => {
                refused(" value maybe", ErrorCode::BadArgument)?;
                refused("", ErrorCode::MissingArgument)?;
            }
            OptionKind::Combo { .. } => {
                let is_game = ctx.info.game_option().is_some_and(|game| game.name == option.name);
                let code = if is_game { ErrorCode::NoSuchGame } else { ErrorCode::BadArgument };
                refused(" value no-such-value", code)?;
                refused("", ErrorCode::MissingArgument)?;
            }
            OptionKind::Button => drop(refused(" value 1", ErrorCode::BadArgument)?),
            // The contents of a string option are up to the engine.
            OptionKind::String { .. } => {}
        }
    }
    engine.refused("setoption name No Such Option value 1", &[ErrorCode::NoSuchOption])?;
    engine.refused("setoption", &[ErrorCode::MissingArgument])?;
    engine.expect_ready()
}

fn option_case(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    for option in &ctx.info.options {
        let OptionKind::Check { default } = &option.kind else { continue };
        let name = option.name.to_uppercase();
        let value = default.to_string().to_uppercase();
        engine.silent(&format!("setoption name {name} value {value}"))?;
    }
    engine.expect_ready()
}

fn uci(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.start()?;
    let lines = engine.hello("uci", "uciok")?;
    check_greeting(&lines)?;
    engine.silent("ucinewgame")?;
    engine.silent("position startpos")?;
    uci_clocks(&mut engine)?;
    engine.greet().map(drop)
}

fn uci_skips(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.start()?;
    engine.hello("ugi", "ugiok")?;
    engine.refused("go depth 1 mystery 5", &[ErrorCode::BadArgument])?;
    engine.hello("uci", "uciok")?;
    for parameters in ["depth 1 mystery 5", "mystery depth 1", "depth 1 searchless"] {
        engine.go(parameters, ctx.patience)?;
    }
    engine.refused("go mystery depth many", &[ErrorCode::BadArgument]).map(drop)
}

fn uci_clocks(engine: &mut CheckedEngine<'_>) -> StepResult {
    let limit = std::time::Duration::from_millis(1000);
    let best = engine.go("wtime 1000 btime 1000 winc 10 binc 10", limit)?;
    let words = best.line.split_whitespace().count();
    ensure(words == 2, "'bestmove <move>', two words", quoted(&best.line))
}
