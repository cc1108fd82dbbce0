//! Tables of what the engine is like today: speed, levels, problems and the like.

use std::fmt::Display;

use leap_games::IDS;

use super::{by_game, grouped, headings, markdown};
use crate::data::{Data, Match, Plain, signed};

/// The measure that the table and chart of speed are about.
pub(crate) const NODES_A_SECOND: &str = "nodes a second";

/// A whole number with commas; other text as it is.
fn thousands(text: &str) -> String {
    if text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_digit()) {
        return text.to_owned();
    }
    let groups: Vec<_> = text.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

fn cell(row: Option<String>) -> String {
    row.unwrap_or_else(|| "-".to_owned())
}

/// A row with a cell for each game.
fn row(first: impl Display, of: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let cells = IDS.iter().map(|game| cell(of(game)));
    std::iter::once(first.to_string()).chain(cells).collect()
}

/// Million nodes a second of each game, and of Stockfish in the same hour.
pub(super) fn speed(data: &Data) -> String {
    let measured = data.measures.iter().filter(|row| row.measure == NODES_A_SECOND);
    let (games, others): (Vec<_>, Vec<_>) = measured.partition(|row| !row.game.is_empty());
    let hours = grouped(games.into_iter(), |row| (row.date.clone(), row.conditions.clone()));
    let rows = hours.iter().zip(others).map(|(hour, other)| {
        let of = |game: &str| hour.iter().find(|row| row.game == game).map(|row| row.value.clone());
        let mut cells = row(&hour[0].date, of);
        cells.extend([other.value.clone(), hour[0].conditions.clone()]);
        cells
    });
    let mut words = by_game("date");
    words.extend(headings(&["Stockfish 15.1", "conditions"]));
    markdown(&words, &rows.collect::<Vec<_>>())
}

/// A table with a row for each value of one column, and a cell for each game that has rows.
fn crossed(rows: &[Plain], first: &str, text: impl Fn(&Plain) -> String) -> String {
    let known = |game: &&&str| rows.iter().any(|row| row.get("game") == **game);
    let games: Vec<_> = IDS.iter().filter(known).copied().collect();
    let groups = grouped(rows.iter(), |row| row.get(first).to_owned());
    let rows = groups.iter().map(|group| {
        let of =
            |game: &&str| group.iter().find(|row| row.get("game") == *game).map(|row| text(row));
        let cells = games.iter().map(|game| cell(of(game)));
        std::iter::once(group[0].get(first).to_owned()).chain(cells).collect()
    });
    let words: Vec<_> = std::iter::once(first).chain(games.iter().copied()).collect();
    markdown(&headings(&words), &rows.collect::<Vec<_>>())
}

/// Elo of each level above the one below, and above level 0; where nearly all games were won, the result.
pub(super) fn levels(data: &Data) -> String {
    crossed(&data.levels, "level", |row| match row.get("elo") {
        "" => format!("{}-{}", row.get("won"), row.get("lost")),
        elo => {
            let step = format!("{} ±{}", signed(elo), row.get("error"));
            match row.get("total") {
                "" => step,
                total => format!("{step} ({} ±{})", signed(total), row.get("total_error")),
            }
        }
    })
}

/// How the levels err.
pub(super) fn mistakes(data: &Data) -> String {
    crossed(&data.mistakes, "level", |row| format!("{}%, {}%", row.get("best"), row.get("losing")))
}

fn scores(rows: &[&Match], first: String) -> Vec<String> {
    let of = |game: &str| rows.iter().find(|row| row.game == game).map(|row| row.score());
    row(first, of)
}

/// Whether a level plays a sparring player that knows next to nothing.
pub(super) fn is_of_beginner(row: &Match) -> bool {
    row.change.starts_with("level ") && matches!(&*row.opponent, "random" | "greedy")
}

/// The weakest levels against sparring players.
pub(super) fn beginner(data: &Data) -> String {
    let played = data.results.iter().filter(|row| is_of_beginner(row));
    let pairs = grouped(played, |row| (row.change.clone(), row.opponent.clone()));
    let line = |rows: &Vec<&Match>| {
        scores(rows, format!("{} against {}", rows[0].change, rows[0].opponent))
    };
    markdown(&by_game("pair"), &pairs.iter().map(line).collect::<Vec<_>>())
}

/// Results against Monte Carlo tree search, at the time that was played in every game.
pub(super) fn players(data: &Data) -> String {
    let name = "against Monte Carlo tree search";
    let played = data.results.iter().filter(|row| row.change == name);
    let limits = grouped(played, |row| format!("{} against {}", row.conditions, row.opponent));
    let all = |rows: &&Vec<&Match>| IDS.iter().all(|game| rows.iter().any(|row| row.game == *game));
    let line = |rows: &Vec<&Match>| {
        scores(rows, format!("{} against {}", rows[0].conditions, rows[0].opponent))
    };
    markdown(&by_game("limit"), &limits.iter().filter(all).map(line).collect::<Vec<_>>())
}

