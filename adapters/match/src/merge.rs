//! `leap merge`: combines parts of a plan as if they had been played in one run.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};

use crate::conclusion::{conclude, exit_status};
use crate::events::games::{Finished, Games};
use crate::events::store::{self, now};
use crate::events::{Event, Run, Stop, StopReason};
use crate::lease::directory::SharedDirectory;
use crate::plan::args::Output;
use crate::plan::{self, Match, Plan};
use crate::results::tally::Tally;

/// Merge the batches of a match that several runners shared with --lease.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games of the plan are there, 1 some are missing, 2 could not run.\n\n\
    The merged directory is that of an ordinary match: --resume plays the games that are missing."
)]
pub struct MergeArgs {
    /// The shared directory, or directories of parts of one plan.
    #[arg(value_name = "DIR", required = true)]
    pub parts: Vec<PathBuf>,
    /// The directory for the result; it must not contain a match.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub output: Output,
}

/// Runs the command. The exit status is 0 if the whole plan is there, 1 if games are missing.
///
/// # Errors
/// If the parts are not of one plan, contain the same game twice, or cannot be read; the exit status is then 2.
pub fn run(args: MergeArgs) -> anyhow::Result<ExitCode> {
    store::is_vacant(&args.out)?;
    let Parts { dirs: parts, end, counted } = parts(&args.parts)?;
    let Whole { run, tally, from } = check(&parts)?;
    are_as_counted(&tally, &counted)?;
    let found = Match::new(run.config.clone(), None)?;
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    // A test may end before the plan does, but not before the games that it has counted.
    let missing = match end {
        Some(StopReason::Sprt) => absent(&tally, counted.keys().copied()),
        _ => absent_of_plan(&tally, found.plan.clone()),
    };
    let stop = missing.is_empty().then_some(end.unwrap_or(StopReason::Complete));
    if stop.is_none() {
        args.output.say(&named(&missing));
    }
    store::create(&args.out, run, |put| {
        for (index, part) in parts.iter().enumerate() {
            copy(part, |game| from.get(&game) == Some(&index), put)?;
        }
        stop.map_or(Ok(()), |why| put(&Event::Stop(Stop { time: now(), why })))
    })?;
    conclude(&args.out, &found, &tally, stop, &args.output)?;
    Ok(exit_status(stop))
}

/// What is merged.
#[derive(Default)]
pub(crate) struct Parts {
    /// The directories of events: in place of a shared directory, those of its batches that count.
    pub(crate) dirs: Vec<PathBuf>,
    /// Why a shared match has ended.
    end: Option<StopReason>,
    /// The games of a shared match, as its runners have counted them.
    counted: BTreeMap<u64, Finished>,
}

pub(crate) fn parts(dirs: &[PathBuf]) -> anyhow::Result<Parts> {
    let mut parts = Parts::default();
    for dir in dirs {
        let Some(directory) = SharedDirectory::find(dir) else {
            parts.dirs.push(dir.clone());
            continue;
        };
        for (dir, games) in directory.counted()? {
            parts.dirs.push(dir);
            parts.counted.extend(games);
        }
        parts.end = directory.end()?.map(|end| end.why);
    }
    Ok(parts)
}

/// The games of a shared match have the results that its runners have counted.
fn are_as_counted(tally: &Tally, counted: &BTreeMap<u64, Finished>) -> anyhow::Result<()> {
    for (game, expected) in counted {
        let found = tally.result(*game);
        ensure!(
            found.is_none_or(|found| found == expected),
            "game {game}: expected the result that was counted, found another one in the events"
        );
    }
    Ok(())
}

/// The games that have no result.
fn absent(tally: &Tally, games: impl Iterator<Item = u64>) -> Vec<u64> {
    games.filter(|game| tally.result(*game).is_none()).collect()
}

/// The games of the plan that have no result, those included that follow from results.
fn absent_of_plan(tally: &Tally, mut plan: Plan) -> Vec<u64> {
    loop {
        let missing = absent(tally, plan.games().map(|game| game.number));
        if !missing.is_empty() || !plan.extend(|game| tally.half_points(game)) {
            return missing;
        }
    }
}

/// Says which games are missing.
fn named(missing: &[u64]) -> String {
    const NAMED: usize = 10;
    let numbers: Vec<String> = missing.iter().take(NAMED).map(u64::to_string).collect();
    let more = if missing.len() > NAMED { ", ..." } else { "" };
    let what = if missing.len() == 1 { "game is" } else { "games are" };
    format!("leap: {} {what} missing: {}{more}", missing.len(), numbers.join(", "))
}

/// The merged state of all parts.
struct Whole {
    run: Run,
    tally: Tally,
    /// For each game, the index of the part that it is taken from.
    from: BTreeMap<u64, usize>,
}

/// Checks the parts against each other.
fn check(parts: &[PathBuf]) -> anyhow::Result<Whole> {
    let mut whole: Option<Whole> = None;
    for (index, part) in parts.iter().enumerate() {
        let (run, games) = store::read_games(part, |_, _| Ok(()))?;
        let hash = plan::hash(&run.config)?;
        ensure!(
            hash == run.plan,
            "{}: expected a plan with the hash {hash}, found {}",
            part.display(),
            run.plan
        );
        let whole = whole.get_or_insert_with(|| {
            let tally = Tally::new(run.config.engines.len());
            Whole { run: run.clone(), tally, from: BTreeMap::new() }
        });
        ensure!(
            whole.run.plan == run.plan,
            "{} and {} are of different plans",
            parts[0].display(),
            part.display()
        );
        whole.add(index, &games, parts)?;
    }
    whole.context("expected parts, found none")
}

impl Whole {
    /// Adds the games of a part.
    fn add(&mut self, index: usize, part: &Games, parts: &[PathBuf]) -> anyhow::Result<()> {
        for (game, &finished) in part.results() {
            if !self.tally.finish(game, finished) {
                let [one, other] = [self.from[&game], index].map(|part| parts[part].display());
                bail!("game {game} is in {one} and in {other}");
            }
            self.from.insert(game, index);
        }
        // If no part has finished the game, one of them records how often it was tried.
        for game in part.tried().filter(|game| self.tally.result(*game).is_none()) {
            self.from.entry(game).or_insert(index);
        }
        Ok(())
    }
}

/// Copies the events of the selected games. Games that never ended are left out.
fn copy(
    part: &Path,
    wanted: impl Fn(u64) -> bool,
    put: &mut dyn FnMut(&Event) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut open: HashMap<u64, Vec<Event>> = HashMap::new();
    store::read(part, |_, event| {
        let Some(game) = event.game().filter(|game| wanted(*game)) else { return Ok(()) };
        let (begins, ends) = (matches!(event, Event::Start(_)), matches!(event, Event::End(_)));
        let told = open.entry(game).or_default();
        if begins {
            told.clear();
        }
        told.push(event);
        let done = if ends { open.remove(&game) } else { None };
        done.iter().flatten().try_for_each(&mut *put)
    })
    .map(drop)
}
