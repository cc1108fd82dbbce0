//! A batch: games that one worker plays one after the other. They count together or not at all.

use std::collections::BTreeMap;

use anyhow::ensure;

use super::worker::{Shared, Worker};
use crate::events::games::Finished;
use crate::events::store::FAULTS;
use crate::events::{End, StopReason};
use crate::plan::ScheduledGame;
use crate::results::tally::Tally;

/// The games of a batch.
#[derive(Debug)]
pub(crate) struct Played {
    /// Every game that ended, those that were void and replayed included.
    pub(crate) ends: Vec<(ScheduledGame, End)>,
    /// What counts.
    pub(crate) finished: BTreeMap<u64, Finished>,
}

/// Plays all of these games, as the worker of this number, and syncs their events to disk.
///
/// # Errors
/// [`Cancelled`](super::Cancelled), or an error of this machine. A game that cannot be started is such an error: this
/// machine would take one batch after the other and spoil the results of all.
pub(crate) fn play(
    shared: &Shared<'_>,
    number: usize,
    games: impl Iterator<Item = ScheduledGame>,
) -> anyhow::Result<Played> {
    let mut worker = Worker::new(shared, number);
    let mut tally = Tally::new(shared.found.config.engines.len());
    let mut ends = Vec::new();
    for game in games {
        while let Some(attempt) = tally.next_attempt(game.number) {
            shared.cancel.check()?;
            let end = worker.play(&game, attempt)?;
            ensure!(
                !end.unstarted,
                "game {} could not be started; {} tells why",
                game.number,
                shared.dir.join(FAULTS).display()
            );
            tally.close(game.players, &end);
            ends.push((game, end));
        }
    }
    shared.store.end(StopReason::Complete)?;
    let finished = tally.results().map(|(number, game)| (number, *game)).collect();
    Ok(Played { ends, finished })
}
