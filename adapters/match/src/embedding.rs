//! A match that another program plays. The configuration comes from that program, and it hears the events.

use std::path::PathBuf;

use crossbeam_channel::never;
use leap_base::terminal;

use crate::events::store::Store;
use crate::events::{Event, Run, StopReason};
use crate::plan::Match;
use crate::plan::config::Config;
use crate::plan::opening::Book;
pub use crate::plan::opening::{Opening, shuffled};
use crate::results::tally::Tally;
use crate::run::machine::Machine;
use crate::run::scheduler::{self, Settings};
use crate::run::{Cancel, Shared};

/// A match of another program.
#[derive(Clone, Debug)]
pub struct EmbeddedMatch {
    /// What is played. Its openings have no file: they are those of `openings`, in this order.
    pub config: Config,
    /// The openings; without any, games begin at the start position. They repeat when they are used up.
    pub openings: Vec<Opening>,
    /// An empty directory, for the events and for what faults leave.
    pub dir: PathBuf,
    /// How many games are played at a time, from 1.
    pub concurrency: usize,
}

/// Plays a match to its end. `listener` hears every event as soon as it is written; its error ends the match.
///
/// # Errors
/// If the match cannot be played: an engine does not start, an opening is refused, the directory cannot be written.
pub fn play(
    embedded: EmbeddedMatch,
    listener: impl FnMut(&Event) -> anyhow::Result<()> + Send + 'static,
) -> anyhow::Result<StopReason> {
    let EmbeddedMatch { config, openings, dir, concurrency } = embedded;
    let book = (!openings.is_empty()).then(|| Book::given(openings, config.book_seed()));
    let found = Match::new(config, book)?;
    let mut plan = found.plan.clone();
    let concurrency = concurrency.clamp(1, plan.games().count().max(1));
    let machine = Machine::ready(&found, concurrency, |line| terminal::warn(line))?;
    let store = Store::create(&dir, Run::of(&found))?.heard_by(listener);
    let shared = Shared { found: &found, machine: &machine, store, dir, cancel: Cancel::default() };
    let settings = Settings { concurrency, affinity: false };
    let (mut tally, stop_request) = (Tally::new(found.config.engines.len()), never());
    let stop =
        scheduler::run(&shared, &mut plan, &mut tally, settings, &stop_request, |_, _| Ok(true))?;
    shared.store.end(stop)?;
    Ok(stop)
}
