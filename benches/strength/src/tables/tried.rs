//! What was tried: a row for each change, with all matches of it.

use std::collections::BTreeSet;

use leap_games::IDS;

use super::figures::is_of_beginner;
use super::{RELEASE, by_game, grouped, headings, markdown};
use crate::data::{Data, Kept, Match, Measure};

/// Changes of a game with one answer to whether they are kept.
fn changes<'a>(data: &'a Data, game: &str, kept: Kept) -> Vec<Vec<&'a Match>> {
    let chosen = |row: &&Match| row.game == game && row.kept == kept && row.kind != RELEASE;
    by_kind(data.results.iter().filter(chosen), |row| (row.kind.clone(), row.change.clone()))
}

/// Groups of rows, those of one kind beside each other. The key begins with the kind.
fn by_kind<T>(rows: impl Iterator<Item = T>, key: impl Fn(&T) -> (String, String)) -> Vec<Vec<T>> {
    let groups = grouped(rows, &key);
    let kinds = grouped(groups.into_iter(), |group: &Vec<T>| key(&group[0]).0);
    kinds.into_iter().flatten().collect()
}

/// Texts in their order, each once, those that are empty left out.
fn each_once<'a>(texts: impl Iterator<Item = &'a str>, between: &str) -> String {
    let mut seen = BTreeSet::new();
    let texts: Vec<_> = texts.filter(|text| !text.is_empty() && seen.insert(*text)).collect();
    texts.join(between)
}

/// Stands between the lines of a cell.
const BREAK: &str = "<br>";

/// A match of a change: Elo or score, the limit, the number of games, and what else is to be said.
fn result(row: &Match) -> String {
    let outcome = if row.elo.is_empty() { row.score() } else { row.elo_text() };
    let games = if row.games.is_empty() { String::new() } else { format!("{} games", row.games) };
    let details = [&row.conditions, &games, &row.note].map(String::as_str);
    format!("{outcome} ({})", each_once(details.into_iter(), ", "))
}

fn table(changes: &[Vec<&Match>]) -> String {
    let row = |group: &Vec<&Match>| {
        let results: Vec<_> = group.iter().map(|row| result(row)).collect();
        let opponents = group.iter().map(|row| row.opponent.as_str());
        let against = each_once(opponents, BREAK);
        vec![group[0].kind.clone(), group[0].change.clone(), against, results.join(BREAK)]
    };
    let rows: Vec<_> = changes.iter().map(row).collect();
    markdown(&headings(&["kind", "change", "against", "Elo or score (limit, games)"]), &rows)
}

/// The changes of a game that are part of the engine.
pub(super) fn kept(data: &Data, game: &str) -> String {
    table(&changes(data, game, Kept::Yes))
}

/// The changes of a game that were left out.
pub(super) fn failed(data: &Data, game: &str) -> String {
    table(&changes(data, game, Kept::No))
}

/// What else was played in a game.
pub(super) fn other(data: &Data, game: &str) -> String {
    let mut changes = changes(data, game, Kept::Neither);
    // These are in docs/measured/README.md.
    changes.retain(|rows| !is_of_beginner(rows[0]));
    table(&changes)
}

/// The measures of a change. Conditions that all of them share are told once.
fn measured(group: &[&Measure]) -> Vec<String> {
    let shared = group.iter().all(|row| row.conditions == group[0].conditions);
    let value = |row: &&Measure| match row.conditions.as_str() {
        conditions if !shared && !conditions.is_empty() => {
            format!("{}: {} ({conditions})", row.measure, row.text())
        }
        _ => format!("{}: {}", row.measure, row.text()),
    };
    let values: Vec<_> = group.iter().map(value).collect();
    let conditions = shared.then_some(group[0].conditions.as_str());
    let notes = group.iter().map(|row| row.note.as_str());
    let kept = match group[0].kept {
        Kept::Yes => "yes",
        Kept::No => "no",
        Kept::Neither => "-",
    };
    vec![
        group[0].kind.clone(),
        group[0].change.clone(),
        values.join(BREAK),
        each_once(conditions.into_iter().chain(notes), BREAK),
        kept.to_owned(),
    ]
}

/// What was measured without a match: of a game, or of no game in particular if the name is empty.
pub(super) fn measures(data: &Data, game: &str) -> String {
    let chosen = data.measures.iter().filter(|row| row.game == game);
    let groups = by_kind(chosen, |row| (row.kind.clone(), row.change.clone()));
    let rows: Vec<_> = groups.iter().map(|group| measured(group)).collect();
    markdown(&headings(&["kind", "what", "measured", "conditions", "kept"]), &rows)
}

/// For each kind and game, how many changes were kept of those that were tried.
pub(super) fn kinds(data: &Data) -> String {
    let tried = data.results.iter().filter(|row| row.kind != RELEASE && row.kept != Kept::Neither);
    let rows = grouped(tried, |row| row.kind.clone()).into_iter().map(|rows| {
        let cell = |game: &&str| {
            let of = |kept: Option<Kept>| {
                let of_game = rows.iter().filter(|row| row.game == *game);
                let chosen = of_game.filter(|row| kept.is_none_or(|kept| row.kept == kept));
                chosen.map(|row| &row.change).collect::<BTreeSet<_>>().len()
            };
            match of(None) {
                0 => "-".to_owned(),
                tried => format!("{} of {tried}", of(Some(Kept::Yes))),
            }
        };
        std::iter::once(rows[0].kind.clone()).chain(IDS.iter().map(cell)).collect()
    });
    markdown(&by_game("kind"), &rows.collect::<Vec<_>>())
}
