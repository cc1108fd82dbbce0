//! The settings of cutegames, as its reader takes them. cutegames skips unknown keys, so a mistake is silent there.
//! Here unknown keys are refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// The example, in the repository.
pub(super) const SETTINGS: &str = "adapters/examples/cutegames/settings.json";

/// All settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
pub(super) struct Settings {
    game: Option<Kind>,
    games: Option<u32>,
    concurrency: Option<u32>,
    ratinginterval: Option<u32>,
    debug: Option<bool>,
    recover: Option<bool>,
    verbose: Option<bool>,
    tournament: Option<Tournament>,
    #[serde(default)]
    pub(super) protocol: Protocol,
    adjudication: Option<Adjudication>,
    timecontrol: Option<TimeControl>,
    openings: Openings,
    sprt: Option<Sprt>,
    #[serde(default)]
    pub(super) options: BTreeMap<String, String>,
    pgn: Option<Pgn>,
    pub(super) engines: Vec<Engine>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Generic,
    Ataxx,
    Chess,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Tournament {
    RoundRobin,
    Gauntlet,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
pub(super) struct Protocol {
    /// Whether an engine is asked whose turn it is; otherwise turns alternate.
    pub(super) askturn: Option<bool>,
    gameover: Option<Asked>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    ToMove,
    Both,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
struct Adjudication {
    timeoutbuffer: Option<u32>,
    maxfullmoves: Option<u32>,
}

/// Times in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
struct TimeControl {
    r#type: Limit,
    time: Option<u32>,
    increment: Option<u32>,
    nodes: Option<u32>,
    ply: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Limit {
    Clock,
    MoveTime,
    Depth,
    Nodes,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
struct Openings {
    path: String,
    repeat: Option<bool>,
    shuffle: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
struct Sprt {
    enabled: Option<bool>,
    confidence: Option<f32>,
    alpha: Option<f32>,
    beta: Option<f32>,
    elo0: Option<f32>,
    elo1: Option<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
struct Pgn {
    enabled: Option<bool>,
    verbose: Option<bool>,
    r#override: Option<bool>,
    path: Option<String>,
    event: Option<String>,
    colour1: Option<String>,
    colour2: Option<String>,
}

/// An engine. Its options replace those of all engines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what is not read is checked")]
pub(super) struct Engine {
    name: String,
    pub(super) path: String,
    protocol: Option<EngineProtocol>,
    parameters: Option<String>,
    #[serde(default)]
    pub(super) options: BTreeMap<String, String>,
}

/// The protocol of an engine. With the game `generic` cutegames accepts only this one.
#[derive(Debug, Deserialize)]
enum EngineProtocol {
    #[serde(rename = "UGI")]
    Ugi,
}

impl Settings {
    /// Reads settings; there must be two engines.
    pub(super) fn parse(text: &str) -> serde_json::Result<Self> {
        let settings: Self = serde_json::from_str(text)?;
        assert!(settings.engines.len() >= 2, "expected two engines, found {:?}", settings.engines);
        Ok(settings)
    }

    /// The openings; empty lines and those with `#` are skipped.
    pub(super) fn openings(&self, root: &Path) -> Vec<String> {
        let text = fs::read_to_string(root.join(&self.openings.path)).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let openings: Vec<String> = lines.map(str::to_owned).collect();
        assert!(!openings.is_empty(), "{text}");
        openings
    }
}
