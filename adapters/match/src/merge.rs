//! `leap merge`: combines the parts of a plan as if they had been played in one run.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};

use super::{INCOMPLETE, Outlook, conclude};
use crate::events::store::{self, now};
use crate::events::{Event, Run, Stop, StopReason};
use crate::lease::place::Place;
use crate::plan::args::Output;
use crate::plan::{self, Plan};
use crate::results::tally::Tally;

/// Merge the parts of a match that were played with --shard, or the batches played with --lease.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games of the plan are there, 1 some are missing, 2 could not run.\n\n\
    The merged directory is that of an ordinary match: --resume plays the games that are missing."
)]
pub struct MergeArgs {
    /// The directories of the parts, or the shared directory.
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
    let (parts, end) = parts(&args.parts)?;
    let Whole { run, tally, from } = check(&parts)?;
    let plan = Plan::new(&run.config)?;
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let missing = plan.games().filter(|game| tally.next_attempt(game.number).is_some()).count();
    let stop = end.or((missing == 0).then_some(StopReason::Complete));
    if stop.is_none() {
        log::warn!("{missing} games are missing");
    }
    let whole = Run { shard: None, ..run.clone() };
    store::create(&args.out, whole, |put| {
        for (index, part) in parts.iter().enumerate() {
            copy(part, |game| from.get(&game) == Some(&index), put)?;
        }
        stop.map_or(Ok(()), |why| put(&Event::Stop(Stop { time: now(), why })))
    })?;
    let outlook = Outlook { stop, games: plan.total() };
    conclude(&args.out, (&run.plan, &run.config), &tally, outlook, &args.output)?;
    Ok(if stop.is_some() { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

/// The directories of events: in place of a shared directory, those of its batches that count. Also returns why such a
/// match has ended.
fn parts(dirs: &[PathBuf]) -> anyhow::Result<(Vec<PathBuf>, Option<StopReason>)> {
    let (mut parts, mut ends) = (Vec::new(), None);
    for dir in dirs {
        match Place::find(dir) {
            Some(place) => {
                parts.extend(place.counted()?);
                ends = place.end()?.map(|end| end.why);
            }
            None => parts.push(dir.clone()),
        }
    }
    Ok((parts, ends))
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
        let mut tally = Tally::default();
        let run = store::read(part, |_, event| {
            tally.note(&event);
            Ok(())
        })?;
        let hash = plan::hash(&run.config)?;
        ensure!(
            hash == run.plan,
            "{}: expected a plan with the hash {hash}, found {}",
            part.display(),
            run.plan
        );
        let whole = whole.get_or_insert_with(|| {
            let (tally, from) = (Tally::default(), BTreeMap::new());
            Whole { run: run.clone(), tally, from }
        });
        ensure!(
            whole.run.plan == run.plan,
            "{} and {} are of different plans",
            parts[0].display(),
            part.display()
        );
        whole.add(index, tally, parts)?;
    }
    whole.context("expected parts, found none")
}

impl Whole {
    /// Adds the games of a part.
    fn add(&mut self, index: usize, part: Tally, parts: &[PathBuf]) -> anyhow::Result<()> {
        for (game, finished) in part.finished {
            if self.tally.finished.insert(game, finished).is_some() {
                let [one, other] = [self.from[&game], index].map(|part| parts[part].display());
                bail!("game {game} is in {one} and in {other}");
            }
            self.from.insert(game, index);
        }
        // If no part has finished the game, one of them records how often it was tried.
        for game in part.spent.keys().filter(|game| !self.tally.finished.contains_key(game)) {
            self.from.entry(*game).or_insert(index);
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
