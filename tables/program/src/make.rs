//! `leap-tables make`: exact values of Alquerque with few men, in files.

use std::fs::{self, File, TryLockError};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use indicatif::ProgressBar;
use leap_tables::make::{Counts, Event, Maker};
use leap_tables::{CaptureRule, MOST, Slice};
use leapd::io::Progress;

use crate::rule;

/// How often unfinished work is written to disk.
const SAVE_EVERY: Duration = Duration::from_secs(120);

/// The first line that is printed: the columns.
const HEAD: &str =
    "rule,own,enemy,losses,draws,wins,longest_loss,longest_draw,longest_win,bytes,crc32\n";

/// What tables are wanted
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The most men on the board, 2 to 24: 7 take seconds, 10 take minutes and 420 MB of memory
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(2 * MOST)))]
    men: u32,
    /// Whether captures may be left alone: the option AlquerqueCapture
    #[arg(long, value_name = "RULE", default_value_t = CaptureRule::Optional, value_parser = rule)]
    capture: CaptureRule,
    /// Where the files go; work that was interrupted goes on from there
    #[arg(long, value_name = "DIR", default_value = "tables")]
    dir: PathBuf,
    /// Threads, on which the tables do not depend [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Makes tables, and prints a line for each slice that is finished.
///
/// # Errors
/// A file cannot be written, or earlier work is damaged.
pub(crate) fn run(
    wanted: &Args,
    print: &mut (dyn FnMut(String) -> Result<()> + Send),
) -> Result<()> {
    let threads = wanted.threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let (capture, men, directory) = (wanted.capture, wanted.men, wanted.dir.clone());
    let maker = Maker { capture, men, directory, save_every: SAVE_EVERY };
    let progress = Progress::new(Some(Slice::all(men).map(Slice::size).sum()), "positions")?;
    let (mut pair, mut head, mut printed) = (String::new(), HEAD, Ok(()));
    let mut tell = |event: Event<'_>| match event {
        Event::Ready(slice) => progress.inc(slice.size()),
        Event::Begun { more, resumed } => {
            pair = format!(", {} against {}", more.own, more.enemy);
            let resumed = resumed.map(|level| format!(", goes on at {level} plies"));
            progress.set_message(pair.clone() + &resumed.unwrap_or_default());
        }
        Event::Level(plies) => progress.set_message(format!("{pair}, {plies} plies")),
        Event::Finished(counts) => {
            progress.inc(counts.slice.size());
            if printed.is_ok() {
                let lines = std::mem::take(&mut head).to_owned() + &line(capture, counts);
                printed = progress.suspend(|| print(lines));
            }
        }
    };
    let _alone = alone(&maker.directory, capture, &progress)?;
    pool.install(|| maker.make(&mut tell)).context("tables")?;
    printed
}

/// Waits until no other program makes tables of this rule in the directory. By then most of them may be there.
///
/// The lock ends with the file that is returned.
fn alone(directory: &Path, capture: CaptureRule, progress: &ProgressBar) -> Result<File> {
    let directory = directory.join("work");
    let path = directory.join(format!("{capture}.lock"));
    let lock = || {
        fs::create_dir_all(&directory)?;
        let file = File::options().create(true).truncate(false).write(true).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress.set_message(", waits for another maker in this directory");
                file.lock()?;
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(file)
    };
    lock().with_context(|| format!("tables: cannot use {}", path.display()))
}

/// The counts of a slice, as comma-separated values.
fn line(capture: CaptureRule, counts: &Counts) -> String {
    let Counts { slice, outcomes, longest, bytes, checksum } = counts;
    let numbers: Vec<String> = outcomes
        .iter()
        .copied()
        .chain(longest.iter().map(|plies| u64::from(*plies)))
        .map(|number| number.to_string())
        .collect();
    format!("{capture},{},{},{},{bytes},{checksum:08x}", slice.own, slice.enemy, numbers.join(","))
}
