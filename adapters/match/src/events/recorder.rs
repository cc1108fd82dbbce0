//! Games from the event stream, and the records that are written from them.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use leap_base::files::{self, Existing};
use leap_records::{Ply, Record};

use super::repeats::RepeatedGames;
use super::store::{self, RECORDS};
use super::{End, Event, Move, Start};
use crate::plan::config::Config;

impl From<&Move> for Ply {
    fn from(mv: &Move) -> Self {
        let &Move { score, depth, nodes, time_us, .. } = mv;
        let text = mv.comment.clone().unwrap_or_default();
        Self { score, depth, nodes, time_us: Some(time_us), text, ..Self::of_opening(&mv.mv) }
    }
}

/// Writes the records of all finished games, in the order in which they ended, and counts those that repeat another
/// one. Only games in flight are held in memory.
pub(crate) fn write_records(dir: &Path) -> anyhow::Result<RepeatedGames> {
    let path = dir.join(RECORDS);
    let mut repeated = RepeatedGames::default();
    files::write(&path, Existing::Replace, |file| write_to(file, dir, &mut repeated))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(repeated)
}

fn write_to(file: &mut dyn Write, dir: &Path, repeated: &mut RepeatedGames) -> anyhow::Result<()> {
    let mut open = OpenGames::default();
    store::read(dir, |run, event| {
        if let Some(game) = open.note(event) {
            let Played { start, moves, end } = game;
            repeated.note(&start, &moves, &end);
            let tags = tags(&run.config, &start, &end);
            let opening = start.moves.iter().map(|mv| Ply::of_opening(mv));
            let plies = opening.chain(moves.iter().map(Ply::from)).collect();
            write!(file, "{}", Record { tags, plies, result: end.result })?;
        }
        Ok(())
    })
    .map(drop)
}

/// A game that has ended, for good or void.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it began.
    pub start: Start,
    /// The moves of the players, in order.
    pub moves: Vec<Move>,
    /// How it ended.
    pub end: End,
}

/// The games in flight of a stream of events.
#[derive(Debug, Default)]
pub struct OpenGames(HashMap<u64, (Start, Vec<Move>)>);

impl OpenGames {
    /// Notes the next event of the stream; returns the game that it ends.
    pub fn note(&mut self, event: Event) -> Option<Played> {
        match event {
            Event::Start(start) => {
                self.0.insert(start.game, (start, Vec::new()));
                None
            }
            Event::Move(mv) => {
                let (_, moves) = self.0.get_mut(&mv.game)?;
                moves.push(mv);
                None
            }
            Event::End(end) => {
                let (start, moves) = self.0.remove(&end.game)?;
                Some(Played { start, moves, end })
            }
            _ => None,
        }
    }
}

fn tags(config: &Config, start: &Start, end: &End) -> Vec<(String, String)> {
    let [p1, p2] = [start.p1, start.p2].map(|player| config.engines.get(player));
    let name = |engine: Option<&crate::plan::config::EngineConfig>| {
        engine.map_or_else(|| "?".to_owned(), |engine| engine.name.clone())
    };
    let limit = |engine: Option<&crate::plan::config::EngineConfig>| {
        engine.map_or_else(String::new, |engine| engine.limit.to_string())
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
        ("Reason", end.why()),
        ("OpeningPlies", start.moves.len().to_string()),
    ];
    tags.extend(start.scale.map(|scale| ("ScaleFactor", scale.to_string())));
    tags.extend(start.fen.clone().map(|fen| ("Fen", fen)));
    tags.extend(config.options.iter().map(|(name, value)| ("Option", format!("{name}={value}"))));
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