/// Problems of each game, and how many are solved within a number of nodes.
pub(super) fn problems(data: &Data) -> String {
    let games = grouped(data.problems.iter(), |row| row.get("game").to_owned());
    let number = |row: &Plain, heading: &str| row.get(heading).parse::<u32>().unwrap_or(0);
    let counts = |rows: &Vec<&Plain>| {
        let made = ["problems", "wins", "holds", "margins"].map(|heading| number(rows[0], heading));
        let solved = rows.iter().map(|row| number(row, "solved"));
        made.into_iter().chain(solved).collect::<Vec<_>>()
    };
    let line = |name: &str, counts: &[u32]| {
        let [problems, wins, holds, margins, solved @ ..] = counts else { return Vec::new() };
        let kinds = format!("{wins}, {holds}, {margins}");
        let solved = solved.iter().map(ToString::to_string);
        [name.to_owned(), problems.to_string(), kinds].into_iter().chain(solved).collect()
    };
    let all: Vec<_> = games.iter().map(counts).collect();
    let sum = |place: usize| all.iter().map(|counts| counts[place]).sum();
    let sums: Vec<u32> = (0..all.first().map_or(0, Vec::len)).map(sum).collect();
    let mut rows: Vec<Vec<String>> =
        games.iter().zip(&all).map(|(rows, counts)| line(rows[0].get("game"), counts)).collect();
    rows.push(line("all", &sums));
    let mut words = headings(&["game", "problems", "win, hold or margin"]);
    let nodes = games.first().into_iter().flatten();
    words.extend(nodes.map(|row| format!("solved with {} nodes", thousands(row.get("nodes")))));
    markdown(&words, &rows)
}

/// A table of some columns as they stand.
fn columns(rows: &[&Plain], chosen: &[(&str, &str)]) -> String {
    let words: Vec<_> = chosen.iter().map(|(_, shown)| (*shown).to_owned()).collect();
    let line = |row: &&Plain| chosen.iter().map(|(name, _)| thousands(row.get(name))).collect();
    markdown(&words, &rows.iter().map(line).collect::<Vec<_>>())
}

/// Thousands of fast games.
pub(super) fn fast(data: &Data) -> String {
    let chosen = [
        ("game", "game"),
        ("games", "games"),
        ("drawn", "drawn"),
        ("plies", "plies a game"),
        ("slowest_ms", "slowest move, ms"),
        ("note", "note"),
    ];
    columns(&data.fast.iter().collect::<Vec<_>>(), &chosen)
}

/// What the learned evaluations look at, and how well they predict.
pub(super) fn learned(data: &Data) -> String {
    let chosen = [
        ("game", "game"),
        ("looks_at", "looks at"),
        ("weights", "weights"),
        ("positions", "positions"),
        ("rounds", "rounds"),
        ("loss_before", "loss before"),
        ("loss_after", "loss after"),
    ];
    columns(&data.learned.iter().collect::<Vec<_>>(), &chosen)
}

/// The speed of `leap analyse`, and how many moves it labels.
pub(super) fn analysis(data: &Data) -> String {
    let chosen = [
        ("game", "game"),
        ("games", "games"),
        ("positions", "positions"),
        ("per_second", "positions a second"),
        ("inaccuracies", "inaccuracies, %"),
        ("mistakes", "mistakes, %"),
        ("blunders", "blunders, %"),
    ];
    columns(&data.analysis.iter().collect::<Vec<_>>(), &chosen)
}

/// What chances predict and what was scored, in percent, by tenths of the chance. Below an even chance it is the same
/// from the other side.
pub(super) fn chances(data: &Data) -> String {
    let tenths = grouped(data.chances.iter(), |row| row.get("tenth").to_owned());
    let line = |rows: &Vec<&Plain>| {
        let cell = |game: &&str| {
            let row = rows.iter().find(|row| row.get("game") == *game);
            row.map_or_else(String::new, |row| {
                let figures = ["predicted", "scored", "error"].map(|heading| row.get(heading));
                let [predicted, scored, error] = figures;
                format!("{predicted}, {scored} ± {error} ({})", thousands(row.get("positions")))
            })
        };
        let tenth: u32 = rows[0].get("tenth").parse().unwrap_or(0);
        let first = format!("{tenth} to {} %", tenth + 10);
        std::iter::once(first).chain(IDS.iter().map(cell)).collect()
    };
    markdown(&by_game("chance"), &tenths.iter().map(line).collect::<Vec<_>>())
}

/// How far the labels agree with a search ten times as deep, without and with a second look.
pub(super) fn analysis_checked(data: &Data) -> String {
    let row = |row: &Plain| {
        let first = ["game", "checked", "moves"].map(|heading| thousands(row.get(heading)));
        let pair = |heading: &str| {
            let once = row.get(&format!("{heading}_once"));
            format!("{once}, {}", row.get(heading))
        };
        first.into_iter().chain(["same", "confirmed", "found"].map(pair)).collect()
    };
    let words = ["game", "games", "moves", "same label, %", "confirmed, %", "found, %"];
    markdown(&headings(&words), &data.analysis.iter().map(row).collect::<Vec<_>>())
}

/// How far before the end a search is exact: for each method, in how many games and after how many nodes.
pub(super) fn endings(data: &Data, game: &str) -> String {
    let of_game: Vec<_> = data.endings.iter().filter(|row| row.get("game") == game).collect();
    let methods = grouped(of_game.iter().copied(), |row| row.get("method").to_owned());
    let mut words = headings(&["plies before the end", "frogs"]);
    words.extend(methods.iter().map(|rows| rows[0].get("method").to_owned()));
    let ends = grouped(of_game.into_iter(), |row| row.get("plies").to_owned());
    let rows = ends.iter().map(|rows| {
        let solved = rows.iter().map(|row| match (row.get("exact"), row.get("nodes")) {
            (exact, "") => format!("{exact} of {}", row.get("games")),
            (exact, nodes) => {
                format!("{exact} of {}: {} nodes", row.get("games"), thousands(nodes))
            }
        });
        let first = ["plies", "frogs"].map(|heading| rows[0].get(heading).to_owned());
        first.into_iter().chain(solved).collect()
    });
    markdown(&words, &rows.collect::<Vec<_>>())
}
