//! A match before its first game: what is played, where it is kept, and what this machine must have for it.

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
use super::run::machine::{self, Machine, Programs};
use super::run::{Watchdog, preflight};

/// What is played.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) config: Config,
    /// The hash of the plan.
    pub(super) hash: String,
    pub(super) plan: Plan,
    pub(super) book: Option<Book>,
}

/// Where a match is kept.
pub(super) enum Place {
    /// It begins, in this directory or in a new one.
    New(Option<PathBuf>),
    /// It is resumed: the directory, the stream and the games so far, and how it has become longer.
    Kept(PathBuf, Store, Tally, Option<Grown>),
}

/// Decides what is played, and where. Nothing is written.
pub(super) fn prepare(args: &MatchArgs) -> anyhow::Result<(Match, Place)> {
    ensure!(!args.resume || args.out.is_some(), "--resume: expected --out DIR, {}", newest());
    if let Some(dir) = &args.out {
        let is_torn = store::is_torn(dir);
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
    Ok((Match::of(args)?, Place::New(args.out.clone())))
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

/// Whether the arguments define a match.
fn says_what(args: &MatchArgs) -> bool {
    args.plan != PlanArgs::default() || args.config.is_some()
}

fn resume(args: &MatchArgs, dir: &Path) -> anyhow::Result<(Match, Place)> {
    let (store, Run { plan, mut config, .. }, tally) = Store::resume(dir)?;
    let book = read_book(&config)?;
    let mut grown = None;
    // Arguments that define the match again must agree with it, but for its length.
    if says_what(args) {
        let mut asked = resolve::changed(args.plan.clone(), &config)?;
        asked.openings.sha256 = read_book(&asked)?.map(|book| book.sha256);
        grown = grow::compared(&mut config, &asked).with_context(|| dir.display().to_string())?;
    }
    let mut found = Match::new(config, book)?;
    if grown.is_none() {
        // The stream may be from another program.
        found.hash = plan;
    }
    Ok((found, Place::Kept(dir.to_owned(), store, tally, grown)))
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
    pub(super) fn new(config: Config, book: Option<Book>) -> anyhow::Result<Self> {
        config.check()?;
        let (hash, plan) = (plan::hash(&config)?, Plan::new(&config)?);
        Ok(Self { config, hash, plan, book })
    }

    /// What arguments define. The openings are read once, since a pipe can be read once.
    pub(super) fn of(args: &MatchArgs) -> anyhow::Result<Self> {
        let mut config = match &args.plan_file {
            Some(path) => plan_file(path)?,
            None => resolve::config(args.plan.clone())?,
        };
        let book = read_book(&config)?;
        config.openings.sha256 = book.as_ref().map(|book| book.sha256.clone());
        Self::new(config, book)
    }

    /// Checks that this many games can be played at a time: the limits of this program, every engine, every opening.
    pub(super) fn ready(&self, concurrency: usize, say: impl Fn(&str)) -> anyhow::Result<Machine> {
        machine::make_room(&self.config, concurrency)?;
        preflight::check(&self.config, self.book.as_ref(), say)?;
        let (programs, watchdog) = (Programs::of(&self.config), Watchdog::start()?);
        Ok(Machine { programs, watchdog, scale: None })
    }

    /// Begins the stream of this match in a directory.
    pub(super) fn create(&self, dir: &Path) -> anyhow::Result<Store> {
        let run = Run {
            schema: SCHEMA,
            by: concat!("leap ", env!("CARGO_PKG_VERSION")).to_owned(),
            time: now(),
            plan: self.hash.clone(),
            games: self.plan.total(),
            config: self.config.clone(),
        };
        Store::create(dir, run)
    }
}

fn plan_file(path: &Path) -> anyhow::Result<Config> {
    let text = files::read(path, MAX_CONFIG_BYTES)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let cannot = || format!("in {}", path.display());
    let config: Config = serde_json::from_slice(&text).with_context(cannot)?;
    config.check().with_context(cannot)?;
    Ok(config)
}

impl Place {
    /// Makes the directory and opens the stream. Returns them with the games played so far.
    pub(super) fn open(
        self,
        found: &Match,
        say: impl Fn(&str),
    ) -> anyhow::Result<(PathBuf, Store, Tally)> {
        let opened = match self {
            Self::New(out) => {
                let dir = make_dir(out.as_deref(), "match")?;
                let is_torn = store::is_torn(&dir);
                let store = found.create(&dir)?;
                if is_torn {
                    say(&format!("leap: {EVENTS} had no whole line, so the match begins anew"));
                }
                (dir, store, Tally::new(found.config.engines.len()))
            }
            Self::Kept(dir, store, mut tally, grown) => {
                let dropped = tally.drop_open();
                store.write(&Event::Resume(Resume { time: now(), dropped, grown }))?;
                (dir, store, tally)
            }
        };
        say(&format!("leap: the match is in {}", opened.0.display()));
        Ok(opened)
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
