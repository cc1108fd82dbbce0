//! The progress of long work, on standard error: a bar on a terminal, a line from time to time elsewhere.

use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{visible, warn};

/// How often the bar is redrawn while nothing happens.
const TICK: Duration = Duration::from_millis(500);
/// Shorter work writes no lines where there is no bar.
const SHORT: Duration = Duration::from_secs(2);
/// The time between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// The progress of a piece of work.
pub struct Progress {
    bar: ProgressBar,
    /// What is counted, as a word after a number.
    unit: &'static str,
    has_bar: bool,
    is_quiet: bool,
    /// What is being worked on.
    stage: RefCell<String>,
    begun: Instant,
    /// When the next line is due.
    due: Cell<Instant>,
    /// How much had been done at the beginning.
    before: u64,
}

impl Progress {
    /// Begins work. `total` is the whole amount, if known, and `before` the part that was done earlier.
    pub fn new(unit: &'static str, total: Option<u64>, before: u64, is_quiet: bool) -> Self {
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new).with_position(before);
        let has_bar = !is_quiet && io::stderr().is_terminal();
        if has_bar {
            let count = if total.is_some() { "{pos}/{len}" } else { "{pos}" };
            let left = if total.is_some() { ", {eta} left" } else { "" };
            let style = format!("{{elapsed_precise}} {{wide_bar}} {count} {unit}{left}\n{{msg}}");
            if let Ok(style) = ProgressStyle::with_template(&style) {
                bar.set_style(style);
            }
            bar.reset_eta();
            bar.enable_steady_tick(TICK);
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let begun = Instant::now();
        let (stage, due) = (RefCell::default(), Cell::new(begun + SHORT));
        Self { bar, unit, has_bar, is_quiet, stage, begun, due, before }
    }

    /// Sets how much is done and what is being worked on. A bar shows all lines of `stage`, other output the first.
    pub fn at(&self, done: u64, stage: &str) {
        let stage = visible(stage);
        self.bar.set_position(done);
        if self.has_bar {
            self.bar.set_message(stage);
        } else {
            self.stage.replace(stage);
            self.line_if_due(Instant::now());
        }
    }

    /// Whether nothing is shown.
    pub fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Shows something else meanwhile, on either output.
    pub fn suspend<T>(&self, show: impl FnOnce() -> T) -> T {
        self.bar.suspend(show)
    }

    /// Writes a line to standard error.
    pub fn say(&self, line: &str) {
        if !self.is_quiet {
            self.suspend(|| warn(line));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line_if_due(&self, now: Instant) {
        if !self.is_quiet && now >= self.due.get() {
            self.due.set(now + PAUSE);
            warn(self.line(now - self.begun));
        }
    }

    /// `leap: level play: 12 of 230 steps, 2 minutes left`.
    fn line(&self, elapsed: Duration) -> String {
        let (done, unit) = (self.bar.position(), self.unit);
        let stage = self.stage.borrow();
        let stage = stage.lines().next().unwrap_or_default();
        let separator = if stage.is_empty() { "" } else { ": " };
        let Some(total) = self.bar.length() else {
            return format!("leap: {stage}{separator}{done} {unit}");
        };
        let new = done.saturating_sub(self.before);
        let left =
            (new > 0).then(|| elapsed.mul_f64(total.saturating_sub(done) as f64 / new as f64));
        let left = left.map(|left| format!(", {} left", HumanDuration(left))).unwrap_or_default();
        format!("leap: {stage}{separator}{done} of {total} {unit}{left}")
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_how_long_the_rest_takes() {
        let progress = Progress::new("steps", Some(40), 10, true);
        let minute = Duration::from_secs(60);
        assert_eq!(progress.line(minute), "leap: 10 of 40 steps");
        progress.at(20, "level play\nmore");
        assert_eq!(progress.line(minute), "leap: level play: 20 of 40 steps, 2 minutes left");
        progress.at(50, "");
        assert_eq!(progress.line(minute), "leap: 50 of 40 steps, 0 seconds left");
        let endless = Progress::new("games", None, 0, true);
        endless.at(7, "eximo");
        assert_eq!(endless.line(minute), "leap: eximo: 7 games");
    }

    #[test]
    fn a_line_comes_after_a_while_and_then_from_time_to_time() {
        let progress = Progress::new("steps", Some(40), 0, false);
        let is_said = |progress: &Progress, after| {
            let before = progress.due.get();
            progress.line_if_due(progress.begun + after);
            progress.due.get() != before
        };
        assert!(!is_said(&progress, SHORT / 2));
        assert!(is_said(&progress, SHORT));
        assert!(!is_said(&progress, SHORT + PAUSE / 2));
        assert!(is_said(&progress, SHORT + PAUSE));
        let quiet = Progress::new("steps", Some(40), 0, true);
        assert!(!is_said(&quiet, SHORT));
    }
}
