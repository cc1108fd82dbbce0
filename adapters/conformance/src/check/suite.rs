//! Selecting the steps, assigning them to games, and running them.

use std::cell::RefCell;
use std::time::Instant;

use leap_base::terminal::Progress;

use super::context::{Context, LEAP};
use super::outcome::StepError;
use super::report::{StepReport, StepStatus};
use super::rules::RulesArgs;
use super::step::{Level, Scope, Step};
use super::{extensions, handshake, limits, play, process, robustness, rules, session, ugi};

/// Which steps to run.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// Levels; all but *ugi* if empty.
    pub(super) levels: Vec<Level>,
    /// Games; all if empty.
    pub(super) games: Vec<String>,
    /// Substrings of `<level> <clause> <name>`, one of which must match; all steps if empty.
    pub(super) filters: Vec<String>,
}

impl Selection {
    fn takes(&self, step: &Step) -> bool {
        let title = format!("{} {step}", step.level);
        let game = match &step.scope {
            Scope::Game(game) => self.takes_game(game),
            Scope::Once | Scope::EachGame => true,
        };
        let by_default = self.levels.is_empty() && step.level != Level::Ugi;
        game && (by_default || self.levels.contains(&step.level))
            && (self.filters.is_empty() || self.filters.iter().any(|part| title.contains(part)))
    }

    fn takes_game(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|chosen| chosen == game)
    }
}

/// The selected steps, in the order in which they are run.
///
/// # Errors
/// As [`rules::steps`].
pub(super) fn steps(selection: &Selection, files: &RulesArgs) -> anyhow::Result<Vec<Step>> {
    let levels = [
        (Level::Ugi, ugi::steps()),
        (Level::Process, process::steps()),
        (Level::Handshake, handshake::steps()),
        (Level::Play, play::steps()),
        (Level::Session, session::steps()),
        (Level::Limits, limits::steps()),
        (Level::Robustness, robustness::steps()),
        (Level::Extensions, extensions::steps()),
        (Level::Rules, rules::steps(files)?),
    ];
    let steps = levels
        .into_iter()
        .flat_map(|(level, steps)| steps.into_iter().map(move |step| Step { level, ..step }));
    Ok(steps.filter(|step| selection.takes(step)).collect())
}

/// Runs the steps, each in its games, and reports each one as soon as it is done.
pub(super) fn run(
    steps: &[Step],
    selection: &Selection,
    ctx: &Context<'_>,
    progress: &Progress,
    mut done: impl FnMut(&StepReport),
) -> Vec<StepReport> {
    let mut reports = Vec::new();
    for step in steps {
        for game in games(step, selection, ctx) {
            progress.at(reports.len() as u64, &stage(step, game.as_deref()));
            let report = run_step(step, game, ctx);
            progress.suspend(|| done(&report));
            reports.push(report);
        }
    }
    reports
}

/// How often the steps are run, in all their games.
pub(super) fn count(steps: &[Step], selection: &Selection, ctx: &Context<'_>) -> u64 {
    steps.iter().map(|step| games(step, selection, ctx).len() as u64).sum()
}

/// What is being tested.
fn stage(step: &Step, game: Option<&str>) -> String {
    let game = game.map(|game| format!(" [{game}]")).unwrap_or_default();
    format!("level {}, {}{game}", step.level, step.name)
}

/// The games in which a step is run; `None` is the engine's default game.
fn games(step: &Step, selection: &Selection, ctx: &Context<'_>) -> Vec<Option<String>> {
    match &step.scope {
        Scope::Game(game) => vec![Some(game.clone())],
        // If games were selected, steps that are run once use the first of them.
        Scope::Once => vec![selection.games.first().cloned()],
        Scope::EachGame if ctx.info.games.is_empty() => vec![None],
        Scope::EachGame => {
            let chosen = ctx.info.games.iter().filter(|game| selection.takes_game(game));
            chosen.cloned().map(Some).collect()
        }
    }
}

fn run_step(step: &Step, game: Option<String>, base: &Context<'_>) -> StepReport {
    let ctx = Context { game, log: RefCell::default(), ..*base };
    let begun = Instant::now();
    let verdict = match unfit(step, &ctx) {
        Some(why) => StepStatus::Skipped(why),
        None => match (step.run)(&ctx) {
            Ok(()) => StepStatus::Passed,
            Err(StepError::Skipped(why)) => StepStatus::Skipped(why),
            Err(StepError::Failed { expected, got }) => StepStatus::Failed { expected, got },
        },
    };
    StepReport {
        level: step.level,
        clause: step.clause.to_string(),
        name: step.name.to_string(),
        game: ctx.game,
        verdict,
        millis: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        dialogue: ctx.log.into_inner(),
    }
}

/// Why the step does not apply to the engine, if it does not.
fn unfit(step: &Step, ctx: &Context<'_>) -> Option<String> {
    if !ctx.greeted {
        let vital = step.level == Level::Handshake && step.name == handshake::GREETING;
        return (!vital).then(|| "the engine does not answer 'ugi' by 'ugiok'".to_owned());
    }
    if let Some(game) = &ctx.game
        && !ctx.info.games.contains(game)
    {
        return Some(format!("the engine does not announce the game '{game}'"));
    }
    let missing = step.needs.iter().find(|need| !ctx.has(need))?;
    Some(match missing.as_ref() {
        LEAP => "the engine does not answer 'query protocol'".to_owned(),
        name => format!("the engine does not announce '{name}'"),
    })
}
