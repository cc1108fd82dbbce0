//! The display of a match: its progress while it runs, a line for each fault, a table at its end; and results as JSON.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use leap_base::terminal::{self, Progress};
use serde::Serialize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::ranking::Knockout;
use super::standings::{Standing, standings};
use super::tally::Tally;
use crate::events::repeats::Repetition;
use crate::events::{End, Outcome, StopReason};
use crate::plan::ScheduledGame;
use crate::plan::config::Config;
use crate::stats::Summary;
use crate::stats::sprt::Status;

/// The columns of a terminal that a table fits in.
const COLUMNS: usize = 80;
/// The players whose points are shown while the match runs, and the columns of their names.
const SHOWN: usize = 3;
const NAME: usize = 12;

/// The display of a running match.
pub(crate) struct MatchDisplay<'a> {
    config: &'a Config,
    progress: Progress,
    /// Whether every game gets a line. Otherwise games with a fault do.
    shows_games: bool,
}

impl<'a> MatchDisplay<'a> {
    /// `games` is the number of games of this run, if it is known, including those already `played`.
    pub(crate) fn new(config: &'a Config, games: Option<u64>, played: &Tally, quiet: bool) -> Self {
        let progress = Progress::new("games", games, played.finished(), quiet);
        MatchDisplay { config, progress, shows_games: false }
    }

    /// The same display, which may have a line for every game.
    pub(crate) fn showing_games(self, shows_games: bool) -> Self {
        Self { shows_games, ..self }
    }

    pub(crate) fn standing(&self, tally: &Tally) {
        if self.progress.is_quiet() {
            return;
        }
        let (rows, _) = standings(self.config, tally);
        let best = rows.iter().take(SHOWN);
        let best = best.map(|row| {
            format!("{} {}/{}", short(&row.engine, NAME), row.summary.points, row.summary.games)
        });
        let others = rows.len().saturating_sub(SHOWN);
        let others = (others > 0).then(|| format!("{others} more"));
        let test = tally.sprt(self.config).map(|status| status.to_string());
        let stage = best.chain(others).chain(test).collect::<Vec<_>>().join(", ");
        self.progress.at(tally.finished(), &stage);
    }

    pub(crate) fn ended(&self, game: &ScheduledGame, end: &End) {
        let players = game.players.map(|player| &*self.config.engines[player].name);
        if self.shows_games {
            self.say(&game_line(players, end));
        } else if end.guilty.is_some() || end.result == Outcome::Void {
            self.say(&fault_line(players, end));
        }
    }

    /// Ends the display. Warns if the longest delay by the operating system may have cost a player its time.
    pub(crate) fn finish(&self, delay: Duration) {
        let Config { engines, margin_ms, .. } = self.config;
        let is_timed = engines.iter().any(|engine| engine.limit.is_timed());
        if is_timed && delay > Duration::from_millis(*margin_ms) {
            self.say(&format!(
                "leap: this machine is overloaded: it held the match up by {} ms, the margin is {margin_ms} ms; a lower \
                 --concurrency or a larger --margin helps",
                delay.as_millis(),
            ));
        }
        self.progress.finish();
    }

    /// Writes a line to standard error.
    pub(crate) fn say(&self, line: &str) {
        self.progress.say(line);
    }
}

/// `game 12 (new - base): new wins, rules no-moves, 57 plies, 0.8 s`.
fn game_line(players: [&str; 2], end: &End) -> String {
    let [p1, p2] = players;
    let result = match end.result {
        Outcome::P1Win => format!("{p1} wins"),
        Outcome::P2Win => format!("{p2} wins"),
        Outcome::Draw => "draw".to_owned(),
        Outcome::Void => "void".to_owned(),
    };
    let (why, seconds) = (reason(players, end), end.time_us as f64 / 1e6);
    format!("game {} ({p1} - {p2}): {result}, {why}, {} plies, {seconds:.1} s", end.game, end.plies)
}

