//! `leap match`: from its arguments to its exit status.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use crossbeam_channel::Receiver;

use crate::conclusion::{conclude, exit_status, resuming};
use crate::events::store::Store;
use crate::events::{Event, StopReason};
use crate::plan::Plan;
use crate::plan::args::MatchArgs;
use crate::plan::config::Config;
use crate::plan::resolve;
use crate::prepare::prepare;
use crate::results::display::MatchDisplay;
use crate::results::standings::ratings;
use crate::results::tally::Tally;
use crate::run::machine::Machine;
use crate::run::scale::speed_factor;
use crate::run::scheduler::{self, Progress, Settings};
use crate::run::{Cancel, Shared, watch_for_stop};
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
        let test = resolve::sprt(&args.plan.sprt).context("--sprt")?;
        return expect::run(&args, test).map(|()| ExitCode::SUCCESS);
    }
    if let Some(dir) = &args.lease.dir {
        return lease::run(&args, dir);
    }
    let say = |line: &str| args.output.say(line);
    let (found, place) = prepare(&args)?;
    let settings = Settings::of(&args, found.plan.games().count() as u64);
    let mut machine = Machine::ready(&found, settings.concurrency, say)?;
    // Until here a signal ends everything immediately, even a wait for a pipe that nobody writes to.
    let stop_request = watch_for_stop()?;
    machine.scale = speed_factor(&found.config, args.plan.scale_nps, settings.concurrency, say)?;
    let (dir, store, mut tally) = place.open(&found, say)?;
    let shared = Shared { found: &found, machine: &machine, store, dir, cancel: Cancel::default() };
    let (mut plan, quiet) = (found.plan.clone(), args.output.quiet);
    let display = MatchDisplay::new(&found.config, plan.total(), &tally, quiet)
        .showing_games(args.show_games);
    let stop = play(&shared, &mut plan, &mut tally, settings, &stop_request, &display)
        .with_context(|| {
            format!("the match has stopped, '{}' goes on with it", resuming(&shared.dir))
        })?;
    conclude(&shared.dir, &found, &tally, Some(stop), &args.output)?;
    if stop == StopReason::Drained {
        say(&format!("leap: games are left, '{}' plays them", resuming(&shared.dir)));
    }
    Ok(exit_status(Some(stop)))
}

/// Plays the games that are left; returns why it has stopped.
fn play(
    shared: &Shared<'_>,
    plan: &mut Plan,
    tally: &mut Tally,
    settings: Settings,
    stop_request: &Receiver<()>,
    display: &MatchDisplay<'_>,
) -> anyhow::Result<StopReason> {
    let config = &shared.found.config;
    display.standing(tally);
    let begun = Instant::now();
    let on_progress = |progress: Progress<'_>, tally: &Tally| match progress {
        Progress::Ended(game, end) => {
            display.ended(game, end);
            after_game(config, tally, display, &shared.store)
        }
        Progress::Failed(error) => {
            display.say(&format!("leap: {error:#}; the games in flight are played to their end"));
            Ok(true)
        }
        Progress::Stopping => {
            display.say(&format!(
                "leap: the games in flight are played to their end, '{}' plays the rest; again to stop at once",
                resuming(&shared.dir)
            ));
            Ok(true)
        }
    };
    let stop = match goes_on(config, tally) {
        true => scheduler::run(shared, plan, tally, settings, stop_request, on_progress)?,
        false => StopReason::Sprt,
    };
    display.finish(shared.machine.watchdog.longest_since(begun));
    shared.store.end(stop)?;
    Ok(stop)
}

/// Whether the test, if there is one, has no decision yet.
fn goes_on(config: &Config, tally: &Tally) -> bool {
    tally.sprt(config).is_none_or(|status| status.decision.is_none())
}

/// What is done after each game, whose cost must not grow with their number. Returns whether the match goes on.
fn after_game(
    config: &Config,
    tally: &Tally,
    display: &MatchDisplay<'_>,
    store: &Store,
) -> anyhow::Result<bool> {
    display.standing(tally);
    // Ratings at growing intervals are enough to follow a long match.
    let games = tally.finished();
    if games.is_multiple_of((games / 20).max(2)) {
        let ratings = ratings(config, tally);
        ratings.into_iter().try_for_each(|rating| store.write(&Event::Rating(rating)))?;
    }
    Ok(goes_on(config, tally))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Outcome;
    use crate::events::Run;
    use crate::plan::{Match, config_of};
    use crate::results::tally::tests::end;

    /// Run by hand.
    mod by_hand {
        use super::*;

        /// `cargo test --release -p leap-match a_long_match -- --ignored --nocapture`.
        #[test]
        #[ignore = "a measurement"]
        #[expect(clippy::print_stdout, reason = "the times are looked at, not asserted")]
        fn a_long_match_costs_no_more_per_game_than_a_short_one() {
            for (games, quiet) in [(1000, true), (100_000, true), (1000, false), (100_000, false)] {
                let lines = format!("games = {games}\nsprt = {{ elo0 = 0, elo1 = 0.1 }}");
                let found = Match::new(config_of(2, &lines), None).unwrap();
                let dir = tempfile::tempdir().unwrap();
                let store = Store::create(dir.path(), Run::of(&found)).unwrap();
                let mut tally = Tally::new(2);
                let display = MatchDisplay::new(&found.config, Some(games), &tally, quiet);
                let begun = Instant::now();
                for game in found.plan.games() {
                    let outcome = [Outcome::P1Win, Outcome::Draw, Outcome::P2Win, Outcome::Draw];
                    tally.close(
                        game.players,
                        &end(game.number, outcome[game.number as usize % 4], None),
                    );
                    assert!(after_game(&found.config, &tally, &display, &store).unwrap());
                }
                let each = begun.elapsed() / games as u32;
                println!("{games} games, quiet {quiet}: {each:?} after each");
            }
        }
    }
}
