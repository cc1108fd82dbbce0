//! What a match is begun with or goes on with: its plan, its directory, its stream.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::events::store::{self, EVENTS, Store, now};
use super::events::{Event, Resume, Run, SCHEMA};
use super::plan::args::{MAX_CONFIG_BYTES, MatchArgs, PlanArgs};
use super::plan::config::{Config, Openings};
use super::plan::opening::Book;
use super::plan::{self, Plan, Shard, resolve};
use super::results::tally::Tally;
use crate::files;
use crate::stats::sprt::Sprt;

/// A match that is about to run.
pub(super) struct Match {
    pub(super) config: Config,
    pub(super) hash: String,
    pub(super) shard: Option<Shard>,
    pub(super) book: Option<Book>,
    /// The directory; `None` for a new one.
    out: Option<PathBuf>,
    /// The stream and the games played so far, if a match is resumed.
    resumed: Option<(Store, Tally)>,
}

/// Where a match is kept, and the games played so far.
pub(super) struct Opened {
    pub(super) dir: PathBuf,
    pub(super) store: Store,
    pub(super) tally: Tally,
}

/// Decides what is played, and where. Nothing is written.
pub(super) fn prepare(args: &MatchArgs) -> anyhow::Result<Match> {
    if let Some(dir) = &args.out {
        if args.resume && dir.join(EVENTS).exists() {
            return resume(args, dir);
        }
        ensure!(
            !args.resume || says_what(args),
            "{}: expected a match to go on with, found no {EVENTS}; --engine, --config and the like say what is to be \
             begun",
            dir.display()
        );
        store::is_vacant(dir)?;
    }
    let config = configuration(args)?;
    let book = read_book(&config.openings)?;
    let hash = plan::hash(&config)?;
    Ok(Match { config, hash, shard: args.shard, book, out: args.out.clone(), resumed: None })
}

fn configuration(args: &MatchArgs) -> anyhow::Result<Config> {
    if let Some(path) = &args.plan_file {
        let text = files::read(path, MAX_CONFIG_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        return serde_json::from_slice(&text).with_context(|| format!("in {}", path.display()));
    }
    resolve::config(plan_args(args)?)
}

/// What the command line and the file say together.
fn plan_args(args: &MatchArgs) -> anyhow::Result<PlanArgs> {
    let file = args.config.as_deref().map(PlanArgs::read).transpose()?.unwrap_or_default();
    Ok(args.plan.clone().over(file))
}

/// The sequential test that the arguments define.
pub(super) fn test(args: &MatchArgs) -> anyhow::Result<Option<Sprt>> {
    resolve::sprt(&plan_args(args)?.sprt).context("--sprt")
}

/// Whether the arguments define a match.
fn says_what(args: &MatchArgs) -> bool {
    args.plan != PlanArgs::default() || args.config.is_some()
}

fn resume(args: &MatchArgs, dir: &Path) -> anyhow::Result<Match> {
    let mut tally = Tally::default();
    let (store, Run { plan: hash, shard, config, .. }) = Store::resume(dir, |_, event| {
        tally.note(&event);
        Ok(())
    })?;
    // Arguments that define the match again must agree with it.
    if says_what(args) {
        let asked = plan::hash(&configuration(args)?)?;
        ensure!(
            asked == hash,
            "{} holds a match of another plan: expected {asked}, found {hash}; --resume and --out alone go on with it",
            dir.display()
        );
    }
    if let Some(asked) = args.shard {
        let found = shard.map_or_else(|| "all of it".to_owned(), |shard| shard.to_string());
        ensure!(
            Some(asked) == shard,
            "{} holds another part of the plan: expected {asked}, found {found}",
            dir.display()
        );
    }
    let book = read_book(&config.openings)?;
    let resumed = Some((store, tally));
    Ok(Match { config, hash, shard, book, out: Some(dir.to_owned()), resumed })
}

/// The book of openings, if there is one.
fn read_book(openings: &Openings) -> anyhow::Result<Option<Book>> {
    let Some(path) = &openings.file else { return Ok(None) };
    let book = Book::read(path)?;
    ensure!(
        Some(&book.sha256) == openings.sha256.as_ref(),
        "{}: expected the openings that the plan began with, found others",
        path.display()
    );
    Ok(Some(book))
}

impl Match {
    /// Makes the directory and opens the stream.
    pub(super) fn open(&mut self, plan: &Plan) -> anyhow::Result<Opened> {
        let dir = make_dir(self.out.as_deref())?;
        if let Some((store, tally)) = self.resumed.take() {
            store.write(&Event::Resume(Resume { time: now(), dropped: tally.in_flight() }))?;
            return Ok(Opened { dir, store, tally });
        }
        let run = Run {
            schema: SCHEMA,
            by: concat!("leap ", env!("CARGO_PKG_VERSION")).to_owned(),
            time: now(),
            plan: self.hash.clone(),
            games: plan.total(),
            shard: self.shard,
            config: self.config.clone(),
        };
        let store = Store::create(&dir, run)?;
        Ok(Opened { dir, store, tally: Tally::default() })
    }
}

/// Makes the directory of a match: the one that was asked for, or a new one that no other match has.
fn make_dir(out: Option<&Path>) -> anyhow::Result<PathBuf> {
    let cannot = |dir: &Path| format!("cannot create {}", dir.display());
    if let Some(dir) = out {
        fs::create_dir_all(dir).with_context(|| cannot(dir))?;
        return Ok(dir.to_owned());
    }
    let stem = format!("match-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ"));
    let others = (2..).map(|number| format!("{stem}-{number}"));
    for name in std::iter::once(stem.clone()).chain(others) {
        let dir = PathBuf::from(name);
        match fs::create_dir(&dir) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            done => return done.with_context(|| cannot(&dir)).map(|()| dir),
        }
    }
    unreachable!("the names do not end")
}
