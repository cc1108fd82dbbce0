//! `leap match`: automated matches of any engines in any game, with a referee.
//!
//! A match uses four modules: [`plan`] decides what is played, `run` has workers play one game at a time each,
//! [`events`] record in a file what happens, and `results` are derived from them.

pub mod events;
pub mod merge;
pub mod plan;
pub(crate) mod results;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use events::recorder::write_records;
use events::store::{self, EVENTS, Store, now};
use events::{Event, Reason, Resume, Run, SCHEMA, Stop, StopReason};
pub use plan::args::MatchArgs;
use plan::args::{MAX_CONFIG_BYTES, Output, PlanArgs};
use plan::config::{Config, Openings};
use plan::opening::Book;
use plan::{Plan, Shard, resolve};
use results::display::{MatchDisplay, MatchResults};
use results::standings::{self, sprt, standings};
use results::tally::Tally;
use run::scheduler::{self, Progress, Settings};
use run::{
    Clock, Engine, STDERR, Shared, StderrLog, Watchdog, WireLog, start_referee, watch_for_drain,
};

use crate::client::Client;
use crate::files;

/// The exit status if games are left to be played.
const INCOMPLETE: u8 = 1;

/// A match that is about to run.
struct Match {
    config: Config,
    hash: String,
    shard: Option<Shard>,
    dir: PathBuf,
    /// The stream and the games played so far, if a match is resumed.
    resumed: Option<(Store, Tally)>,
}

/// Runs the command. The exit status is 0 if all games have been played or a test has reached a decision, 1 if games
/// are left.
///
/// # Errors
/// If the match cannot be played: bad arguments, no referee, a directory that cannot be written; the exit status is
/// then 2.
pub fn run(args: MatchArgs) -> anyhow::Result<ExitCode> {
    let drain = watch_for_drain()?;
    let mut found = prepare(&args)?;
    let mut plan = Plan::new(&found.config)?;
    ensure!(
        found.shard.is_none() || plan.total().is_some(),
        "--shard: expected a format whose pairings do not depend on results"
    );
    let own = |plan: &Plan| plan.games().filter(|game| game.is_in(found.shard)).count() as u64;
    let games = plan.total().map(|_| own(&plan));
    let book = read_book(&found.config.openings)?;
    fs::create_dir_all(&found.dir)
        .with_context(|| format!("cannot create {}", found.dir.display()))?;
    try_engines(&found, args.output.quiet)?;
    let (store, mut tally) = open(&mut found, &plan)?;
    let shared =
        Shared { config: found.config, book, store, dir: found.dir, watchdog: Watchdog::start()? };
    let display = MatchDisplay::new(&shared.config, games, args.output.quiet);
    display.standing(&tally);
    let settings = Settings {
        concurrency: args.concurrency.map_or(1, usize::from),
        affinity: args.affinity,
        shard: found.shard,
    };
    let begun = Instant::now();
    let going_on =
        |tally: &Tally| sprt(&shared.config, tally).is_none_or(|status| status.decision.is_none());
    let on_progress = |progress: Progress<'_>, tally: &Tally| {
        tell(&display, &progress, tally);
        if matches!(progress, Progress::Ended(..)) {
            rate(&shared, tally)?;
        }
        Ok(going_on(tally))
    };
    let stop = match going_on(&tally) {
        true => scheduler::run(&shared, &mut plan, &mut tally, settings, &drain, on_progress)?,
        false => StopReason::Sprt,
    };
    warn_of_overload(&shared.config, shared.watchdog.longest_since(begun), &display);
    display.finish();
    shared.store.write(&Event::Stop(Stop { time: now(), why: stop }))?;
    shared.store.sync()?;
    let whole = (found.hash.as_str(), &shared.config);
    conclude(&shared.dir, whole, &tally, Some(stop), games, &args.output)?;
    Ok(match stop {
        StopReason::Complete | StopReason::Sprt => ExitCode::SUCCESS,
        StopReason::Drained => ExitCode::from(INCOMPLETE),
    })
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

/// Warns of a delay by the operating system that may have cost a player its time.
fn warn_of_overload(config: &Config, delay: Duration, display: &MatchDisplay<'_>) {
    let is_timed = config.engines.iter().any(|engine| Clock::new(engine.limit).allowed().is_some());
    if is_timed && delay > Duration::from_millis(config.margin_ms) {
        display.say(&format!(
            "leap: this machine is overloaded: it held the match up by {} ms, the margin is {} ms; a lower --concurrency \
             or a larger --margin helps",
            delay.as_millis(),
            config.margin_ms
        ));
    }
}

