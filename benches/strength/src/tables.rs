//! The tables of the pages, by name.

mod exact;
mod figures;
mod tried;

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use leap_games::IDS;

use crate::data::{Data, Match};
pub(crate) use figures::NODES_A_SECOND;

/// The kind of rows about the whole engine against a fixed release.
pub(crate) const RELEASE: &str = "release";
/// The release that most matches are against.
pub(crate) const FIXED: &str = "8b65832";

/// A table as text: headings, then rows.
pub(crate) fn markdown(headings: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(headings.len()));
    rows.iter().map(|row| line(row)).fold(line(headings) + &rule, |text, row| text + &row)
}

/// Headings from words.
fn headings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The headings of a table with a column for each game.
fn by_game(first: &str) -> Vec<String> {
    std::iter::once(first).chain(IDS.iter().copied()).map(str::to_owned).collect()
}

/// The table of a marker: its name, and perhaps a game.
///
/// # Errors
/// There is no such table.
pub(crate) fn table(named: &str, data: &Data) -> Result<String> {
    let words: Vec<_> = named.split_whitespace().collect();
    Ok(match words[..] {
        ["standing"] => standing(data),
        ["kinds"] => tried::kinds(data),
        ["speed"] => figures::speed(data),
        ["levels"] => figures::levels(data),
        ["beginner"] => figures::beginner(data),
        ["mistakes"] => figures::mistakes(data),
        ["problems"] => figures::problems(data),
        ["fast"] => figures::fast(data),
        ["players"] => figures::players(data),
        ["learned"] => figures::learned(data),
        ["chances"] => figures::chances(data),
        ["analysis"] => figures::analysis(data),
        ["analysis-checked"] => figures::analysis_checked(data),
        ["slices", rule] => exact::slices(data, rule),
        ["longest", game] => exact::longest(data, game),
        ["endings", game] => figures::endings(data, game),
        ["releases", game] => releases(data, game),
        ["kept", game] => tried::kept(data, game),
        ["failed", game] => tried::failed(data, game),
        ["other", game] => tried::other(data, game),
        ["measures"] => tried::measures(data, ""),
        ["measures", game] => tried::measures(data, game),
        _ => bail!("expected the name of a table"),
    })
}

/// The rows of a game against fixed releases, oldest first.
pub(crate) fn release_rows<'a>(data: &'a Data, game: &'a str) -> impl Iterator<Item = &'a Match> {
    data.results.iter().filter(move |row| row.game == game && row.kind == RELEASE)
}

/// Whether the players had a clock.
pub(crate) fn has_clock(row: &Match) -> bool {
    row.conditions.starts_with("tc=")
}

fn cells(row: &Match) -> [String; 4] {
    [row.conditions.clone(), row.games.clone(), row.score(), row.elo_text()]
}

/// For each game the last match by the clock against the release.
fn standing(data: &Data) -> String {
    let row = |game: &&'static str| {
        let by_clock = |row: &&Match| has_clock(row) && row.opponent == FIXED;
        let row = release_rows(data, game).filter(by_clock).last()?;
        let first =
            [format!("[{game}](../games/{game}.md)"), row.date.clone(), row.opponent.clone()];
        Some(first.into_iter().chain(cells(row)).collect())
    };
    let rows: Vec<Vec<String>> = IDS.iter().filter_map(row).collect();
    let words = ["game", "date", "against", "time", "games", "won-drawn-lost", "Elo"];
    markdown(&headings(&words), &rows)
}

/// All matches of a game against fixed releases.
fn releases(data: &Data, game: &str) -> String {
    let row = |row: &Match| {
        let first = [row.date.clone(), row.commit.clone(), row.opponent.clone()];
        first.into_iter().chain(cells(row)).chain([row.note.clone()]).collect()
    };
    let rows: Vec<Vec<String>> = release_rows(data, game).map(row).collect();
    let words = ["date", "commit", "against", "limit", "games", "won-drawn-lost", "Elo", "note"];
    markdown(&headings(&words), &rows)
}

/// Rows by something they share, in the order in which it first comes up.
fn grouped<T, K: Ord + Clone>(rows: impl Iterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    let mut places = BTreeMap::new();
    for row in rows {
        let place = *places.entry(key(&row)).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(row);
    }
    groups
}
