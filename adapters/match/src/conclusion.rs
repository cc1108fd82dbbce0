//! The end of a match: its records and its results.

use std::borrow::Cow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::ensure;

use crate::events::StopReason;
use crate::events::recorder::write_records;
use crate::events::repeats::Repetition;
use crate::events::store::FAULTS;
use crate::plan::Match;
use crate::plan::args::Output;
use crate::results::display::MatchResults;
use crate::results::standings::standings;
use crate::results::tally::Tally;

/// The exit status: 1 if games are left to be played. `stop` is `None` for an incomplete merge.
pub(crate) fn exit_status(stop: Option<StopReason>) -> ExitCode {
    let is_over = matches!(stop, Some(StopReason::Complete | StopReason::Sprt));
    ExitCode::from(u8::from(!is_over))
}

/// Writes the records and prints the results.
pub(crate) fn conclude(
    dir: &Path,
    found: &Match,
    tally: &Tally,
    stop: Option<StopReason>,
    output: &Output,
) -> anyhow::Result<()> {
    let repeated = write_records(dir)?;
    ensure!(
        !tally.is_unstarted(),
        "none of {} games could be started; {} tells why",
        tally.finished(),
        dir.join(FAULTS).display()
    );
    let repetition = repeated.repetition();
    tell_results(found, tally, stop, Some(repetition), output)?;
    if repetition.repeated > 0 {
        output.say(&format!(
            "leap: {repetition}; more openings (--openings, --random-plies) make games differ"
        ));
    }
    Ok(())
}

/// Prints the results.
pub(crate) fn tell_results(
    found: &Match,
    tally: &Tally,
    stop: Option<StopReason>,
    repetition: Option<Repetition>,
    output: &Output,
) -> anyhow::Result<()> {
    let (engines, knockout) = standings(&found.config, tally);
    let results = MatchResults {
        plan: &found.hash,
        stop,
        finished: tally.finished(),
        games: found.plan.total(),
        sprt: tally.sprt(&found.config),
        engines,
        knockout,
        repetition,
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
