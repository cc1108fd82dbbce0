//! A match before its first game: what is played, and where it is kept.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::events::store::{self, EVENTS, Store, now};
use crate::events::{Event, Grown, Resume, Run};
use crate::grow;
use crate::plan::args::MatchArgs;
use crate::plan::{self, Match, resolve};
use crate::results::tally::Tally;

/// Where a match is kept.
pub(super) enum Place {
    /// It begins, in this directory or in a new one.
    New(Option<PathBuf>),
    /// It is resumed.
    Kept(Box<Kept>),
}

/// A match that goes on.
pub(super) struct Kept {
    dir: PathBuf,
    store: Store,
    /// The games so far.
    tally: Tally,
    /// The games that were in flight.
    dropped: Vec<u64>,
    /// How it has become longer.
    grown: Option<Grown>,
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
            !args.resume || args.says_what(),
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

fn resume(args: &MatchArgs, dir: &Path) -> anyhow::Result<(Match, Place)> {
    let (store, Run { plan, mut config, .. }, mut games) = Store::resume(dir)?;
    let dropped = games.drop_open();
    let book = plan::read_book(&config)?;
    let mut grown = None;
    // Arguments that define the match again must agree with it, but for its length.
    if args.says_what() {
        let mut asked = resolve::changed(args.plan.clone(), &config)?;
        asked.openings.sha256 = plan::read_book(&asked)?.map(|book| book.sha256);
        grown = grow::compared(&mut config, &asked).with_context(|| dir.display().to_string())?;
    }
    let tally = Tally::of(games, config.engines.len());
    let mut found = Match::new(config, book)?;
    if grown.is_none() {
        // The stream may be from another program.
        found.hash = plan;
    }
    let kept = Kept { dir: dir.to_owned(), store, tally, dropped, grown };
    Ok((found, Place::Kept(Box::new(kept))))
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
                let store = Store::create(&dir, Run::of(found))?;
                if is_torn {
                    say(&format!("leap: {EVENTS} had no whole line, so the match begins anew"));
                }
                (dir, store, Tally::new(found.config.engines.len()))
            }
            Self::Kept(kept) => {
                let Kept { dir, store, tally, dropped, grown } = *kept;
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
