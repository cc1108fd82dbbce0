//! The configuration of a match: everything that affects the games. It is made from the command line and a file
//! (`args`). The first event of a match contains it. Its hash identifies the plan.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use leap_client::EngineCommand;
use leap_protocol::{Dialect, shown};
use serde::{Deserialize, Serialize};

use super::limit::{LONGEST_MS, Limit, TimeControl};
use crate::stats::sprt::Sprt;

/// A resolved match configuration, without any defaults left open.
///
/// The fields are those of the `config` of the `run` event (SPEC 19.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The game's id; `None` for the default of the engines.
    pub game: Option<String>,
    /// Options that are set in the players and the referee, if they have them.
    pub options: BTreeMap<String, String>,
    /// The players, with distinct names. At least two.
    pub engines: Vec<EngineConfig>,
    /// The engine that checks moves and results; `None` relies on the players.
    pub referee: Option<EngineConfig>,
    /// How opponents are paired.
    pub format: TournamentFormat,
    /// Games of each pairing, in pairs with the same opening and sides swapped.
    pub games: u64,
    /// How often the whole schedule is played; in a Swiss tournament, the number of rounds.
    pub rounds: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// How the games begin.
    pub openings: Openings,
    /// How much a player may exceed its time, in milliseconds.
    pub margin_ms: u64,
    /// How long a reply that needs no thinking may take, in milliseconds.
    pub patience_ms: u64,
    /// How long a search without a time limit may take, in milliseconds.
    pub stall_ms: u64,
    /// Whether players think on their opponents' time.
    pub ponder: bool,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// When players are restarted.
    pub restart: Restart,
    /// What happens to a game with a fault.
    pub on_fault: OnFault,
    /// The sequential test, if there is one.
    pub sprt: Option<Sprt>,
}

/// What holds where nothing is said; the engines are missing.
impl Default for Config {
    fn default() -> Self {
        Self {
            game: None,
            options: BTreeMap::new(),
            engines: Vec::new(),
            referee: None,
            format: TournamentFormat::default(),
            games: 2,
            rounds: 1,
            seed: 1,
            openings: Openings::default(),
            margin_ms: 50,
            patience_ms: 10_000,
            stall_ms: 600_000,
            ponder: false,
            adjudication: Adjudication::default(),
            restart: Restart::default(),
            on_fault: OnFault::default(),
            sprt: None,
        }
    }
}

impl Config {
    /// What decides the order of the openings in a book; `None` for the order of the file.
    pub(crate) fn book_seed(&self) -> Option<u64> {
        (!self.openings.in_order).then_some(self.seed)
    }

    /// Checks what comes from a file: everything after this relies on it.
    ///
    /// # Errors
    /// If there is nothing to play, a number makes no sense, a text has control characters, or the sequential test
    /// cannot be made.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let (engines, games, rounds) = (self.engines.len(), self.games, self.rounds);
        ensure!(engines >= 2, "expected two engines or more, found {engines}");
        ensure!(games > 0 && rounds > 0, "expected games and rounds, found {games} and {rounds}");
        within("margin", self.margin_ms, &(0..=LONGEST_MS))?;
        within("patience", self.patience_ms, &(1..=LONGEST_MS))?;
        within("stall", self.stall_ms, &(1..=LONGEST_MS))?;
        self.adjudication.check()?;
        for engine in self.engines.iter().chain(&self.referee) {
            let name = &engine.name;
            ensure!(!name.is_empty(), "expected an engine with a name, found one without");
            one_line("the name of an engine", name)?;
            texts(&engine.options).and_then(|()| engine.check()).with_context(|| name.clone())?;
        }
        one_line("the game", self.game.as_deref().unwrap_or_default())?;
        texts(&self.options)?;
        if let Some(test) = &self.sprt {
            test.check().context("sprt")?;
        }
        Ok(())
    }
}

/// Checks a number.
fn within<T: PartialOrd + Display>(
    what: &str,
    found: T,
    range: &RangeInclusive<T>,
) -> anyhow::Result<()> {
    let (least, most) = (range.start(), range.end());
    ensure!(
        range.contains(&found),
        "{what}: expected a number from {least} to {most}, found {found}"
    );
    Ok(())
}

/// Checks a text that becomes a part of records and of lines on the terminal.
fn one_line(what: &str, text: &str) -> anyhow::Result<()> {
    ensure!(
        !text.contains(char::is_control),
        "{what}: expected no control characters, found '{}'",
        shown(text)
    );
    Ok(())
}

/// Checks names and values of options.
fn texts(options: &BTreeMap<String, String>) -> anyhow::Result<()> {
    options.iter().try_for_each(|(name, value)| {
        one_line("an option", name)?;
        one_line(name, value)
    })
}