/// Writes the records and prints the results. `games` is the planned number of games.
fn conclude(
    dir: &Path,
    (hash, config): (&str, &Config),
    tally: &Tally,
    stop: Option<StopReason>,
    games: Option<u64>,
    output: &Output,
) -> anyhow::Result<()> {
    write_records(dir)?;
    let results = MatchResults {
        plan: hash,
        stop,
        finished: tally.finished.len() as u64,
        games,
        sprt: sprt(config, tally),
        engines: standings(config, tally),
    };
    if !output.quiet || output.json {
        results.print(output.json)?;
    }
    Ok(())
}

/// Records the ratings at growing intervals, which is enough to follow a long match.
fn rate(shared: &Shared, tally: &Tally) -> anyhow::Result<()> {
    let games = tally.finished.len();
    if !games.is_multiple_of((games / 20).max(2)) {
        return Ok(());
    }
    let ratings = standings::ratings(&shared.config, tally);
    ratings.into_iter().try_for_each(|rating| shared.store.write(&Event::Rating(rating)))
}

fn tell(display: &MatchDisplay, progress: &Progress<'_>, tally: &Tally) {
    match progress {
        Progress::Ended(game, end) => {
            display.ended(game, end);
            display.standing(tally);
        }
        Progress::Draining => display.say(
            "leap: the games in flight are played to their end, --resume plays the rest; again to stop at once",
        ),
    }
}

/// Decides what is played, and where.
fn prepare(args: &MatchArgs) -> anyhow::Result<Match> {
    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => {
            PathBuf::from(format!("match-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ")))
        }
    };
    if args.resume && dir.join(EVENTS).exists() {
        return resume(args, dir);
    }
    ensure!(
        !args.resume || says_what(args),
        "{}: expected a match to go on with, found no {EVENTS}; --engine, --config and the like say what is to be begun",
        dir.display()
    );
    store::is_vacant(&dir)?;
    let config = configuration(args)?;
    Ok(Match { hash: plan::hash(&config)?, config, shard: args.shard, dir, resumed: None })
}

fn configuration(args: &MatchArgs) -> anyhow::Result<Config> {
    if let Some(path) = &args.plan_file {
        let text = files::read(path, MAX_CONFIG_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        return serde_json::from_slice(&text).with_context(|| format!("in {}", path.display()));
    }
    let file = args.config.as_deref().map(PlanArgs::read).transpose()?.unwrap_or_default();
    resolve::config(args.plan.clone().over(file))
}

/// Whether the arguments define a match.
fn says_what(args: &MatchArgs) -> bool {
    args.plan != PlanArgs::default() || args.config.is_some()
}

fn resume(args: &MatchArgs, dir: PathBuf) -> anyhow::Result<Match> {
    let mut tally = Tally::default();
    let (store, Run { plan: hash, shard, config, .. }) = Store::resume(&dir, |_, event| {
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
    Ok(Match { config, hash, shard, dir, resumed: Some((store, tally)) })
}

/// Starts every engine once, so that wrong arguments are noticed now and not after a day.
fn try_engines(found: &Match, quiet: bool) -> anyhow::Result<()> {
    let Match { config, dir, .. } = found;
    let stderr = StderrLog::new(dir.join(STDERR).join("start.txt"));
    if let Some(referee) = &config.referee {
        start_referee(referee, config, &stderr, &WireLog::new()).context("the referee")?;
    }
    for engine in &config.engines {
        Client::start(&engine.command(), Stdio::null()).with_context(|| engine.name.clone())?;
        match Engine::start(engine, config, &stderr, &WireLog::new()) {
            Ok(_) => {}
            Err(trouble) if trouble.kind == Reason::Refused => {
                return Err(trouble).with_context(|| engine.name.clone());
            }
            // This engine will lose its games; the others can go on.
            Err(trouble) if !quiet => log::warn!("{}: {trouble}", engine.name),
            Err(_) => {}
        }
    }
    Ok(())
}

fn open(found: &mut Match, plan: &Plan) -> anyhow::Result<(Store, Tally)> {
    if let Some((store, tally)) = found.resumed.take() {
        store.write(&Event::Resume(Resume { time: now(), dropped: tally.in_flight() }))?;
        return Ok((store, tally));
    }
    let run = Run {
        schema: SCHEMA,
        by: concat!("leap ", env!("CARGO_PKG_VERSION")).to_owned(),
        time: now(),
        plan: found.hash.clone(),
        games: plan.total(),
        shard: found.shard,
        config: found.config.clone(),
    };
    Ok((Store::create(&found.dir, run)?, Tally::default()))
}
