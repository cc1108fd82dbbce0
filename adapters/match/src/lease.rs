//! `leap match --lease`: any number of runners play one match, on one machine or on many with a shared directory.
//!
//! The plan is cut into batches of whole pairs of games. Each runner claims batches and plays them; [`ledger`] decides
//! what counts, [`claims`] knows who plays what, [`directory`] keeps both in the shared directory.

mod claim_loop;
mod claims;
pub(crate) mod directory;
mod heartbeat;
mod ledger;
#[cfg(test)]
mod simulated;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;

use crate::conclusion::{exit_status, tell_results};
use crate::events::StopReason;
use crate::plan::args::MatchArgs;
use crate::plan::{Match, Plan, ScheduledGame};
use crate::results::display::MatchDisplay;
use crate::results::tally::Tally;
use crate::run::machine::Machine;
use crate::run::scale::speed_factor;
use crate::run::scheduler::Settings;
use crate::run::watch_for_stop;
use directory::SharedDirectory;

/// Pairs of games in a batch, unless another number is asked for.
const PAIRS: u64 = 4;

/// What all parts of a runner need.
#[derive(Debug)]
struct Env<'a> {
    found: &'a Match,
    batches: Batches,
    directory: SharedDirectory,
    machine: &'a Machine,
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
pub(crate) fn run(args: &MatchArgs, dir: &Path) -> anyhow::Result<ExitCode> {
    let found = &Match::of(args)?;
    let Match { config, plan, hash, .. } = found;
    ensure!(
        plan.total().is_some(),
        "--lease: expected a format whose pairings do not depend on results"
    );
    let say = |line: &str| args.output.say(line);
    let asked = (args.lease.batch.map(u64::from), PAIRS);
    let most = Settings::of(args, plan.pairs()).concurrency;
    let mut machine = Machine::ready(found, most, say)?;
    let stop_request = watch_for_stop()?;
    let (directory, terms) =
        SharedDirectory::join(dir, hash, asked, args.plan.scale_nps.map(u64::from))?;
    say(&format!("leap: the match is in {}, in batches of {} pairs", dir.display(), terms.batch));
    let batches = Batches { pairs: plan.pairs(), each: terms.batch };
    let settings = Settings::of(args, batches.count());
    machine.scale = speed_factor(config, args.plan.scale_nps, settings.concurrency, say)?;
    let env = Env { found, batches, directory, machine: &machine };
    let none = Tally::new(config.engines.len());
    let display = MatchDisplay::new(config, plan.total(), &none, args.output.quiet)
        .showing_games(args.show_games);
    let begun = Instant::now();
    let done = claim_loop::run(&env, settings, args.lease.timeout(), &stop_request, &display);
    display.finish(machine.watchdog.longest_since(begun));
    let (stop, tally) = done?;
    tell_results(found, &tally, Some(stop), None, &args.output)?;
    say(&match stop {
        StopReason::Complete | StopReason::Sprt => {
            format!("leap: 'leap merge --out WHOLE {}' makes a match of it", dir.display())
        }
        StopReason::Drained => "leap: games are left, the same command plays them".to_owned(),
    });
    Ok(exit_status(Some(stop)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::config_of;

    #[test]
    fn batches_hold_every_game_once_in_whole_pairs() {
        for (games, rounds, each) in [(10, 1, 2), (7, 2, 3), (1, 5, 4), (8, 1, 100)] {
            let config = config_of(2, &format!("games = {games}\nrounds = {rounds}"));
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
