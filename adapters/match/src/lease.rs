//! `leap match --lease`: any number of runners play one match, on one machine or on many with a shared directory.
//!
//! The plan is cut into batches of whole pairs of games. Each runner claims batches and plays them; [`count`] decides
//! what counts, [`board`] knows who plays what, [`place`] keeps both in the directory.

mod board;
mod clerk;
mod count;
pub(crate) mod place;
mod presence;
#[cfg(test)]
mod simulated;

use std::path::Path;
use std::process::ExitCode;

use anyhow::ensure;
use leap_base::terminal;

use crate::conclusion::{INCOMPLETE, Outlook, tell_results};
use crate::events::StopReason;
use crate::plan::args::{LeaseArgs, MatchArgs};
use crate::plan::config::Config;
use crate::plan::opening::Book;
use crate::plan::{self, Plan, ScheduledGame};
use crate::prepare::configuration;
use crate::results::display::MatchDisplay;
use crate::results::tally::Tally;
use crate::run::machine::{self, Programs};
use crate::run::scale::speed_factor;
use crate::run::scheduler::Settings;
use crate::run::{Watchdog, preflight, watch_for_drain};
use place::Place;

/// Pairs of games in a batch, unless another number is asked for.
const PAIRS: u64 = 4;

/// What all parts of a runner need.
#[derive(Debug)]
struct Env<'a> {
    config: &'a Config,
    book: Option<&'a Book>,
    plan: &'a Plan,
    /// The hash of the plan.
    hash: &'a str,
    batches: Batches,
    place: Place,
    watchdog: &'a Watchdog,
    programs: &'a Programs,
    /// What times are multiplied by on this machine.
    scale: Option<f64>,
}

/// The plan, cut into batches of whole pairs. They are numbered from 1; the last one may be smaller.
#[derive(Clone, Copy, Debug)]
struct Batches {
    /// Pairs of the plan.
    pairs: u64,
    /// Pairs in a batch.
    each: u64,
}

impl Batches {
    fn count(self) -> u64 {
        self.pairs.div_ceil(self.each)
    }

    /// The games of a batch, in order.
    fn games(self, plan: &Plan, batch: u64) -> impl Iterator<Item = ScheduledGame> + '_ {
        let last = batch.saturating_mul(self.each).min(self.pairs);
        let pairs = (batch - 1).saturating_mul(self.each) + 1..=last;
        pairs.flat_map(|pair| [2 * pair - 1, 2 * pair]).filter_map(|game| plan.game(game))
    }
}

/// Runs the command as one of the runners of a directory. The exit status is that of a match.
///
/// # Errors
/// If the match cannot be played, or the directory belongs to another one.
pub(crate) fn run(args: &MatchArgs, lease: &LeaseArgs, dir: &Path) -> anyhow::Result<ExitCode> {
    let (config, book) = configuration(args)?;
    let plan = Plan::new(&config)?;
    ensure!(
        plan.total().is_some(),
        "--lease: expected a format whose pairings do not depend on results"
    );
    let hash = plan::hash(&config)?;
    let say = |line: &str| {
        if !args.output.quiet {
            terminal::warn(line);
        }
    };
    let asked = (lease.batch.map(u64::from), PAIRS);
    let scale_nps = args.scale_nps.map(u64::from);
    let most = Settings::of(args, plan.pairs());
    machine::make_room(&config, most.concurrency)?;
    preflight::check(&config, book.as_ref(), say)?;
    let programs = &Programs::of(&config);
    let drain = watch_for_drain()?;
    let (place, terms) = Place::join(dir, &hash, asked, scale_nps)?;
    say(&format!("leap: the match is in {}, in batches of {} pairs", dir.display(), terms.batch));
    let watchdog = Watchdog::start()?;
    let (book, batches) = (book.as_ref(), Batches { pairs: plan.pairs(), each: terms.batch });
    let settings = Settings::of(args, batches.count());
    let scale = speed_factor(&config, args.scale_nps, settings.concurrency, say)?;
    let (config, plan, hash, watchdog) = (&config, &plan, hash.as_str(), &watchdog);
    let env = Env { config, book, plan, hash, batches, place, watchdog, programs, scale };
    let mut tally = Tally::default();
    let display = MatchDisplay::new(config, plan.total(), &tally, args.output.quiet);
    let begun = std::time::Instant::now();
    let stop = clerk::run(&env, settings, lease.timeout(), &drain, &display, &mut tally);
    display.warn_of_overload(watchdog.longest_since(begun));
    display.finish();
    let stop = stop?;
    let outlook = Outlook { stop: Some(stop), games: plan.total() };
    tell_results((hash, config), &tally, outlook, None, &args.output)?;
    Ok(match stop {
        StopReason::Complete | StopReason::Sprt => {
            say(&format!("leap: 'leap merge --out WHOLE {}' makes a match of it", dir.display()));
            ExitCode::SUCCESS
        }
        StopReason::Drained => {
            say("leap: games are left, the same command plays them");
            ExitCode::from(INCOMPLETE)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::resolve;

    #[test]
    fn batches_hold_every_game_once_in_whole_pairs() {
        for (games, rounds, each) in [(10, 1, 2), (7, 2, 3), (1, 5, 4), (8, 1, 100)] {
            let head = format!("referee = 'none'\ngames = {games}\nrounds = {rounds}\n");
            let engines = "[[engine]]\ncmd = 'a'\n[[engine]]\ncmd = 'b'\n";
            let config = resolve::config(toml::from_str(&(head + engines)).unwrap()).unwrap();
            let plan = Plan::new(&config).unwrap();
            let batches = Batches { pairs: plan.pairs(), each };
            let all: Vec<Vec<ScheduledGame>> =
                (1..=batches.count()).map(|batch| batches.games(&plan, batch).collect()).collect();
            assert_eq!(all.concat(), plan.games().collect::<Vec<_>>());
            for batch in &all {
                let first = batch[0].pair();
                assert!(batch.iter().all(|game| game.pair() - first < each), "{batch:?}");
            }
        }
    }
}
