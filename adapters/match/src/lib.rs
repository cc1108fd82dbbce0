//! `leap match`: automated matches of any engines in any game, with a referee.
//!
//! A match uses four modules:
//!
//! - [`plan`] decides what is played.
//! - `run` has workers, each of which plays one game at a time.
//! - [`events`] record in a file what happens.
//! - `results` are derived from the events alone.
//!
//! [`hosted`] is for programs that play matches of their own.

pub mod events;
mod expect;
mod grow;
pub mod hosted;
mod lease;
pub mod merge;
pub mod plan;
mod prepare;
pub mod results;
mod run;
pub mod sprt;
pub mod stats;

use std::borrow::Cow;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use crossbeam_channel::Receiver;

use events::recorder::write_records;
use events::store::{EVENTS, FAULTS, now};
use events::{Event, Stop, StopReason};
use plan::Plan;
pub use plan::args::MatchArgs;
use plan::args::Output;
use plan::config::Config;
pub use prepare::make_dir;
use prepare::{Match, Opened, prepare};
use results::display::{MatchDisplay, MatchResults};
use results::standings::{self, sprt, standings};
use results::tally::Tally;
use run::machine::{self, Programs};
use run::scale::nodes_per_second;
use run::scheduler::{self, Progress, Settings};
pub use run::watch_for_drain;
use run::{Halt, Shared, Watchdog, preflight};

use leap_base::terminal;

/// The exit status if games are left to be played.
const INCOMPLETE: u8 = 1;

