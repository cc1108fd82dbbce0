//! A move entered so far, as one answer.

use leap_protocol::payload::{Awaited, Effects, Legality, NextToken, Tokens, Turn, TurnEnd};

use super::{Walk, along, step};
use crate::check::context::Context;
use crate::check::engine::{CheckedEngine, quoted};
use crate::check::outcome::{StepResult, ensure, fail};
use crate::check::step::Step;
use leap_client::notation::tokens;

/// Plies of the random games.
const PLIES: usize = 16;
/// Moves entered in each position.
const MOVES: usize = 4;

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("4.45", "turn-offers-what-next-offers", offers).needs(&["turn", "next", "moves"]),
        step("4.44", "turn-knows-what-comes-after", knows_ahead).needs(&["turn", "moves"]),
        step("4.45", "turn-effects-are-those-of-moves", does).needs(&["turn", "effects", "moves"]),
        step("4.43", "turn-refuses-what-legal-refuses", refuses).needs(&["turn", "legal", "moves"]),
    ]
}

fn turn(engine: &mut CheckedEngine<'_>, text: &str) -> StepResult<Turn> {
    engine.ask_for(format!("turn {text}").trim_end())
}

/// Visits the answers for each beginning of some moves along a random game.
fn along_turns(
    ctx: &Context<'_>,
    seed: u64,
    mut visit: impl FnMut(&mut CheckedEngine<'_>, &mut Walk, &str, &Turn) -> StepResult,
) -> StepResult {
    along(&mut ctx.set_up()?, seed, PLIES, |engine, walk, list| {
        for mv in walk.sample(list, MOVES) {
            let Some(parts) = tokens(mv) else { return fail("a move text", quoted(mv)) };
            let mut text = String::new();
            for part in parts.into_iter().chain([""]) {
                let turn = turn(engine, &text)?;
                let whole = turn.entered == text && turn.refused.is_none();
                ensure(whole, format!("'{text}' to be entered, towards {mv}"), turn.to_string())?;
                visit(engine, walk, &text, &turn)?;
                text.push_str(part);
            }
        }
        Ok(())
    })
}

fn offers(ctx: &Context<'_>) -> StepResult {
    along_turns(ctx, 15, |engine, _, text, turn| {
        let next: Tokens = engine.ask_for(format!("next {text}").trim_end())?;
        let end = turn.may_end().then_some(Tokens::END);
        let offered: Vec<&str> = turn.next.iter().map(|next| &*next.token).chain(end).collect();
        let expected = format!("after '{text}', as 'query next' says: {next}");
        ensure(offered == next.0, expected, offered.join(" "))
    })
}

/// The kinds of what an answer offers.
fn kinds(turn: &Turn) -> Vec<Awaited> {
    let end = turn.may_end().then_some(Awaited::End);
    let mut kinds: Vec<Awaited> = turn.next.iter().map(|next| next.kind).chain(end).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn knows_ahead(ctx: &Context<'_>) -> StepResult {
    along_turns(ctx, 16, |engine, walk, text, now| {
        ensure(now.awaits == kinds(now), "to await the kinds that are offered", now.to_string())?;
        if now.next.is_empty() {
            return Ok(());
        }
        let NextToken { token, then, .. } = &now.next[walk.below(now.next.len())];
        let after = turn(engine, &format!("{text}{token}"))?;
        let expected = format!("after '{text}{token}' what was told before: {then:?}");
        ensure(after.awaits == *then, expected, after.to_string())
    })
}

fn does(ctx: &Context<'_>) -> StepResult {
    let mut before = Vec::new();
    along_turns(ctx, 17, |engine, _, text, turn| {
        if text.is_empty() {
            before.clear();
        }
        let goes_on = turn.effects.0.starts_with(&before);
        ensure(goes_on, format!("'{text}' to go on from what was done"), turn.to_string())?;
        before.clone_from(&turn.effects.0);
        let Some(told) = turn.whole_effects() else { return Ok(()) };
        let effects: Effects = engine.ask_for(&format!("effects {text}"))?;
        ensure(told == effects, format!("the effects of {text}: {effects}"), told.to_string())
    })
}

fn refuses(ctx: &Context<'_>) -> StepResult {
    along_turns(ctx, 18, |engine, _, text, before| {
        for wrong in ["z99", "@@", "end"] {
            let wrong = format!("{text}{wrong}");
            let found = turn(engine, &wrong)?;
            let legality: Legality = engine.ask_for(&format!("legal {wrong}"))?;
            let Legality::Illegal { reason, at, .. } = legality else {
                return fail(format!("'{wrong}' not to be legal"), "true");
            };
            let told = found.refused.as_ref().map(|refused| (&refused.reason, &refused.at));
            let expected = format!("'{wrong}' to be refused for {reason}, as 'query legal' says");
            ensure(told == Some((&reason, &at)), expected, found.to_string())?;
            let stands = found.entered == text && found.effects == before.effects;
            ensure(stands, format!("'{text}' to stand in '{wrong}'"), found.to_string())?;
        }
        unfinished(engine, text, before)
    })
}

/// Expects what is no move to be unfinished for the reason of `query legal`.
fn unfinished(engine: &mut CheckedEngine<'_>, text: &str, turn: &Turn) -> StepResult {
    if text.is_empty() {
        return Ok(());
    }
    let legality: Legality = engine.ask_for(&format!("legal {text}"))?;
    let right = match (&turn.end, &legality) {
        (TurnEnd::Move { .. }, Legality::Legal) => true,
        (TurnEnd::Unfinished { reason, .. }, Legality::Illegal { reason: why, .. }) => {
            reason == why
        }
        _ => false,
    };
    ensure(right, format!("'{text}' to end as 'query legal' says: {legality}"), turn.to_string())
}
