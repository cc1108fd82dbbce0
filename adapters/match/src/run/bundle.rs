//! The bundle of a faulty game: everything needed to see what happened and to reproduce it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use leap_base::files;
use leap_client::PositionCommand;
use sha2::{Digest, Sha256};

use super::game::GameFault;
use super::stderr::StderrLog;
use super::wire::WireLog;
use crate::events::store::FAULTS;
use crate::plan::config::{Config, Openings, TournamentFormat};
use crate::plan::opening::{Opening, hex};

/// Bytes of standard error that are included.
const KEPT: usize = 1 << 18;

/// A faulty game.
pub(crate) struct Bundle<'a> {
    pub(crate) config: &'a Config,
    pub(crate) players: [usize; 2],
    pub(crate) opening: &'a Opening,
    /// The position of the fault.
    pub(crate) position: &'a PositionCommand,
    pub(crate) fault: &'a GameFault,
    pub(crate) wire: &'a WireLog,
    /// The engines' standard error, with its length before the game.
    pub(crate) stderr: &'a [(StderrLog, u64)],
}

impl Bundle<'_> {
    /// Writes the bundle; returns its path relative to the directory of the match.
    pub(crate) fn write(&self, dir: &Path, game: u64, attempt: u32) -> anyhow::Result<String> {
        let name = format!("{FAULTS}/game-{game}-{attempt}");
        let path = dir.join(&name);
        let write = || {
            fs::create_dir_all(&path)?;
            let put = |name: &str, text: &[u8]| files::replace(&path.join(name), text);
            put("wire.txt", self.wire.text().as_bytes())?;
            for (log, before) in self.stderr {
                let text = log.since(*before, KEPT);
                if let (false, Some(name)) = (text.is_empty(), log.name()) {
                    files::replace(&path.join(name).with_extension("stderr.txt"), text)?;
                }
            }
            let Opening { fen, moves } = self.opening;
            let opening = format!("{}\n", PositionCommand::new(fen.as_deref(), moves));
            let sha256 = hex(&Sha256::digest(opening.as_bytes()));
            put("opening.txt", opening.as_bytes())?;
            let plan = serde_json::to_vec_pretty(&self.plan(path.join("opening.txt"), sha256))?;
            put("plan.json", &plan)?;
            put("README.txt", self.readme(&path).as_bytes())
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(name)
    }

    /// A match of this one game.
    fn plan(&self, opening: PathBuf, sha256: String) -> Config {
        let engines = self.players.map(|player| self.config.engines[player].clone());
        Config {
            engines: engines.to_vec(),
            format: TournamentFormat::RoundRobin,
            games: 1,
            rounds: 1,
            sprt: None,
            openings: Openings {
                file: Some(opening),
                sha256: Some(sha256),
                in_order: true,
                ..Openings::default()
            },
            ..self.config.clone()
        }
    }

    fn readme(&self, path: &Path) -> String {
        let GameFault { error, shown_by, .. } = self.fault;
        let [p1, p2] = self.players.map(|player| &self.config.engines[player].name);
        let mut text = format!("{}: {}\n\np1: {p1}\np2: {p2}\n", error.kind, error.text);
        let _ = writeln!(text, "seed: {}", self.config.seed);
        let position = || self.position.to_string();
        let shown = if shown_by.is_empty() { position() } else { shown_by.join("\n    ") };
        let _ = writeln!(text, "\nThe position:\n\n    {shown}");
        let quoted = |path: PathBuf| {
            let text = path.display().to_string();
            shlex::try_quote(&text).map_or_else(|_| text.clone(), |quoted| quoted.into_owned())
        };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (plan, again) = (quoted(path.join("plan.json")), quoted(path.join("again")));
        let _ = writeln!(
            text,
            "\nTo play the game again:\n\n    leap match --plan-file {plan} --out {again}"
        );
        let _ = writeln!(
            text,
            "\nwire.txt has what was said: seconds, who, > to the engine or < from it, line."
        );
        text
    }
}
