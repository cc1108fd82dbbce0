//! `leap merge`: the parts of a plan put together, as if they had been played in one run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};

use super::args::Output;
use super::event::{Event, Run, Stop, StopReason};
use super::plan::{self, Plan};
use super::store::{self, Store, now};
use super::tally::Tally;
use super::{INCOMPLETE, conclude};

/// Put the parts of a match together that were played with --shard.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games of the plan are there, 1 some are missing, 2 could not run.\n\n\
    The merged directory is that of an ordinary match: --resume plays the games that are missing."
)]
pub struct Args {
    /// The directories of the parts.
    #[arg(value_name = "DIR", required = true)]
    pub parts: Vec<PathBuf>,
    /// The directory of the whole; it must not hold a match.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "clap would print it")]
    pub output: Output,
}

/// Runs the command. The status is 0 if the whole plan is there, 1 if games are missing.
///
/// # Errors
/// The parts are not of one plan, or hold the same game twice, or cannot be read; the status is then to be 2.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (run, tally) = check(&args.parts)?;
    let plan = Plan::new(&run.config)?;
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let whole = Run { shard: None, ..run.clone() };
    let store = Store::create(&args.out, whole)?;
    for part in &args.parts {
        store::read(part, |_, event| match event {
            Event::Start(_) | Event::Move(_) | Event::Fault(_) | Event::End(_) => {
                store.write(&event)
            }
            _ => Ok(()),
        })?;
    }
    let missing = plan.games().filter(|game| tally.next_attempt(game.number).is_some()).count();
    let stop = (missing == 0).then_some(StopReason::Complete);
    if let Some(why) = stop {
        store.write(&Event::Stop(Stop { time: now(), why }))?;
    } else {
        log::warn!("{missing} games are missing");
    }
    store.sync()?;
    conclude(&args.out, (&run.plan, &run.config), &tally, stop, plan.total(), &args.output)?;
    Ok(if missing == 0 { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

/// Holds the parts against each other; what they have begun with, and all their games.
fn check(parts: &[PathBuf]) -> anyhow::Result<(Run, Tally)> {
    let mut whole: Option<(Run, Tally)> = None;
    let mut from: BTreeMap<u64, &Path> = BTreeMap::new();
    for part in parts {
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
        for game in tally.finished.keys() {
            if let Some(other) = from.insert(*game, part) {
                bail!("game {game} is in {} and in {}", other.display(), part.display());
            }
        }
        match &mut whole {
            None => whole = Some((run, tally)),
            Some((first, games)) => {
                ensure!(
                    first.plan == run.plan,
                    "{} and {} are of different plans",
                    parts[0].display(),
                    part.display()
                );
                games.finished.extend(tally.finished);
            }
        }
    }
    whole.context("expected parts, found none")
}
