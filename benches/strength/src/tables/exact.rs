//! Exact values: who wins, by the men of both sides, and the longest ways to a capture.

use crate::data::{Data, Plain};

use super::{grouped, headings, markdown};

/// The men that a cell of a row is about.
fn men(row: &Plain) -> (u32, u32) {
    // A row that is not of numbers stands beside all others, where people see it.
    let number = |heading| row.get(heading).parse().unwrap_or(0);
    (number("own"), number("enemy"))
}

/// The men of a side in the table of slices. With fewer or more, one side nearly always wins.
const SHOWN: std::ops::RangeInclusive<u32> = 2..=6;

/// Wins, draws and losses of the side to move in percent: a row for its men, a column for the men of the other side.
pub(super) fn slices(data: &Data, rule: &str) -> String {
    let of_rule: Vec<&Plain> = data.counts.iter().filter(|row| row.get("rule") == rule).collect();
    let mut words = headings(&["men"]);
    words.extend(SHOWN.map(|enemy| format!("against {enemy}")));
    let cell = |own, enemy| {
        let row = of_rule.iter().find(|row| men(row) == (own, enemy));
        row.map_or(String::new(), |row| shares(row))
    };
    let rows: Vec<Vec<String>> = SHOWN
        .map(|own| {
            let cells = SHOWN.map(|enemy| cell(own, enemy));
            std::iter::once(own.to_string()).chain(cells).collect()
        })
        .collect();
    markdown(&words, &rows)
}

fn shares(row: &Plain) -> String {
    let counts = ["wins", "draws", "losses"].map(|heading| row.get(heading).parse().unwrap_or(0.0));
    let all: f64 = counts.iter().sum();
    let [wins, draws, losses] = counts.map(|count| format!("{:.0}", 100.0 * count / all));
    format!("{wins}-{draws}-{losses}")
}

/// Ways to a capture that are shorter than this are left out.
const SHORT: u32 = 4;

/// For each number of men and each rule, a position from which a capture or the end takes longest.
pub(super) fn longest(data: &Data, game: &str) -> String {
    let plies = |row: &Plain| row.get("plies").parse().unwrap_or(0);
    let all = |row: &&Plain| men(row).0 + men(row).1;
    let mut of_game: Vec<&Plain> =
        data.longest.iter().filter(|row| row.get("game") == game && plies(row) >= SHORT).collect();
    of_game.sort_by_key(all);
    let rules = grouped(of_game.iter().copied(), |row| row.get("option").to_owned());
    let rule = |rows: &Vec<&Plain>| rows[0].get("option").to_owned();
    let rules: Vec<String> = rules.iter().map(rule).collect();
    let cell = |rows: &[&Plain], rule: &String| {
        let of_rule = rows.iter().rev().filter(|row| row.get("option") == rule);
        let cell = |row: &&Plain| {
            let [plies, outcome, position] =
                ["plies", "outcome", "position"].map(|heading| row.get(heading));
            format!("{plies}, {}: `{position}`", outcome.to_lowercase())
        };
        of_rule.max_by_key(|row| plies(row)).map_or(String::new(), cell)
    };
    let rows: Vec<Vec<String>> = grouped(of_game.into_iter(), all)
        .iter()
        .map(|rows| {
            let cells = rules.iter().map(|rule| cell(rows, rule));
            std::iter::once(all(&rows[0]).to_string()).chain(cells).collect()
        })
        .collect();
    let mut words = headings(&["men"]);
    words.extend(rules.iter().map(|rule| format!("`{}`", rule.replace('=', " "))));
    markdown(&words, &rows)
}
