//! `leap match`: from its arguments to its exit status.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use crossbeam_channel::Receiver;
use leap_base::terminal;

use crate::conclusion::{INCOMPLETE, Outlook, conclude, resuming};
use crate::events::store::{EVENTS, now};
use crate::events::{Event, Stop, StopReason};
use crate::plan::Plan;
use crate::plan::args::MatchArgs;
use crate::prepare::{self, Match, Opened, prepare};
use crate::results::display::MatchDisplay;
use crate::results::standings::{self, sprt};
use crate::results::tally::Tally;
use crate::run::machine::{self, Programs};
use crate::run::scale::speed_factor;
use crate::run::scheduler::{self, Progress, Settings};
use crate::run::{Halt, Shared, Watchdog, preflight, watch_for_drain};
use crate::{expect, lease};

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
    let games = plan.total();
    let say = |line: &str| {
        if !args.output.quiet {
            terminal::warn(line);
        }
    };
    let settings = Settings::of(&args, plan.games().count() as u64);
    machine::make_room(&found.config, settings.concurrency)?;
    preflight::check(&found.config, found.book.as_ref(), say)?;
    let programs = &Programs::of(&found.config);
    // Until here a signal ends everything immediately, even a wait for a pipe that nobody writes to.
    let drain = watch_for_drain()?;
    let scale = speed_factor(&found.config, args.scale_nps, settings.concurrency, say)?;
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
    display.warn_of_overload(shared.watchdog.longest_since(begun));
    display.finish();
    shared.store.write(&Event::Stop(Stop { time: now(), why: stop }))?;
    shared.store.sync()?;
    Ok(stop)
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