/// How an engine is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineConfig {
    /// The name in all tables, unique among the players.
    pub name: String,
    /// The program: a path, or a name looked up in `PATH`.
    pub cmd: PathBuf,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Options that are set in this engine only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Its limits.
    #[serde(default)]
    pub limit: Limit,
    /// The dialect that it speaks.
    #[serde(default)]
    pub protocol: Protocol,
    /// What the way to it and back takes for each move, in milliseconds. Its clock is not charged for this time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub latency_ms: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(ms: &u64) -> bool {
    *ms == 0
}

impl EngineConfig {
    /// Checks the numbers.
    fn check(&self) -> anyhow::Result<()> {
        within("latency", self.latency_ms, &(0..=LONGEST_MS))?;
        let Limit { clock, movetime_ms, depth, nodes } = self.limit;
        if let Some(TimeControl { moves, time_ms, inc_ms }) = clock {
            within("moves of tc", moves.unwrap_or(1), &(1..=u32::MAX))?;
            within("milliseconds of tc", time_ms, &(1..=LONGEST_MS))?;
            within("increment of tc", inc_ms, &(0..=LONGEST_MS))?;
        }
        within("movetime", movetime_ms.unwrap_or(1), &(1..=LONGEST_MS))?;
        within("depth", depth.unwrap_or(1), &(1..=u32::MAX))?;
        within("nodes", nodes.unwrap_or(1), &(1..=u64::MAX))
    }

    /// How to start it.
    #[must_use]
    pub fn command(&self) -> EngineCommand {
        EngineCommand {
            program: self.cmd.clone(),
            args: self.args.clone(),
            directory: self.dir.clone(),
        }
    }
}

/// The dialect of a player (SPEC 2.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// `ugi`, `p1time`.
    #[default]
    Ugi,
    /// `uci`, `wtime`.
    Uci,
}

impl From<Protocol> for Dialect {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Ugi => Self::Ugi,
            Protocol::Uci => Self::Uci,
        }
    }
}

/// How opponents are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Everyone plays everyone.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
    /// The loser of a pairing is out.
    Knockout,
    /// In each round engines with similar scores meet, avoiding repeated pairings as far as possible.
    Swiss,
}

impl TournamentFormat {
    /// Whether pairings depend on the results so far.
    #[must_use]
    pub fn follows_results(self) -> bool {
        matches!(self, Self::Knockout | Self::Swiss)
    }
}

/// How games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Openings {
    /// The file of openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// SHA-256 of its contents, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether they are used in the order of the file instead of one drawn by the seed.
    #[serde(default)]
    pub in_order: bool,
    /// Random legal moves that follow the opening.
    #[serde(default)]
    pub random_plies: u32,
    /// Whether every game has an opening of its own, where the games of a pair share one otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub singly: bool,
}

/// When games are adjudicated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// As a draw, if both players agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// As a win, if both players agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<WinRule>,
    /// As a draw after this many plies, including the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u64>,
}

/// More plies than any game has.
const MOST_PLIES: u64 = 1_000_000;
/// More moves in a row than a rule can need.
const MOST_MOVES: u32 = 10_000;
/// A score beyond those of open games, in centipawns.
const MOST_SCORE: i32 = 100_000;

impl Adjudication {
    /// Checks that each rule can decide a game, and none decides every game.
    fn check(&self) -> anyhow::Result<()> {
        let draw = |DrawRule { plies, count, score }| {
            within("plies", plies, &(0..=MOST_PLIES))?;
            within("count", count, &(1..=MOST_MOVES))?;
            within("score", score, &(0..=MOST_SCORE))
        };
        let win = |WinRule { count, score }| {
            within("count", count, &(1..=MOST_MOVES))?;
            within("score", score, &(1..=MOST_SCORE))
        };
        self.draw.map_or(Ok(()), draw).context("adjudication of draws")?;
        self.win.map_or(Ok(()), win).context("adjudication of wins")?;
        within("max-plies", self.max_plies.unwrap_or(1), &(1..=MOST_PLIES))
    }
}

/// A game is drawn if, after `plies` plies, the last `count` moves of each player had scores of at most `score`
/// centipawns either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Plies before which no game is drawn.
    pub plies: u64,
    /// Moves of each player.
    pub count: u32,
    /// Centipawns.
    pub score: i32,
}

/// A game is won if for `count` moves of each player both have scored one side ahead by `score` centipawns or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinRule {
    /// Moves of each player.
    pub count: u32,
    /// Centipawns.
    pub score: i32,
}

/// When players are restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// Before every game.
    Game,
    /// Only after a fault.
    #[default]
    Crash,
}

/// What happens to a game with a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// The guilty side loses.
    #[default]
    Lose,
    /// The game is void and replayed, at most three times; then the guilty side loses.
    Replay,
}
