//! The rows, as they stand in the files.
//!
//! Numbers that are only shown stay text: they are shown as they were measured.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use leap_games::IDS;

/// Whether a change is part of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kept {
    /// The change is part of the engine.
    Yes,
    /// The change was tried and left out.
    No,
    /// No change was tried: the engine as it is was measured.
    #[serde(rename = "")]
    Neither,
}

/// A match: `results.csv`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Match {
    pub(crate) date: String,
    /// The commit that recorded the row.
    pub(crate) commit: String,
    pub(crate) game: String,
    pub(crate) kind: String,
    pub(crate) change: String,
    pub(crate) conditions: String,
    pub(crate) opponent: String,
    pub(crate) games: String,
    pub(crate) won: String,
    pub(crate) drawn: String,
    pub(crate) lost: String,
    /// Elo against the opponent, with half of the 95 % interval.
    pub(crate) elo: String,
    pub(crate) error: String,
    /// The bounds of the interval, where they are known.
    low: String,
    high: String,
    pub(crate) kept: Kept,
    pub(crate) note: String,
}

impl Match {
    /// Elo and its 95 % interval, if they are known.
    pub(crate) fn elo(&self) -> Option<(f64, f64, f64)> {
        let elo: f64 = self.elo.parse().ok()?;
        let error = self.error.parse().unwrap_or(f64::INFINITY);
        let bound = |text: &str, otherwise: f64| text.parse().unwrap_or(otherwise);
        Some((elo, bound(&self.low, elo - error), bound(&self.high, elo + error)))
    }

    /// Elo with its interval, for people.
    pub(crate) fn elo_text(&self) -> String {
        match (self.elo.as_str(), self.error.as_str()) {
            ("", _) => "-".to_owned(),
            (elo, "") => format!("{} [{}, {}]", signed(elo), signed(&self.low), signed(&self.high)),
            (elo, error) => format!("{} ±{error}", signed(elo)),
        }
    }

    /// Won, drawn and lost games; only the won ones where no more is known.
    pub(crate) fn score(&self) -> String {
        match (self.won.as_str(), self.drawn.as_str()) {
            ("", _) => "-".to_owned(),
            (won, "") => format!("{won} of {}", self.games),
            (won, drawn) => format!("{won}-{drawn}-{}", self.lost),
        }
    }

    fn check(&self) -> Result<()> {
        let number = |text: &str| text.is_empty() || text.parse::<f64>().is_ok();
        let numbers = [&self.games, &self.won, &self.drawn, &self.lost, &self.elo];
        let bounds = [&self.error, &self.low, &self.high];
        ensure!(numbers.into_iter().chain(bounds).all(|text| number(text)), "expected numbers");
        let counts = [&self.won, &self.drawn, &self.lost].map(|text| text.parse::<u32>());
        if let ([Ok(won), Ok(drawn), Ok(lost)], Ok(games)) = (&counts, self.games.parse::<u32>()) {
            ensure!(won + drawn + lost == games, "expected {games} results");
        }
        Ok(())
    }
}

/// Anything but a match: `measures.csv`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    pub(crate) date: String,
    #[serde(rename = "commit")]
    _commit: String,
    /// Empty where the measure is of no game.
    pub(crate) game: String,
    pub(crate) kind: String,
    pub(crate) change: String,
    pub(crate) measure: String,
    pub(crate) value: String,
    /// The upper end of a range.
    to: String,
    error: String,
    unit: String,
    pub(crate) conditions: String,
    pub(crate) kept: Kept,
    pub(crate) note: String,
}

impl Measure {
    /// The value with its unit.
    pub(crate) fn text(&self) -> String {
        let mut text = self.value.clone();
        if !self.to.is_empty() {
            text += &format!(" to {}", self.to);
        }
        if !self.error.is_empty() {
            text += &format!(" ±{}", self.error);
        }
        match self.unit.as_str() {
            "" | "ratio" => text,
            unit => format!("{text} {unit}"),
        }
    }
}

/// A row of a file that is shown as it stands: the cells under their headings.
#[derive(Debug)]
pub(crate) struct Plain {
    headings: csv::StringRecord,
    cells: csv::StringRecord,
}

impl Plain {
    /// The cell under a heading.
    ///
    /// # Panics
    /// The file has no such heading: the code and the file disagree.
    pub(crate) fn get(&self, heading: &str) -> &str {
        let place = self.headings.iter().position(|one| one == heading);
        let place = place.unwrap_or_else(|| panic!("expected the heading '{heading}'"));
        self.cells.get(place).unwrap_or("")
    }
}

/// All rows.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) results: Vec<Match>,
    pub(crate) measures: Vec<Measure>,
    pub(crate) levels: Vec<Plain>,
    pub(crate) mistakes: Vec<Plain>,
    pub(crate) problems: Vec<Plain>,
    pub(crate) fast: Vec<Plain>,
    pub(crate) endings: Vec<Plain>,
    pub(crate) learned: Vec<Plain>,
    pub(crate) analysis: Vec<Plain>,
    pub(crate) chances: Vec<Plain>,
    pub(crate) counts: Vec<Plain>,
    pub(crate) longest: Vec<Plain>,
}

impl Data {
    /// Reads the files of the folder of measurements and of the folder of tables.
    ///
    /// # Errors
    /// A file is missing or malformed, or a row names an unknown game.
    pub(crate) fn read(folder: &Path, tables: &Path) -> Result<Self> {
        let data = Self {
            results: rows(folder, "results.csv")?,
            measures: rows(folder, "measures.csv")?,
            levels: plain(folder, "levels.csv")?,
            mistakes: plain(folder, "mistakes.csv")?,
            problems: plain(folder, "problems.csv")?,
            fast: plain(folder, "fast.csv")?,
            endings: plain(folder, "endings.csv")?,
            learned: plain(folder, "learned.csv")?,
            analysis: plain(folder, "analysis.csv")?,
            chances: plain(folder, "chances.csv")?,
            counts: plain(tables, "counts.csv")?,
            longest: plain(tables, "longest.csv")?,
        };
        for (number, row) in data.results.iter().enumerate() {
            let place = || format!("results.csv, line {}", number + 2);
            known(&row.game).and_then(|()| row.check()).with_context(place)?;
        }
        for row in data.measures.iter().filter(|row| !row.game.is_empty()) {
            known(&row.game).with_context(|| format!("measures.csv, '{}'", row.change))?;
        }
        Ok(data)
    }
}

fn known(game: &str) -> Result<()> {
    ensure!(IDS.contains(&game), "expected a game, found '{game}'");
    Ok(())
}

/// A number with its sign; infinity as people write it.
pub(crate) fn signed(number: &str) -> String {
    match number {
        "inf" => "+∞".to_owned(),
        "-inf" => "-∞".to_owned(),
        number if number.starts_with('-') => number.to_owned(),
        number => format!("+{number}"),
    }
}

fn open(folder: &Path, name: &str) -> Result<csv::Reader<File>> {
    csv::Reader::from_path(folder.join(name)).with_context(|| format!("cannot read {name}"))
}

fn rows<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>> {
    let mut reader = open(folder, name)?;
    reader.deserialize().collect::<Result<_, _>>().with_context(|| name.to_owned())
}

fn plain(folder: &Path, name: &str) -> Result<Vec<Plain>> {
    let mut reader = open(folder, name)?;
    let headings = reader.headers()?.clone();
    let row = |cells| Ok(Plain { headings: headings.clone(), cells: cells? });
    reader.records().map(row).collect::<Result<_, csv::Error>>().with_context(|| name.to_owned())
}