/// Runs the command. The exit status is 0 if all games have been played or a test has reached a decision, 1 if games
/// are left.
///
/// # Errors
/// If the match cannot be played: bad arguments, no referee, a directory that cannot be written; the exit status is
/// then 2.
pub fn run(args: MatchArgs) -> anyhow::Result<ExitCode> {
    let args = args.with_file()?;
    if args.expect {
        expect::run(&args, prepare::test(&args)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(dir) = &args.lease.dir {
        return lease::run(&args, &args.lease, dir);
    }
    let mut found = prepare(&args)?;
    let mut plan = Plan::new(&found.config)?;
    ensure!(
        found.shard.is_none() || plan.total().is_some(),
        "--shard: expected a format whose pairings do not depend on results"
    );
    let own = |plan: &Plan| plan.games().filter(|game| game.is_in(found.shard)).count() as u64;
    let games = plan.total().map(|_| own(&plan));
    let say = |line: &str| {
        if !args.output.quiet {
            terminal::warn(line);
        }
    };
    let settings = Settings { shard: found.shard, ..Settings::of(&args, own(&plan)) };
    machine::make_room(&found.config, settings.concurrency)?;
    preflight::check(&found.config, found.book.as_ref(), say)?;
    let programs = &Programs::of(&found.config);
    // Until here a signal ends everything immediately, even a wait for a pipe that nobody writes to.
    let drain = watch_for_drain()?;
    let scale = speed_factor(&found.config, &args, settings, say)?;
    let Opened { dir, store, mut tally } = found.open(&plan)?;
    if found.is_torn {
        say(&format!("leap: {EVENTS} had no whole line, so the match begins anew"));
    }
    say(&format!("leap: the match is in {}", dir.display()));
    let Match { config, hash, book, .. } = found;
    let (book, watchdog) = (book.as_ref(), Watchdog::start()?);
    let (config, watchdog, halt) = (&config, &watchdog, Halt::default());
    let shared = Shared { config, book, store, dir, watchdog, programs, scale, halt };
    let display = MatchDisplay::new(config, games, &tally, args.output.quiet);
    let stop =
        play(&shared, &mut plan, &mut tally, settings, &drain, &display).with_context(|| {
            format!("the match has stopped, '{}' goes on with it", resuming(&shared.dir))
        })?;
    let outlook = Outlook { stop: Some(stop), games };
    conclude(&shared.dir, (&hash, config), &tally, outlook, &args.output)?;
    Ok(match stop {
        StopReason::Complete | StopReason::Sprt => ExitCode::SUCCESS,
        StopReason::Drained => {
            say(&format!("leap: games are left, '{}' plays them", resuming(&shared.dir)));
            ExitCode::from(INCOMPLETE)
        }
    })
}

/// Plays the games that are left; returns why it has stopped.
fn play(
    shared: &Shared<'_>,
    plan: &mut Plan,
    tally: &mut Tally,
    settings: Settings,
    drain: &Receiver<()>,
    display: &MatchDisplay<'_>,
) -> anyhow::Result<StopReason> {
    display.standing(tally);
    let begun = Instant::now();
    let going_on =
        |tally: &Tally| sprt(shared.config, tally).is_none_or(|status| status.decision.is_none());
    let on_progress = |progress: Progress<'_>, tally: &Tally| {
        tell(display, &progress, shared, tally);
        if matches!(progress, Progress::Ended(..)) {
            rate(shared, tally)?;
        }
        Ok(going_on(tally))
    };
    let stop = match going_on(tally) {
        true => scheduler::run(shared, plan, tally, settings, drain, on_progress)?,
        false => StopReason::Sprt,
    };
    warn_of_overload(shared.config, shared.watchdog.longest_since(begun), display);
    display.finish();
    shared.store.write(&Event::Stop(Stop { time: now(), why: stop }))?;
    shared.store.sync()?;
    Ok(stop)
}

/// What times are multiplied by on this machine, if they are to be scaled: rounded as the events have it.
fn speed_factor(
    config: &Config,
    args: &MatchArgs,
    settings: Settings,
    say: impl Fn(&str),
) -> anyhow::Result<Option<f64>> {
    let Some(nps) = args.scale_nps else { return Ok(None) };
    ensure!(
        config.engines.iter().any(|engine| engine.limit.is_timed()),
        "--scale-nps: expected a limit of time, found none"
    );
    let speed = nodes_per_second(config, settings.concurrency)?;
    let factor = (u64::from(nps) as f64 / speed * 1e4).round().max(1.0) / 1e4;
    say(&format!("leap: {speed:.0} nodes per second here, all times are multiplied by {factor}"));
    Ok(Some(factor))
}

/// The command that resumes a match.
fn resuming(dir: &Path) -> String {
    let dir = dir.display().to_string();
    let quoted = shlex::try_quote(&dir).map_or_else(|_| dir.clone(), Cow::into_owned);
    format!("leap match --resume --out {quoted}")
}

/// Warns of a delay by the operating system that may have cost a player its time.
fn warn_of_overload(config: &Config, delay: Duration, display: &MatchDisplay<'_>) {
    let is_timed = config.engines.iter().any(|engine| engine.limit.is_timed());
    if is_timed && delay > Duration::from_millis(config.margin_ms) {
        display.say(&format!(
            "leap: this machine is overloaded: it held the match up by {} ms, the margin is {} ms; a lower --concurrency \
             or a larger --margin helps",
            delay.as_millis(),
            config.margin_ms
        ));
    }
}

/// How a run has ended.
#[derive(Clone, Copy, Debug)]
struct Outlook {
    /// Why no more games are played; `None` if nothing was run, as in an incomplete merge.
    stop: Option<StopReason>,
    /// The planned number of games.
    games: Option<u64>,
}

/// Writes the records and prints the results.
fn conclude(
    dir: &Path,
    (hash, config): (&str, &Config),
    tally: &Tally,
    outlook: Outlook,
    output: &Output,
) -> anyhow::Result<()> {
    let repeated = write_records(dir)?;
    ensure!(
        !tally.is_unstarted(),
        "none of {} games could be started; {} tells why",
        tally.finished().len(),
        dir.join(FAULTS).display()
    );
    tell_results((hash, config), tally, outlook, Some(repeated.count()), output)?;
    if repeated.count() > 0 && !output.quiet {
        terminal::warn(format!(
            "leap: {repeated}; more openings (--openings, --random-plies) make games differ"
        ));
    }
    Ok(())
}

/// Prints the results.
fn tell_results(
    (hash, config): (&str, &Config),
    tally: &Tally,
    outlook: Outlook,
    repeated: Option<u64>,
    output: &Output,
) -> anyhow::Result<()> {
    let (engines, knockout) = standings(config, tally);
    let results = MatchResults {
        plan: hash,
        stop: outlook.stop,
        finished: tally.finished().len() as u64,
        games: outlook.games,
        sprt: sprt(config, tally),
        engines,
        knockout,
        repeated,
    };
    if !output.quiet || output.json {
        results.print(output.json)?;
    }
    Ok(())
}

/// Records the ratings at growing intervals, which is enough to follow a long match.
fn rate(shared: &Shared<'_>, tally: &Tally) -> anyhow::Result<()> {
    let games = tally.finished().len();
    if !games.is_multiple_of((games / 20).max(2)) {
        return Ok(());
    }
    let ratings = standings::ratings(shared.config, tally);
    ratings.into_iter().try_for_each(|rating| shared.store.write(&Event::Rating(rating)))
}

fn tell(display: &MatchDisplay<'_>, progress: &Progress<'_>, shared: &Shared<'_>, tally: &Tally) {
    match progress {
        Progress::Ended(game, end) => {
            display.ended(game, end);
            display.standing(tally);
        }
        Progress::Failed(error) => display.say(&format!(
            "leap: {error:#}; the games in flight are played to their end"
        )),
        Progress::Draining => display.say(&format!(
            "leap: the games in flight are played to their end, '{}' plays the rest; again to stop at once",
            resuming(&shared.dir)
        )),
    }
}
