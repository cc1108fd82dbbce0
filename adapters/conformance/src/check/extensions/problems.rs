//! Problems: positions whose right moves the engine tells.

use std::collections::BTreeSet;

use leap_protocol::ErrorCode;
use leap_protocol::payload::{Legality, Problem, YesNo};

use super::step;
use crate::check::context::Context;
use crate::check::outcome::{StepResult, ensure, fail};
use crate::check::step::Step;

pub(super) fn steps() -> Vec<Step> {
    vec![step("4.49", "problems", problems).needs(&["problems", "legal"])]
}

/// The problems can be read and set up, their moves are legal, and their names differ.
fn problems(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.refused("query problems now", &[ErrorCode::BadArgument])?;
    let mut ids = BTreeSet::new();
    for line in engine.ask_lines("problems", "problems", "problemsok")? {
        let Problem { fen, best, id, .. } = match line.parse() {
            Ok(problem) => problem,
            Err(error) => return fail("a line of SPEC 4.48", format!("{error}")),
        };
        engine.silent(&format!("position fen {fen}"))?;
        let YesNo(is_over) = engine.ask_for("gameover")?;
        ensure(!is_over, format!("{id} to be undecided"), "a game that is over")?;
        for mv in &best {
            let verdict: Legality = engine.ask_for(&format!("legal {mv}"))?;
            let expected = format!("the move {mv} of {id} to be legal");
            ensure(verdict == Legality::Legal, expected, verdict.to_string())?;
        }
        ensure(ids.insert(id.clone()), "names that differ", format!("{id} twice"))?;
    }
    Ok(())
}
