//! What a match is: everything that decides which games are played and how. It is read from the command line and a file
//! (`args`), stands in the first event of a match, and its hash is the identity of the plan.

use std::collections::BTreeMap;
use std::path::PathBuf;

use leap_protocol::Dialect;
use serde::{Deserialize, Serialize};

use super::limit::Limit;
use crate::client::EngineCommand;
use crate::stats::sprt::Sprt;

/// A match, resolved: nothing is left to defaults.
///
/// The fields are those of the `config` of the `run` event (SPEC 19.4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The game's id; `None` leaves it to what the engines begin with.
    pub game: Option<String>,
    /// Options that are set in the players and in the referee, where they have them.
    pub options: BTreeMap<String, String>,
    /// The players, with names that differ. At least two.
    pub engines: Vec<EngineConfig>,
    /// Who decides on moves and results; `None` leaves that to the players.
    pub referee: Option<EngineConfig>,
    /// Who plays whom.
    pub format: TournamentFormat,
    /// Games of each two opponents that meet, in pairs with the same opening and sides swapped.
    pub games: u64,
    /// How often the whole schedule is played; in a Swiss tournament, its number of rounds.
    pub rounds: u64,
    /// Where all that is random begins.
    pub seed: u64,
    /// How the games begin.
    pub openings: Openings,
    /// What a player may take beyond its time, in milliseconds.
    pub margin_ms: u64,
    /// How long a reply that needs no thinking may take, in milliseconds.
    pub patience_ms: u64,
    /// How long a search without a limit of time may take, in milliseconds.
    pub stall_ms: u64,
    /// Whether players think on their opponents' time.
    pub ponder: bool,
    /// When a game is ended before its end.
    pub adjudication: Adjudication,
    /// When players are started anew.
    pub restart: Restart,
    /// What becomes of a game that a player has spoilt.
    pub on_fault: OnFault,
    /// When to stop early.
    pub sprt: Option<Sprt>,
}

/// How an engine is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineConfig {
    /// The name in all tables; no two players have the same.
    pub name: String,
    /// The program: a path, or a name looked up in `PATH`.
    pub cmd: PathBuf,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Options that are set in this engine alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// What it may use for its moves.
    #[serde(default)]
    pub limit: Limit,
    /// How it is greeted and what its clocks are called.
    #[serde(default)]
    pub protocol: Protocol,
}

impl EngineConfig {
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

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Everyone plays everyone.
    #[default]
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
    /// Who loses is out.
    Knockout,
    /// In each round those with like scores meet, no two of them twice as far as possible.
    Swiss,
}

impl TournamentFormat {
    /// Whether who plays whom depends on the results so far.
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
    /// Whether they are taken in the file's order, not in one drawn by the seed.
    #[serde(default)]
    pub in_order: bool,
    /// Random legal moves made after the opening.
    #[serde(default)]
    pub random_plies: u32,
}

/// When games are ended before their end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A draw, when both players see one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A win, when both players see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<WinRule>,
    /// A draw after this many plies, those of the opening included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u64>,
}

/// A game is drawn when, after `plies` plies, the last `count` moves of each player had scores of at most `score`
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

/// A game is won when for `count` moves of each player both have seen one side ahead by `score` centipawns or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinRule {
    /// Moves of each player.
    pub count: u32,
    /// Centipawns.
    pub score: i32,
}

/// When players are started anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// Before every game.
    Game,
    /// After a fault only.
    #[default]
    Crash,
}

/// What becomes of a game that a player has spoilt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// The guilty side has lost it.
    #[default]
    Lose,
    /// It is void and played again, at most three times; then the guilty side has lost it.
    Replay,
}
