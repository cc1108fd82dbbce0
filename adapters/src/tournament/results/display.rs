//! The display of a match: a progress bar while it runs, a line for each fault, a table at its end; and results as
//! JSON.

use std::io::{self, IsTerminal};
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::standings::{Standing, sprt, standings};
use super::tally::Tally;
use crate::stats::sprt::Status;
use crate::terminal;
use crate::tournament::events::{End, Outcome, StopReason};
use crate::tournament::plan::ScheduledGame;
use crate::tournament::plan::config::Config;

/// How often the bar is redrawn while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// The display of a running match.
pub(crate) struct MatchDisplay<'a> {
    config: &'a Config,
    bar: ProgressBar,
    quiet: bool,
}

impl<'a> MatchDisplay<'a> {
    /// `games` is the number of games of this run, if it is known, including those already played.
    pub(crate) fn new(config: &'a Config, games: Option<u64>, quiet: bool) -> Self {
        let bar = match games {
            Some(games) => ProgressBar::new(games),
            None => ProgressBar::no_length(),
        };
        // Escape sequences are only for terminals.
        if quiet || !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        } else {
            let style = "{elapsed_precise} {wide_bar} {pos}/{len} games, {eta} left\n{msg}";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
        }
        MatchDisplay { config, bar, quiet }
    }

    pub(crate) fn standing(&self, tally: &Tally) {
        self.bar.set_position(tally.finished.len() as u64);
        if !self.bar.is_hidden() {
            let rows = standings(self.config, tally);
            let rows = rows.iter().take(8).map(|row| format!("{} {}", row.engine, score(row)));
            let test = sprt(self.config, tally).map(|status| status.to_string());
            let message = rows.chain(test).collect::<Vec<_>>().join("   ");
            self.bar.set_message(terminal::visible(&message));
        }
    }

    pub(crate) fn ended(&self, game: &ScheduledGame, end: &End) {
        let fault = end.guilty.is_some() || end.result == Outcome::Void;
        if fault {
            let [p1, p2] = game.players.map(|player| &self.config.engines[player].name);
            let guilty = match end.guilty {
                Some(1) => format!(" by {p1}"),
                Some(_) => format!(" by {p2}"),
                None => String::new(),
            };
            let void = if end.result == Outcome::Void { ", the game is void" } else { "" };
            self.say(&format!("game {} ({p1} - {p2}): {}{guilty}{void}", game.number, end.reason));
        }
    }

    /// Writes a line to standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        if self.quiet {
            return;
        }
        self.bar.suspend(|| {
            terminal::warn(line);
        });
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The points of an engine out of its games.
fn score(row: &Standing) -> String {
    format!("{}/{}", row.points, row.games)
}

/// The final table.
pub(crate) fn table(rows: &[Standing]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY);
    let head =
        ["", "engine", "games", "won", "drawn", "lost", "points", "%", "Elo", "LOS", "faults"];
    table.set_header(head);
    for (index, row) in rows.iter().enumerate() {
        let percent = match row.games {
            0 => "-".to_owned(),
            games => format!("{:.1}", 100.0 * row.points / games as f64),
        };
        table.add_row([
            (index + 1).to_string(),
            row.engine.clone(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.points.to_string(),
            percent,
            row.elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string()),
            row.los.map_or_else(|| "-".to_owned(), |los| format!("{:.1} %", 100.0 * los)),
            faults(row),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        if ![1, 10].contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

fn faults(row: &Standing) -> String {
    let each = row.faults.iter().map(|(reason, count)| format!("{count} {reason}"));
    each.collect::<Vec<_>>().join(", ")
}

/// The results as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct MatchResults<'a> {
    pub(crate) plan: &'a str,
    /// Absent if no games were run, as after a merge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<StopReason>,
    /// Finished games, including void ones.
    pub(crate) finished: u64,
    /// Games of the plan, or of the shard that is played here; absent if it depends on results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) games: Option<u64>,
    /// The state of the test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<Status>,
    pub(crate) engines: Vec<Standing>,
}

impl MatchResults<'_> {
    /// Prints the results, as a table or as JSON.
    pub(crate) fn print(&self, json: bool) -> anyhow::Result<()> {
        if json {
            terminal::write_data(&(serde_json::to_string_pretty(self)? + "\n"))?;
        } else {
            let test = self.sprt.as_ref().map(|status| format!("{status}\n")).unwrap_or_default();
            terminal::show(format_args!("{}\n{test}", table(&self.engines)))?;
        }
        Ok(())
    }
}
