//! The progress of long work, on standard error: a bar with the time left on a terminal, elsewhere a line now and then.

use std::convert::Infallible;
use std::ops::Deref;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::complain;

/// How often the bar is drawn, also while nothing is finished.
const TICK: Duration = Duration::from_millis(200);
/// Silence before the first line. Each further silence is twice as long, up to the longest.
const FIRST_SILENCE: Duration = Duration::from_secs(2);
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// Shows the progress of long work until it is dropped. The work counts on the bar, and may add a message.
pub struct Progress {
    bar: ProgressBar,
    /// The thread that writes lines ends once this is dropped.
    _lines: Option<Sender<Infallible>>,
}

impl Progress {
    /// Counts things such as `openings`. `total` is `None` if nobody knows how many there will be.
    ///
    /// # Errors
    /// The thread that writes lines cannot be started.
    pub fn new(total: Option<u64>, things: &'static str) -> Result<Self> {
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new).with_prefix(things);
        if bar.is_hidden() {
            let (sender, end) = bounded(0);
            let told = bar.clone();
            thread::Builder::new().name("progress".to_owned()).spawn(move || tell(&told, &end))?;
            return Ok(Self { bar, _lines: Some(sender) });
        }
        let template = if total.is_some() { "{wide_bar} {pos}/{len}" } else { "{spinner} {pos}" };
        let style = ProgressStyle::with_template(&format!("{template} {{prefix}}{{msg}}{{time}}"))?;
        let time = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // A bar without its end is better than none.
            let _ = text.write_str(&time(state.pos(), state.len(), state.elapsed()));
        };
        bar.set_style(style.with_key("time", time));
        bar.enable_steady_tick(TICK);
        Ok(Self { bar, _lines: None })
    }
}

impl Deref for Progress {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Writes lines until the other end of the channel is dropped.
fn tell(bar: &ProgressBar, end: &Receiver<Infallible>) {
    let mut silence = FIRST_SILENCE;
    while end.recv_timeout(silence) == Err(RecvTimeoutError::Timeout) {
        complain(&line(bar));
        silence = (2 * silence).min(LONGEST_SILENCE);
    }
}

fn line(bar: &ProgressBar) -> String {
    let total = bar.length().map(|total| format!(" of {total}")).unwrap_or_default();
    let time = time(bar.position(), bar.length(), bar.elapsed());
    format!("{}{total} {}{}{time}", bar.position(), bar.prefix(), bar.message())
}

/// The time left, at the speed so far. The time so far if the total is unknown.
fn time(done: u64, total: Option<u64>, elapsed: Duration) -> String {
    let left = |total: u64| {
        let ratio = total.saturating_sub(done) as f64 / done as f64;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() * ratio).ok()
    };
    match total.filter(|_| done > 0).and_then(left) {
        Some(left) => format!(", about {} left", HumanDuration(left)),
        None => format!(", {} so far", HumanDuration(elapsed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_count_the_message_and_the_time() {
        let bar = ProgressBar::hidden().with_prefix("openings");
        bar.set_length(100);
        bar.set_message(", 530 positions tried");
        assert_eq!(line(&bar), "0 of 100 openings, 530 positions tried, 0 seconds so far");
        let unknown = ProgressBar::no_length().with_prefix("moves").with_position(7);
        assert_eq!(line(&unknown), "7 moves, 0 seconds so far");
    }

    #[test]
    fn the_time_left_is_that_of_what_is_done() {
        let seconds = Duration::from_secs;
        assert_eq!(time(10, Some(40), seconds(20)), ", about 60 seconds left");
        assert_eq!(time(40, Some(40), seconds(20)), ", about 0 seconds left");
        assert_eq!(
            time(50, Some(40), seconds(20)),
            ", about 0 seconds left",
            "more than asked for"
        );
        assert_eq!(time(0, Some(40), seconds(180)), ", 3 minutes so far");
        assert_eq!(time(1, Some(u64::MAX), seconds(60)), ", 60 seconds so far", "too long to tell");
    }
}
