//! Writing records from the event stream.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use leap_base::files::{self, Existing};
use leap_records::{Ply, Record};

use super::store::{self, RECORDS};
use super::{End, Event, Move, Start};
use crate::plan::config::Config;

impl From<&Move> for Ply {
    fn from(mv: &Move) -> Self {
        let &Move { score, depth, nodes, time_us, .. } = mv;
        Self { score, depth, nodes, time_us: Some(time_us), ..Self::of_opening(&mv.mv) }
    }
}

/// Writes the records of all finished games, in the order in which they ended. Only games in flight are held in memory.
pub(crate) fn write_records(dir: &Path) -> anyhow::Result<()> {
    let path = dir.join(RECORDS);
    files::write(&path, Existing::Replace, |file| write_to(file, dir))
        .map(drop)
        .with_context(|| format!("cannot write {}", path.display()))
}

fn write_to(file: &mut dyn Write, dir: &Path) -> anyhow::Result<()> {
    let mut open: HashMap<u64, (Start, Vec<Ply>)> = HashMap::new();
    store::read(dir, |run, event| {
        match event {
            Event::Start(start) => {
                let plies = start.moves.iter().map(|mv| Ply::of_opening(mv)).collect();
                open.insert(start.game, (start, plies));
            }
            Event::Move(mv) => {
                if let Some((_, plies)) = open.get_mut(&mv.game) {
                    plies.push(Ply::from(&mv));
                }
            }
            Event::End(end) => {
                if let Some((start, plies)) = open.remove(&end.game) {
                    let tags = tags(&run.config, &start, &end);
                    let record = Record { tags, plies, result: end.result };
                    write!(file, "{record}")?;
                }
            }
            _ => {}
        }
        Ok(())
    })
    .map(drop)
}

fn tags(config: &Config, start: &Start, end: &End) -> Vec<(String, String)> {
    let [p1, p2] = [start.p1, start.p2].map(|player| config.engines.get(player));
    let name = |engine: Option<&crate::plan::config::EngineConfig>| {
        engine.map_or_else(|| "?".to_owned(), |engine| engine.name.clone())
    };
    let limit = |engine: Option<&crate::plan::config::EngineConfig>| {
        engine.map_or_else(String::new, |engine| engine.limit.to_string())
    };
    let reason = match &end.rule {
        Some(rule) => format!("{} {rule}", end.reason),
        None => end.reason.to_string(),
    };
    let mut tags = vec![
        ("Game", config.game.clone().unwrap_or_else(|| "?".to_owned())),
        ("Number", start.game.to_string()),
        ("Round", start.round.to_string()),
        ("Date", start.time.clone()),
        ("P1", name(p1)),
        ("P2", name(p2)),
        ("P1Limit", limit(p1)),
        ("P2Limit", limit(p2)),
        ("Result", end.result.as_str().to_owned()),
        ("Reason", reason),
        ("OpeningPlies", start.moves.len().to_string()),
    ];
    tags.extend(start.scale.map(|scale| ("ScaleFactor", scale.to_string())));
    tags.extend(start.fen.clone().map(|fen| ("Fen", fen)));
    tags.extend(config.options.iter().map(|(name, value)| ("Option", format!("{name}={value}"))));
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
