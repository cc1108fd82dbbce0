//! What a match begins or continues with: its plan, its directory, its stream.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use leap_base::files;

use super::events::store::{self, EVENTS, Store, now};
use super::events::{Event, Grown, Resume, Run, SCHEMA};
use super::grow;
use super::plan::args::{MAX_CONFIG_BYTES, MatchArgs, PlanArgs};
use super::plan::config::Config;
use super::plan::opening::Book;
use super::plan::{self, Plan, resolve};
use super::results::tally::Tally;
use crate::stats::sprt::Sprt;

/// A match that is about to run.
pub(super) struct Match {
    pub(super) config: Config,
    pub(super) hash: String,
    pub(super) book: Option<Book>,
    /// The directory; `None` for a new one.
    out: Option<PathBuf>,
    /// The directory has a stream that holds nothing.
    pub(super) is_torn: bool,
    /// The stream and the games played so far, if a match is resumed.
    resumed: Option<(Store, Tally)>,
    /// How a match that is resumed has become longer.
    grown: Option<Grown>,
}

/// Where a match is kept, and the games played so far.
pub(super) struct Opened {
    pub(super) dir: PathBuf,
    pub(super) store: Store,
    pub(super) tally: Tally,
}

/// Decides what is played, and where. Nothing is written.
pub(super) fn prepare(args: &MatchArgs) -> anyhow::Result<Match> {
    ensure!(!args.resume || args.out.is_some(), "--resume: expected --out DIR, {}", newest());
    let is_torn = args.out.as_deref().is_some_and(store::is_torn);
    if let Some(dir) = &args.out {
        if args.resume && !is_torn && dir.join(EVENTS).exists() {
            return resume(args, dir);
        }
        let found = if is_torn { "no whole line in" } else { "no" };
        ensure!(
            !args.resume || says_what(args),
            "{}: expected a match to go on with, found {found} {EVENTS}; --engine, --config and the like say what is to \
             be begun",
            dir.display()
        );
        store::is_vacant(dir)?;
    }
    let (config, book) = configuration(args)?;
    let hash = plan::hash(&config)?;
    let out = args.out.clone();
    Ok(Match { config, hash, book, out, is_torn, resumed: None, grown: None })
}

/// What to name after `--out`: the match that was begun last in the current directory.
fn newest() -> String {
    let entries = fs::read_dir(".").into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_match =
        |name: &String| name.starts_with("match-") && Path::new(name).join(EVENTS).is_file();
    match names.filter(is_match).max() {
        Some(name) => format!("as in '--resume --out {name}'"),
        None => "the directory of the match, which was printed when it began".to_owned(),
    }
}

/// What is played, and the openings. They are read once, since a pipe can be read once.
pub(super) fn configuration(args: &MatchArgs) -> anyhow::Result<(Config, Option<Book>)> {
    let mut config = match &args.plan_file {
        Some(path) => plan_file(path)?,
        None => resolve::config(args.plan.clone())?,
    };
    let book = read_book(&config)?;
    config.openings.sha256 = book.as_ref().map(|book| book.sha256.clone());
    Ok((config, book))
}

fn plan_file(path: &Path) -> anyhow::Result<Config> {
    let text = files::read(path, MAX_CONFIG_BYTES)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let cannot = || format!("in {}", path.display());
    let config: Config = serde_json::from_slice(&text).with_context(cannot)?;
    config.check().with_context(cannot)?;
    Ok(config)
}

/// The sequential test that the arguments define.
pub(super) fn test(args: &MatchArgs) -> anyhow::Result<Option<Sprt>> {
    resolve::sprt(&args.plan.sprt).context("--sprt")
}

/// Whether the arguments define a match.
fn says_what(args: &MatchArgs) -> bool {
    args.plan != PlanArgs::default() || args.config.is_some()
}

fn resume(args: &MatchArgs, dir: &Path) -> anyhow::Result<Match> {
    let mut tally = Tally::default();
    let (store, Run { plan: mut hash, mut config, .. }) = Store::resume(dir, |_, event| {
        tally.note(&event);
        Ok(())
    })?;
    let book = read_book(&config)?;
    let mut grown = None;
    // Arguments that define the match again must agree with it, but for its length.
    if says_what(args) {
        let (mut asked, keys) = grow::asked(args.plan.clone())?;
        asked.openings.sha256 = read_book(&asked)?.map(|book| book.sha256);
        grown = grow::compared(&mut config, &asked, &keys)
            .with_context(|| dir.display().to_string())?;
        hash = plan::hash(&config)?;
    }
    let (out, resumed) = (Some(dir.to_owned()), Some((store, tally)));
    Ok(Match { config, hash, book, out, is_torn: false, resumed, grown })
}

/// The book of openings, if there is one. It must be the one of the plan, if the plan has begun.
fn read_book(config: &Config) -> anyhow::Result<Option<Book>> {
    let Some(path) = &config.openings.file else { return Ok(None) };
    let book = Book::read(path, config.book_seed())?;
    ensure!(
        config.openings.sha256.as_ref().is_none_or(|expected| *expected == book.sha256),
        "{}: expected the openings that the plan began with, found others",
        path.display()
    );
    Ok(Some(book))
}

impl Match {
    /// Makes the directory and opens the stream.
    pub(super) fn open(&mut self, plan: &Plan) -> anyhow::Result<Opened> {
        let dir = make_dir(self.out.as_deref(), "match")?;
        if let Some((store, tally)) = self.resumed.take() {
            let (dropped, grown) = (tally.in_flight(), self.grown.take());
            store.write(&Event::Resume(Resume { time: now(), dropped, grown }))?;
            return Ok(Opened { dir, store, tally });
        }
        let run = first_event(&self.config, &self.hash, plan);
        let store = Store::create(&dir, run)?;
        Ok(Opened { dir, store, tally: Tally::default() })
    }
}

/// The event that a stream begins with.
pub(super) fn first_event(config: &Config, hash: &str, plan: &Plan) -> Run {
    Run {
        schema: SCHEMA,
        by: concat!("leap ", env!("CARGO_PKG_VERSION")).to_owned(),
        time: now(),
        plan: hash.to_owned(),
        games: plan.total(),
        config: config.clone(),
    }
}

/// Makes a directory for what a run writes: the one that was asked for, or a new one named after `kind` and the time.
///
/// # Errors
/// If it cannot be made.
pub fn make_dir(out: Option<&Path>, kind: &str) -> anyhow::Result<PathBuf> {
    let cannot = |dir: &Path| format!("cannot create {}", dir.display());
    if let Some(dir) = out {
        fs::create_dir_all(dir).with_context(|| cannot(dir))?;
        return Ok(dir.to_owned());
    }
    let stem = format!("{kind}-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ"));
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
