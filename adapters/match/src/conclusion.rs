//! The end of a match: its records and its results.

use std::borrow::Cow;
use std::path::Path;

use anyhow::ensure;
use leap_base::terminal;

use crate::events::StopReason;
use crate::events::recorder::write_records;
use crate::events::store::FAULTS;
use crate::plan::args::Output;
use crate::plan::config::Config;
use crate::results::display::MatchResults;
use crate::results::standings::{sprt, standings};
use crate::results::tally::Tally;

/// The exit status if games are left to be played.
pub(crate) const INCOMPLETE: u8 = 1;

/// How a run has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    /// Why no more games are played; `None` if nothing was run, as in an incomplete merge.
    pub(crate) stop: Option<StopReason>,
    /// The planned number of games.
    pub(crate) games: Option<u64>,
}

/// Writes the records and prints the results.
pub(crate) fn conclude(
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
pub(crate) fn tell_results(
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

/// The command that resumes a match.
pub(crate) fn resuming(dir: &Path) -> String {
    let dir = dir.display().to_string();
    let quoted = shlex::try_quote(&dir).map_or_else(|_| dir.clone(), Cow::into_owned);
    format!("leap match --resume --out {quoted}")
}
