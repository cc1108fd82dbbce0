//! Exact values: who wins, by the men of both sides, and the longest ways to a capture.

use crate::data::{Data, Plain};

use super::{grouped, headings, markdown};

/// The men that a cell of a row is about.
fn men(row: &Plain) -> (u32, u32) {
    // A row that is not of numbers stands beside all others, where people see it.
    let number = |heading| row.get(heading).parse().unwrap_or(0);
    (number("own"), number("enemy"))
}

/// Wins, draws and losses of the side to move in percent: a row for its men, a column for the men of the other side.
pub(super) fn slices(data: &Data, rule: &str) -> String {
    let of_rule: Vec<&Plain> = data.counts.iter().filter(|row| row.get("rule") == rule).collect();
    let most = of_rule.iter().map(|row| men(row).0).max().unwrap_or(0);
    let mut words = headings(&["men"]);
    words.extend((1..=most).map(|enemy| format!("against {enemy}")));
    let cell = |own, enemy| {
        let row = of_rule.iter().find(|row| men(row) == (own, enemy));
        row.map_or(String::new(), |row| shares(row))
    };
    let rows: Vec<Vec<String>> = (1..=most)
        .map(|own| {
            let cells = (1..=most).map(|enemy| cell(own, enemy));
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

/// For each rule and number of men, a position from which a capture or the end takes longest.
pub(super) fn longest(data: &Data, game: &str) -> String {
    let of_game = data.longest.iter().filter(|row| row.get("game") == game);
    let key = |row: &&Plain| (row.get("option").to_owned(), men(row).0 + men(row).1);
    let rows: Vec<Vec<String>> = grouped(of_game, key)
        .iter()
        .filter_map(|rows| {
            let longest =
                rows.iter().rev().max_by_key(|row| row.get("plies").parse().unwrap_or(0))?;
            let (own, enemy) = men(longest);
            let rule = longest.get("option").rsplit('=').next().unwrap_or_default();
            let cells = [longest.get("plies"), &longest.get("outcome").to_lowercase()];
            let [plies, outcome] = cells.map(str::to_owned);
            let position = format!("`{}`", longest.get("position"));
            Some(vec![rule.to_owned(), format!("{own} against {enemy}"), plies, outcome, position])
        })
        .collect();
    markdown(&headings(&["capture", "men", "plies", "value", "position"]), &rows)
}