/// `game 12 (new - base): crash by new`.
fn fault_line(players: [&str; 2], end: &End) -> String {
    let [p1, p2] = players;
    let void = if end.result == Outcome::Void { ", the game is void" } else { "" };
    format!("game {} ({p1} - {p2}): {}{void}", end.game, reason(players, end))
}

/// Why a game ended, with the word of the referee or the guilty player.
fn reason([p1, p2]: [&str; 2], end: &End) -> String {
    match end.guilty {
        Some(guilty) => format!("{} by {}", end.reason, if guilty == 1 { p1 } else { p2 }),
        None => end.why(),
    }
}

/// A name in at most this many columns of a terminal, cut if it is longer.
fn short(name: &str, columns: usize) -> String {
    if name.width() <= columns {
        return name.to_owned();
    }
    let mut cut = String::new();
    let room = columns.saturating_sub(1);
    cut.extend(name.chars().scan(0, |taken, c| {
        *taken += c.width().unwrap_or(0);
        (*taken <= room).then_some(c)
    }));
    cut + "…"
}

/// The head of the table.
const HEAD: [&str; 10] =
    ["", "engine", "games", "won", "drawn", "lost", "points", "%", "Elo", "LOS %"];
/// The column of names.
const ENGINE: usize = 1;

/// The final table, at most [`COLUMNS`] wide, with shortened names where necessary; and a line for each player that had
/// faults.
pub(crate) fn table(rows: &[Standing]) -> String {
    let mut lines: Vec<[String; HEAD.len()]> = rows.iter().enumerate().map(cells).collect();
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].width());
        cells.fold(HEAD[column].width(), usize::max)
    };
    let others: usize = (0..HEAD.len()).filter(|column| *column != ENGINE).map(width).sum();
    // Borders with a blank inside, and a blank between columns, or two where there is room.
    let needed = others + 4 + HEAD.len() - 1;
    let is_roomy = needed + width(ENGINE) + HEAD.len() - 1 <= COLUMNS;
    let room = if is_roomy { width(ENGINE) } else { COLUMNS.saturating_sub(needed) };
    for line in &mut lines {
        line[ENGINE] = short(&line[ENGINE], room.max(HEAD[ENGINE].len()));
    }
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY).set_header(HEAD).add_rows(lines);
    for (index, column) in table.column_iter_mut().enumerate() {
        // This preset draws a blank between two columns.
        let is_last = index == HEAD.len() - 1;
        column.set_padding((u16::from(index == 0), u16::from(is_last || is_roomy)));
        if index != ENGINE {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    rows.iter().fold(table.to_string(), |text, row| match faults(row) {
        faults if faults.is_empty() => text,
        faults => format!("{text}\nfaults of {}: {faults}", row.engine),
    })
}

/// A row of the table.
fn cells((index, row): (usize, &Standing)) -> [String; HEAD.len()] {
    let Summary { games, outcomes, points, elo, los, .. } = row.summary;
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let percent = |share: Option<f64>| or_none(share.map(|share| format!("{:.1}", 100.0 * share)));
    [
        (index + 1).to_string(),
        row.engine.clone(),
        games.to_string(),
        outcomes.wins.to_string(),
        outcomes.draws.to_string(),
        outcomes.losses.to_string(),
        points.to_string(),
        percent(row.summary.score),
        or_none(elo.map(|elo| elo.to_string())),
        percent(los),
    ]
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
    /// Games of the plan; absent if it depends on results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) games: Option<u64>,
    /// The state of the test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<Status>,
    pub(crate) engines: Vec<Standing>,
    /// How a knockout ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) knockout: Option<Knockout>,
    /// Which games repeat another one; absent if the games are not at hand.
    #[serde(flatten)]
    pub(crate) repetition: Option<Repetition>,
}

impl MatchResults<'_> {
    /// Prints the results, as a table or as JSON.
    pub(crate) fn print(&self, json: bool) -> anyhow::Result<()> {
        if json {
            terminal::write_data(&(serde_json::to_string_pretty(self)? + "\n"))?;
        } else {
            let knockout = self.knockout.iter().flat_map(Knockout::lines);
            let test = self.sprt.iter().map(Status::to_string);
            let below: String = knockout.chain(test).map(|line| line + "\n").collect();
            terminal::show(format_args!("{}\n{below}", table(&self.engines)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::events::Reason;
    use crate::results::tally::tests::end;
    use crate::stats::{Results, Trinomial};

    fn standing(engine: &str, wins: u64, draws: u64, losses: u64) -> Standing {
        let games = Trinomial { wins, draws, losses };
        let summary = Results { games, ..Results::default() }.summary();
        Standing { engine: engine.to_owned(), summary, faults: BTreeMap::new() }
    }

    /// Two engines with these names, after 99999 games.
    fn printed(names: [&str; 2], counts: [u64; 3]) -> String {
        let [wins, draws, losses] = counts;
        table(&[standing(names[0], wins, draws, losses), standing(names[1], losses, draws, wins)])
    }

    #[test]
    fn a_table_fits_a_terminal_of_80_columns() {
        let names = ["leapd-2026-11-24-tuned-by-spsa-64-threads", "Stockfish 17.1 (dev, patched)"];
        for names in [names, ["a", "b"], [&"ä".repeat(90), "国際象棋国際象棋国際象棋国際象棋"]]
        {
            for counts in [[0, 0, 0], [51_234, 20_001, 28_764], [99_998, 0, 1], [99_999, 0, 0]] {
                let table = printed(names, counts);
                for line in table.lines() {
                    assert!(line.width() <= 80, "{line}");
                }
                assert_eq!(table.lines().count(), 6, "{table}");
            }
        }
        let table = printed(names, [51_234, 20_001, 28_764]);
        for part in ["leapd-2026", "…", "99999", "51234", "20001", "28764", "61234.5", "61.2"] {
            assert!(table.contains(part), "{part}: {table}");
        }
    }

    #[test]
    fn a_name_stays_whole_where_there_is_room() {
        let table = printed(["a-name-of-18-chars", "b"], [51_234, 20_001, 28_764]);
        assert!(table.contains(" a-name-of-18-chars "), "{table}");
        assert_eq!(short("国際象棋", 8), "国際象棋");
        assert_eq!(short("国際象棋", 7), "国際象…");
        assert_eq!(short("国際象棋", 6), "国際…");
    }

    #[test]
    fn a_game_has_a_line_with_its_result_and_the_reason() {
        let won = End {
            rule: Some("no-moves".to_owned()),
            time_us: 849_000,
            ..end(12, Outcome::P1Win, None)
        };
        let given_up =
            End { rule: Some("resignation".to_owned()), ..end(12, Outcome::P2Win, None) };
        for (end, of_game, of_fault) in [
            (given_up, "base wins, resignation, 9 plies, 0.0 s", "resignation"),
            (won, "new wins, rules no-moves, 9 plies, 0.8 s", "rules no-moves"),
            (end(12, Outcome::Draw, None), "draw, rules, 9 plies, 0.0 s", "rules"),
            (
                end(12, Outcome::P2Win, Some(1)),
                "base wins, crash by new, 9 plies, 0.0 s",
                "crash by new",
            ),
            (
                end(12, Outcome::Void, Some(2)),
                "void, crash by base, 9 plies, 0.0 s",
                "crash by base, the game is void",
            ),
        ] {
            let players = ["new", "base"];
            let head = "game 12 (new - base): ";
            assert_eq!(game_line(players, &end), format!("{head}{of_game}"));
            assert_eq!(fault_line(players, &end), format!("{head}{of_fault}"));
        }
    }

    #[test]
    fn faults_are_told_below_the_table() {
        let faults = BTreeMap::from([(Reason::Time, 12), (Reason::Crash, 3)]);
        let bad = Standing { faults, ..standing("bad", 1, 0, 2) };
        let text = table(&[standing("good", 2, 0, 1), bad]);
        assert!(text.ends_with("\nfaults of bad: 12 time, 3 crash"), "{text}");
    }
}
